"""The logic of evaluate, certify and recheck on small real checkpoints."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch

from majorant.cli.bounds import certificate_for, evaluate_bounds, validate_request
from majorant.cli.certify import spectra_differences
from majorant.derivation.errors import UnusableInput
from majorant.numerics.certificates.issue import BOUNDS
from majorant.proofs.checker import check

transformers = pytest.importorskip("transformers")


def save(folder: Path, seed: int = 0, change: float = 0.0, width: int = 8) -> str:
    """A tiny BERT; `change` moves one matrix by a rank-one update of that size."""
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=30, hidden_size=width, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=12, max_position_embeddings=16)
    model = transformers.BertModel(config, add_pooling_layer=False)
    if change:
        with torch.no_grad():
            weight = model.encoder.layer[0].output.dense.weight
            weight += change * torch.outer(torch.ones(weight.shape[0]), torch.ones(
                weight.shape[1])) / math.sqrt(weight.numel())
    model.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checkpoint that most tests use."""
    return save(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def report(base: str) -> dict[str, Any]:
    """Every bound of the real block."""
    return evaluate_bounds(base, n=10**6, margin=0.5, margin_error=0.01, seq_len=12)


def test_every_bound_has_its_contract_keys(report: dict[str, Any]) -> None:
    assert tuple(report["bounds"]) == BOUNDS
    for name, found in report["bounds"].items():
        assert found.get("reason") is None, (name, found.get("reason"))
        assert {"value", "lower", "upper", "log10", "n_star", "vacuous", "ledger",
                "contributors"} <= set(found)
        assert found["lower"] <= found["value"] <= found["upper"]
        assert found["vacuous"] == (found["upper"] >= 1)
        assert len(found["contributors"]) == 3
        assert found["ledger"]
        assert 10 ** found["log10_n_star"] == pytest.approx(found["n_star"], rel=1e-9)


def test_the_json_is_finite(report: dict[str, Any]) -> None:
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert not any("rotary" in line for line in report["assumptions"])


def test_assumptions_are_named(report: dict[str, Any]) -> None:
    text = " ".join(report["assumptions"])
    assert "independent" in text
    assert "frozen" in text
    assert "delta/6" in text


def test_occam_is_the_smallest_and_published_the_largest_spectral_bound(
        report: dict[str, Any]) -> None:
    stars = {name: found["log10_n_star"] for name, found in report["bounds"].items()}
    assert stars["occam"] < stars["envelope"] < stars["schatten"] < stars["published"]


def test_both_splits_are_shown_and_the_equal_one_is_never_better(report: dict[str, Any]) -> None:
    for name, found in report["bounds"].items():
        even = found["equal_split"]
        assert found["upper"] <= even["upper"], name
        assert found["log10_n_star"] <= even["log10_n_star"] + 1e-3, name  # whole n
        assert even["lower"] <= even["value"] <= even["upper"]


def test_contributions_are_fractions(report: dict[str, Any]) -> None:
    for found in report["bounds"].values():
        parts = [row["fraction"] for row in found["contributors"]]
        assert parts == sorted(parts, reverse=True)
        assert 0 < sum(parts) <= 1 + 1e-9
        assert found["largest"] == [row["name"] for row in found["contributors"]]


def test_rotary_heads_say_that_they_have_another_constant(tmp_path: Path) -> None:
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=4,
        num_key_value_heads=2, intermediate_size=12, max_position_embeddings=16)
    transformers.LlamaModel(config).save_pretrained(tmp_path)
    found = evaluate_bounds(str(tmp_path), n=10**6, bounds=["occam"])
    assert any("rotary" in line and "A3c" in line for line in found["assumptions"])
    assert "A3c" in found["bounds"]["occam"]["ledger"]


def headline_of(upper: float, of: int = 1, **more: Any) -> str:
    """The headline of a report whose smallest bound has this upper end."""
    from majorant.cli.evaluate import headline

    bound = {"upper": upper, "vacuous": upper >= 1, "log10": math.log10(upper),
             "log10_n_star": 7.5, "n_star": None}
    best = None if upper >= 1 else bound | {"bound": "occam", "of": of}
    return headline({"bounds": {"occam": bound}, "smallest": best, "network": "n", "delta": 0.05,
                     **more})


def test_a_headline_without_margin_errors_is_conditional() -> None:
    assert "0.1235 with probability 1 - 0.05" in headline_of(0.12341)
    assert "if no training example" in headline_of(0.12341)
    assert "if no training" not in headline_of(0.12341, margin_error=0.0)


def test_a_headline_never_sells_a_bound_near_1() -> None:
    assert "smallest of 6 bounds, each at delta/6" in headline_of(0.1, of=6)
    for upper, word in ((0.7, "at most 0.7"), (0.9999999, "just below 1"), (1e9, "vacuous")):
        assert word in headline_of(upper)
        assert "n_star = 3.17e+07" in headline_of(upper)
        assert "the error is at most" not in headline_of(upper)
    # n_star is about no training error, and may lie below an n at which the bound is weak
    assert "useful, with no training error, is" in headline_of(0.7, margin_error=0.3)


