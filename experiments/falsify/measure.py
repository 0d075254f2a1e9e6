"""One model: train it, bound it in every way, measure it, and plant the faults."""

from __future__ import annotations

import math
from typing import Any

import torch
from flint import arb
from torch import Tensor

from majorant.experiments.falsify.faults import price_left_out, tenth
from majorant.experiments.falsify.model import margins, sizes, train
from majorant.experiments.falsify.settings import Case
from majorant.experiments.finetune.certify import compressed_bound
from majorant.experiments.networks.normalized import NormalizedNetwork
from majorant.experiments.normalized.certify import INPUT_RADIUS, certify
from majorant.experiments.normalized.rounding import forward_error
from majorant.numerics.certificates import Empirical, Problem, issue
from majorant.numerics.certificates.issue import BOUNDS, certificate_at, prepare
from majorant.proofs.checker import check


def measure(case: Case, *, test_sequences: int, delta: str) -> dict[str, Any]:
    """The record of one model; every bound in it was accepted by the checker.

    Each entry of `bounds` has `value` (`None` where no float holds it), `log10`, `empirical` (the
    error that it starts from), `train_error`, `test_error`, `gap` and `sigma` (of the measured
    test error). `occam` and the other bounds of certificates speak of the trained network;
    `compressed` (G6) of its readout reduced to signs.
    """
    cells, label = case.task.sample(case.n, seed=2 * case.seed + 1)
    fresh = case.task.sample(test_sequences, seed=2 * case.seed + 2)
    network = train(case, cells, label)
    parameters = sizes(network, case)
    rounding = forward_error(network, parameters, case.task.length)
    seen = margins(network, case, cells, label)
    outcome = _outcome(seen, margins(network, case, *fresh))
    certificate, verdict = certify(network, parameters, seen, rounding=rounding, delta=delta,
                                   candidates=12)
    if verdict.value is None:
        raise RuntimeError(f"{case.id}: the certificate was refused: {verdict.reason}")
    empirical = certificate["inputs"]["empirical"]
    problem = Problem(network.description(), parameters, {"input": INPUT_RADIUS}, case.n, delta,
                      Empirical(empirical["margin"], empirical["errors"]), case.task.length)
    start = empirical["errors"] / case.n
    bounds = {name: {**_value(problem, name, case.id), "empirical": start, **outcome}
              for name in BOUNDS}
    if case.trains == "readout":
        bounds["compressed"] = _compressed(network, case, (cells, label), fresh, rounding, delta)
    for row in bounds.values():
        row["tenth"] = None if row["value"] is None else tenth(row["value"], row["empirical"])
    return {"id": case.id, "case": case.json(), **outcome, "margin": empirical["margin"],
            "n_star": _n_star(problem), "bounds": bounds,
            "entropy": float(verdict.entropy or 0), "price": float(verdict.price or 0),
            "price_left_out": price_left_out(certificate, verdict)}


def _value(problem: Problem, bound: str, name: str) -> dict[str, Any]:
    """The upper end that the checker proves."""
    verdict = check(issue(problem, bound))
    if verdict.value is None:
        raise RuntimeError(f"{name}, {bound}: the certificate was refused: {verdict.reason}")
    upper = verdict.value.upper()
    value = float(upper)
    return {"value": value if math.isfinite(value) else None,
            "log10": float(upper.log() / arb(10).log())}


def _n_star(problem: Problem) -> int:
    """The sample size at which `occam` falls below 1/2 with no margin error, checked there."""
    found = prepare(problem, "occam")
    star = math.ceil(math.exp(found.log_n_star()) * (1 + 1e-6))
    verdict = check(certificate_at(found, star))
    if verdict.value is None or not verdict.value < 0.5:
        raise RuntimeError(f"occam: the checker does not confirm n_star = {star}")
    return star


def _outcome(seen: Tensor, fresh: Tensor) -> dict[str, float]:
    """Errors on both samples (ties are errors), the gap, and the test error's own deviation."""
    train_error = float((seen <= 0).double().mean())
    test_error = float((fresh <= 0).double().mean())
    # A sample without errors still leaves room for a rate of the order 1/m.
    spread = max(test_error * (1 - test_error), 1 / len(fresh))
    return {"train_error": train_error, "test_error": test_error,
            "gap": test_error - train_error, "sigma": math.sqrt(spread / len(fresh))}


def _compressed(network: NormalizedNetwork, case: Case, sample: tuple[Tensor, Tensor],
                fresh: tuple[Tensor, Tensor], rounding: float, delta: str) -> dict[str, Any]:
    """G6 for the readout's signs: one bit an entry, nothing else is chosen."""
    with torch.no_grad():
        network.readout.copy_(torch.where(network.readout >= 0, 1.0, -1.0))
    slack = max(rounding, forward_error(network, sizes(network, case), case.task.length))
    seen = margins(network, case, *sample)
    outcome = _outcome(seen, margins(network, case, *fresh))
    errors = int((seen <= slack).sum())
    nats = case.task.cells * math.log(2) * (1 + 1e-12)
    value = compressed_bound(errors, case.n, nats, delta)["upper"]
    return {"value": value, "log10": math.log10(value),
            "empirical": errors / case.n, "code_nats": nats, **outcome}
