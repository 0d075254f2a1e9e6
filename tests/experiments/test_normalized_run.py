"""The whole demonstration at a small size: the bound holds, says what it is, and is repeatable."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from majorant.derivation.errors import UnusableInput
from majorant.experiments.networks import NormalizedNetwork
from majorant.experiments.normalized import QUICK, run_normalized
from majorant.experiments.normalized.certify import certify, certify_at, verified_parameters
from majorant.experiments.normalized.margins import margins
from majorant.experiments.normalized.training import Schedule, Trainer
from majorant.proofs.checker import check

N = QUICK.sequences
MINI = replace(QUICK, schedule=Schedule(batch=32, learn_steps=270, rounds=1, round_steps=10,
                                        polish_steps=10, rank=20, least_rank=20),
               test_sequences=500, control_sequences=500)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("normalized")
    return folder, run_normalized(folder, preset="quick")


def trained(folder: Path) -> NormalizedNetwork:
    network = NormalizedNetwork(blocks=2, heads=2, width=12, hidden=12, rank=3, rank_ff=4, seed=0)
    network.load_state_dict(load_file(folder / "network.safetensors"))
    return network


@pytest.mark.slow
def test_the_bound_is_not_vacuous_and_holds(run: tuple[Path, dict[str, Any]]) -> None:
    _, result = run
    assert 0 <= result["test_error"] <= result["bound"] < 0.5
    assert not result["vacuous"]
    assert result["violations"] == []
    assert result["n_star"] <= N == result["n"]
    assert result["lower"] <= result["bound"]


@pytest.mark.slow
def test_the_task_needs_attention(run: tuple[Path, dict[str, Any]]) -> None:
    _, result = run
    assert result["linear_error"] > 0.25
    assert result["uniform_error"] > 0.25
    assert result["test_error"] < 0.1


@pytest.mark.slow
def test_the_published_form_is_shown_and_is_larger(run: tuple[Path, dict[str, Any]]) -> None:
    _, result = run
    occam, published = result["bounds"]["occam"], result["bounds"]["published"]
    assert published["log10"] > occam["log10"]
    assert published["log10_n_star"] > occam["log10_n_star"]


@pytest.mark.slow
def test_the_saved_certificate_stands_alone(run: tuple[Path, dict[str, Any]]) -> None:
    folder, result = run
    verdict = check(json.loads((folder / "certificate.json").read_text()))
    assert verdict.status == "accepted"
    assert verdict.value is not None
    assert float(verdict.value.upper()) == result["bound"]
    saved = json.loads((folder / "report.json").read_text())
    assert saved == json.loads(json.dumps(result, allow_nan=False))
    page = (folder / "report.md").read_text()
    assert f"{result['bound']:.5f}" in page
    assert "non-vacuous" in page


@pytest.mark.slow
def test_the_margin_error_is_counted_on_the_whole_sample(
        run: tuple[Path, dict[str, Any]]) -> None:
    folder, result = run
    found = margins(trained(folder), QUICK.task, QUICK.task.sample(N, seed=0))
    margin, rounding = result["margin"]["margin"], result["margin"]["rounding"]
    assert result["margin"]["errors"] == int((found <= margin + rounding).sum())
    assert 0 < rounding < 1e-6


@pytest.mark.slow
def test_the_penalty_lowers_the_certified_bound_at_equal_accuracy(
        run: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = run
    task, sample = QUICK.task, QUICK.task.sample(N, seed=0)
    fresh = task.sample(5000, seed=1)
    bounds, errors = [], []
    for penalty in (0.0, 0.01):
        # The same network, the same batches; the last phase with and without the penalty.
        network = copy.deepcopy(trained(folder))
        schedule = replace(QUICK.schedule, learn_steps=0, rounds=0, polish_steps=200,
                           penalty=penalty)
        Trainer(network, task, sample, schedule, seed=9).run(lambda: None)
        parameters = verified_parameters(network)
        _, verdict = certify(network, parameters, margins(network, task, sample),
                             rounding=1e-6, delta="0.05")
        assert verdict.value is not None
        bounds.append(float(verdict.value.upper()))
        errors.append(float((margins(network, task, fresh) <= 0).double().mean()))
    assert errors[1] <= errors[0] + 0.005
    assert bounds[1] < bounds[0]


@pytest.mark.slow
def test_an_interrupted_run_continues_to_the_same_result(tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    def stop_at(step: int) -> Any:
        def progress(done: int, total: int, text: str) -> None:
            if done == step:
                raise Stop
        return progress

    straight = run_normalized(tmp_path / "a", n=3000, preset=MINI)
    for step in (260, 290):
        with pytest.raises(Stop):
            run_normalized(tmp_path / "b", n=3000, preset=MINI, resume=True,
                           progress=stop_at(step))
    resumed = run_normalized(tmp_path / "b", n=3000, preset=MINI, resume=True)
    for key in ("bound", "test_error", "n_star", "matrices", "margin", "uniform_error"):
        assert resumed[key] == straight[key], key
    with pytest.raises(UnusableInput, match="another seed"):
        run_normalized(tmp_path / "b", n=3001, preset=MINI, resume=True)


def test_an_unknown_preset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="expected one of full, quick"):
        run_normalized(tmp_path, preset="enormous")


def test_a_network_that_learnt_nothing_gets_an_honest_certificate() -> None:
    """No margin error, no claim: a random network's certified error is at least its test error."""
    task = QUICK.task
    network = NormalizedNetwork(blocks=2, heads=2, width=12, hidden=12, rank=1, rank_ff=1, seed=4)
    sample, fresh = task.sample(5000, seed=7), task.sample(5000, seed=8)
    _, verdict = certify(network, verified_parameters(network), margins(network, task, sample),
                         rounding=1e-6, delta="0.05", candidates=4)
    assert verdict.value is not None
    test_error = float((margins(network, task, fresh) <= 0).double().mean())
    assert float(verdict.value.lower()) > 0.5
    assert test_error <= float(verdict.value.upper()) <= 1.0


def test_more_errors_never_lower_the_bound() -> None:
    network = NormalizedNetwork(blocks=1, heads=1, width=12, hidden=12, rank=1, rank_ff=1, seed=4)
    parameters = verified_parameters(network)
    values = []
    for errors in (0, 10, 100, 1000):
        verdict = certify_at(network, parameters, 0.1, errors, n=10**5, delta="0.05")[1]
        assert verdict.value is not None
        values.append(float(verdict.value.mid()))
    assert values == sorted(values)
    assert values[0] < values[-1]


@pytest.mark.parametrize(("n", "seed"), [(0, 0), (-5, 0), (True, 0), (10, -1), (10, 20_000)])
def test_impossible_requests_are_refused(tmp_path: Path, n: int, seed: int) -> None:
    with pytest.raises(UnusableInput, match="expected n >= 1"):
        run_normalized(tmp_path, n=n, seed=seed, preset=MINI)


def test_float32_weights_are_taken_exactly(tmp_path: Path) -> None:
    network = NormalizedNetwork(blocks=1, heads=1, width=12, hidden=12, rank=1, rank_ff=1, seed=4)
    before = {name: value.clone() for name, value in network.state_dict().items()}
    margins(network, QUICK.task, QUICK.task.sample(10, seed=0))
    for name, value in network.state_dict().items():
        assert value.dtype == before[name].dtype
        assert torch.equal(value, before[name])
