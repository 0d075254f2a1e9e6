"""The falsification run: bounds hold while models overfit, and what is wrong is caught."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from majorant.derivation.errors import UnusableInput
from majorant.experiments.falsify import run_falsify
from majorant.experiments.falsify.figure import draw
from majorant.experiments.falsify.report import summary
from majorant.experiments.falsify.settings import PRESETS
from majorant.experiments.falsify.task import Cells
from majorant.numerics.certificates.issue import BOUNDS


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("falsify")
    return folder, run_falsify(folder, preset="quick")


def records(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_no_two_models_share_a_sample() -> None:
    seeds = [case.seed for settings in PRESETS.values() for case in settings.cases(3)]
    assert len({case.id for case in PRESETS["full"].cases(0)}) == 56
    assert all(len(set(part)) == len(part) for part in (seeds[:56], seeds[56:]))


def test_the_best_predictor_errs_on_half_of_the_noise() -> None:
    cells, label = Cells(cells=10, length=3, noise=0.25).sample(40_000, seed=5)
    rare = cells[:, 0] >= 2
    assert float(rare.double().mean()) == pytest.approx(0.25, abs=0.01)
    assert float((label[rare] > 0).double().mean()) == pytest.approx(0.5, abs=0.02)
    assert bool((label[~rare] == 2 * cells[~rare, 0] - 1).all())


@pytest.mark.slow
def test_every_bound_holds_while_a_third_of_the_models_overfit(
        run: tuple[Path, dict[str, Any]]) -> None:
    folder, report = run
    assert report["violations"] == []
    assert 3 * report["telling_models"] >= report["models"]
    for record in records(folder):
        assert set(BOUNDS) <= set(record["bounds"])
        for row in record["bounds"].values():
            assert row["value"] is None or row["test_error"] <= row["value"]


@pytest.mark.slow
def test_both_planted_faults_are_caught(run: tuple[Path, dict[str, Any]]) -> None:
    """The price left out is refused in every model; a tenth of a term is refuted by the data."""
    folder, report = run
    assert report["price_left_out_caught"] == report["models"]
    assert report["table"]["occam"]["tenth_caught"] >= 1
    assert report["table"]["compressed"]["tenth_caught"] >= 1
    for record in records(folder):
        assert record["price_left_out"]["claimed"] < record["price_left_out"]["true"]


@pytest.mark.slow
def test_one_false_bound_or_missed_fault_fails_the_run(run: tuple[Path, dict[str, Any]]) -> None:
    good = records(run[0])
    lower = copy.deepcopy(good)
    lower[0]["bounds"]["schatten"]["value"] = lower[0]["test_error"] / 2
    assert any("above schatten" in line for line in summary(lower)["violations"])
    missed = copy.deepcopy(good)
    missed[1]["price_left_out"]["caught"] = False
    assert any("price left out" in line for line in summary(missed)["violations"])
    blind = copy.deepcopy(good)
    for record in blind:
        record["bounds"]["occam"]["tenth"] = 1.0
    assert any("divided by 10" in line for line in summary(blind)["violations"])
    tame = copy.deepcopy(good)
    for record in tame:
        for row in record["bounds"].values():
            row["gap"] = 0.0
    assert any("too few" in line for line in summary(tame)["violations"])


@pytest.mark.slow
def test_an_interrupted_run_resumes_with_the_same_result(
        run: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder, report = run
    lines = (folder / "records.jsonl").read_text(encoding="utf-8")
    (tmp_path / "run.json").write_bytes((folder / "run.json").read_bytes())
    last = lines.splitlines(keepends=True)[-1]
    (tmp_path / "records.jsonl").write_text(lines[: -len(last) // 2], encoding="utf-8")
    again = run_falsify(tmp_path, preset="quick")
    assert again["table"] == report["table"]
    assert len(records(tmp_path)) == report["models"]


@pytest.mark.slow
def test_a_folder_of_another_run_and_an_unknown_preset_are_refused(
        run: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="another preset or seed"):
        run_falsify(run[0], preset="quick", seed=1)
    with pytest.raises(UnusableInput, match="expected one of"):
        run_falsify(tmp_path, preset="huge")
    with pytest.raises(UnusableInput, match="cells"):
        Cells(cells=2, length=4, noise=0.5)


@pytest.mark.slow
def test_the_plot_is_optional(run: tuple[Path, dict[str, Any]], tmp_path: Path,
                              monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert not draw(records(run[0]), tmp_path / "gap.png")
    assert not (tmp_path / "gap.png").exists()