def test_the_smallest_of_several_bounds_pays_for_the_choice(base: str) -> None:
    found = evaluate_bounds(base, n=10**9, seq_len=12)
    best, several = found["smallest"], [b["upper"] for b in found["bounds"].values()]
    assert best["of"] == 6
    assert best["upper"] > min(several)
    alone = evaluate_bounds(base, n=10**9, seq_len=12, delta=best["delta"], bounds=[best["bound"]])
    assert best["upper"] == alone["bounds"][best["bound"]]["upper"] == alone["smallest"]["upper"]


def test_what_would_lower_it_most_is_a_parameter(report: dict[str, Any]) -> None:
    best = report["bounds"]["occam"]["lower_most"]
    assert len(best) == 3
    assert best[0]["n_star_percent"] >= best[1]["n_star_percent"] > 0


def test_without_n_only_n_star(base: str) -> None:
    found = evaluate_bounds(base, "normalized", bounds=["occam"])["bounds"]["occam"]
    assert found["value"] is None
    assert found["n_star"] > 1


def test_around_a_reference_only_what_moved_is_paid(base: str, tmp_path: Path) -> None:
    tuned = save(tmp_path / "tuned", change=0.01)
    around = evaluate_bounds(tuned, reference=base, n=10**6, bounds=["occam"])
    alone = evaluate_bounds(tuned, n=10**6, bounds=["occam"])
    occam = around["bounds"]["occam"]
    assert occam["largest"] == ["block0.M_out"]
    assert "C9" in occam["ledger"]
    assert occam["entropy_nats"] < alone["bounds"]["occam"]["entropy_nats"] / 5
    assert any("reference" in line for line in around["assumptions"])


def test_nothing_moved_is_said_so(base: str) -> None:
    found = evaluate_bounds(base, reference=base, bounds=["occam"])["bounds"]["occam"]
    assert "does not depend on the sample" in found["reason"]


def test_a_reference_with_other_shapes_is_refused(base: str, tmp_path: Path) -> None:
    other = save(tmp_path / "wide", width=16)
    with pytest.raises(UnusableInput, match="other shapes"):
        evaluate_bounds(base, reference=other, bounds=["occam"])


def test_certify_and_recheck(base: str, tmp_path: Path) -> None:
    certificate, verdict = certificate_for(base, n=10**6, errors=100, margin=0.5)
    read = json.loads(json.dumps(certificate))
    again = check(read)
    assert again.status == verdict.status == "accepted"
    assert read["claim"]["upper"] >= float(again.value)  # type: ignore[arg-type]
    assert spectra_differences(read, base, "faithful", None) == []
    other = save(tmp_path / "other", seed=5)
    assert spectra_differences(read, other, "faithful", None)


@pytest.mark.parametrize(("path", "value", "word"), [
    (("parameters", "block0.M_in", "trained"), False, "not trained"),
    (("parameters", "block0.M_in", "sigma", 3), 0.0, "spectrum lies below"),
    (("parameters", "block0.norm1.gain", "norm"), 0.1, "spectrum lies below"),
    (("numbers", "input"), 0.5, "number lies below"),
    (("network", "blocks"), [], "not the one that"),
])
def test_recheck_against_the_checkpoint_compares_every_size(
        base: str, path: tuple[Any, ...], value: Any, word: str) -> None:
    certificate, _ = certificate_for(base, n=10**6)
    read = json.loads(json.dumps(certificate))
    part = read["inputs"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    assert any(word in line for line in spectra_differences(read, base, "faithful", None))


def test_recheck_compares_the_norms_of_the_reference(base: str, tmp_path: Path) -> None:
    tuned = save(tmp_path / "tuned", change=0.01)
    certificate, _ = certificate_for(tuned, reference=base, n=10**6)
    read = json.loads(json.dumps(certificate))
    assert spectra_differences(read, tuned, "faithful", base) == []
    for key in ("own_norm", "reference_norm"):
        entry = read["inputs"]["parameters"]["block0.M_out"]
        entry[key], kept = entry[key] / 2, entry[key]
        assert any("reference" in x for x in spectra_differences(read, tuned, "faithful", base))
        entry[key] = kept


@pytest.mark.parametrize(("options", "word"), [
    ({"n": 0}, "n:"), ({"n": -4}, "n:"), ({"delta": 0.0}, "delta"), ({"delta": 1}, "delta"),
    ({"delta": float("nan")}, "delta"), ({"seq_len": 0}, "seq-len"), ({"block": "real"}, "block"),
    ({"n": 10, "margin": 1.0, "margin_error": 1.5}, "margin-error"),
    ({"n": 10, "margin": 1.0, "margin_error": float("nan")}, "margin-error"),
    ({"n": 10, "margin": -1.0}, "margin"), ({"margin_error": 0.1}, "margin-error"),
    ({"bounds": ["best"]}, "best"),
])
def test_impossible_requests_are_refused_with_the_reason(options: dict[str, Any],
                                                         word: str) -> None:
    with pytest.raises(UnusableInput, match=word):
        validate_request(**options)
