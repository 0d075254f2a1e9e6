"""Every bound: search and checker agree, the optimum is not worse than the equal split, n*."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from certificate_cases import problem
from flint import arb

from majorant.derivation.certificate import sign
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import parameters, post_norm_encoder
from majorant.numerics.certificates import Empirical, Problem, issue
from majorant.numerics.certificates.issue import (
    ALL_BOUNDS,
    BOUNDS,
    certificate_at,
    certificate_of,
    prepare,
)
from majorant.numerics.optimize import Parameter
from majorant.proofs.checker import check


def small(**options: Any) -> Problem:
    """A small problem with tokens."""
    return dataclasses.replace(problem(**options), seq_len=20)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("split", ["best", "equal"])
def test_search_and_checker_give_the_same_number(bound: str, split: str) -> None:
    base = small(blocks=2)
    found = prepare(base, bound, split=split)
    verdict = check(certificate_of(found))
    assert verdict.status == "accepted", verdict.reason
    assert verdict.value is not None
    searched = math.exp(found.log_value(math.log(base.n), base.empirical.errors / base.n))
    assert float(verdict.value) == pytest.approx(searched, rel=1e-5)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize(("scale", "n"), [(0.9, None), (1e30, 10)])
def test_never_worse_than_the_equal_split(bound: str, scale: float, n: int | None) -> None:
    """Checked values, on both sides: what the optimizer is for.

    With huge weights and few examples `norm` is cut off where nothing is left to integrate.
    """
    base = small(blocks=2, scale=scale, faithful=n is not None)
    if n is not None:
        base = dataclasses.replace(base, n=n, empirical=Empirical(base.empirical.margin, 0))
    found = prepare(base, bound)
    best, even = (check(certificate_of(x)).value
                  for x in (found, prepare(base, bound, split="equal")))
    assert best is not None
    assert float(best.log()) == pytest.approx(
        found.log_value(math.log(base.n), base.empirical.errors / base.n), rel=1e-5, abs=1e-5)
    assert even is not None
    assert float(best.log()) <= float(even.log()) + 1e-9


@pytest.mark.parametrize("bound", BOUNDS)
def test_n_star_is_confirmed_and_not_far_from_least(bound: str) -> None:
    found = prepare(small(), bound)
    n = math.ceil(math.exp(found.log_n_star()) * (1 + 1e-6))
    value = check(certificate_at(found, n)).value
    assert value is not None
    assert value < arb(1) / 2
    before = check(certificate_at(found, int(n * 0.999))).value
    assert before is not None
    assert before > arb(1) / 2


def test_bounds_are_ordered_as_the_theory_says() -> None:
    """Occam beats the chained envelope, that the Schatten closed form, that the published one."""
    stars = {name: prepare(small(rank=2), name).log_n_star() for name in BOUNDS}
    assert stars["occam"] < stars["envelope"] < stars["schatten"] < stars["published"]


@pytest.mark.parametrize("constants", ["series", "crude"])
def test_sharp_constants_are_never_worse(constants: str) -> None:
    base = small(blocks=2, scale=2.0)
    sharp, other = (check(issue(base, constants=name)).entropy for name in ("sharp", constants))
    assert sharp is not None
    assert other is not None
    assert sharp < other


def test_zhang_is_checked_on_its_domain() -> None:
    verdict = check(issue(small(), "norm-zhang"))
    assert verdict.status == "accepted", verdict.reason
    assert "C5.zhang" in verdict.ledger
    assert verdict.value is not None
    assert "norm-zhang" in ALL_BOUNDS


def test_tokens_are_needed_where_covers_count_them() -> None:
    with pytest.raises(UnusableInput, match="seq_len"):
        prepare(dataclasses.replace(problem(), seq_len=None), "published")


def test_an_unknown_bound_is_refused_with_the_list() -> None:
    with pytest.raises(UnusableInput, match="envelope"):
        prepare(problem(), "tight")


@pytest.mark.parametrize(("change", "word"), [
    ({"n": 0}, "n:"), ({"n": -1}, "n:"), ({"n": 2.5}, "n:"), ({"delta": 0}, "delta"),
    ({"delta": 1.0}, "delta"), ({"delta": "nan"}, "delta"),
    ({"empirical": Empirical(1.0, -1)}, "fraction"),
    ({"empirical": Empirical(1.0, 10**9)}, "fraction"),
    ({"empirical": Empirical(float("nan"), 0)}, "margin"),
    ({"parameters": ()}, "size is not given"),
])
def test_impossible_requests_are_refused(change: dict[str, Any], word: str) -> None:
    with pytest.raises(UnusableInput, match=word):
        dataclasses.replace(problem(), **change)


def test_astronomical_sensitivities_stay_finite() -> None:
    """12 blocks of norm 1e4: kappas near 1e200, an n* and no overflow."""
    base = small(blocks=12, heads=1, scale=1e4, rank=0)
    found = prepare(base, "occam")
    assert math.isfinite(found.log_n_star())
    verdict = check(certificate_of(found))
    assert verdict.status == "accepted", verdict.reason


def faithful(floor: bool, trained: bool = True) -> tuple[Any, tuple[Parameter, ...]]:
    """A post-norm encoder with biases and gains, and made-up sizes."""
    network = post_norm_encoder(1, 2, 8, 12, "gelu", eps="1e-12", outputs=2, floor=floor)
    table = []
    for name, part in parameters(network).items():
        if part.kind == "matrix":
            sigma = tuple(1.2 * 0.8**i for i in range(min(part.rows, part.cols, 3)))
            table.append(Parameter(name, "matrix", (part.rows, part.cols), sigma=sigma))
        else:
            size = 0.1 if part.kind == "vector" else 1.0
            table.append(Parameter(name, part.kind, (part.cols,), norm=size))
    return network, tuple(table)


def test_real_variances_make_layer_norm_cheap() -> None:
    """G7 against the worst-case eps: thresholds are paid for, and worth it."""
    plain, table = faithful(floor=False)
    floored, same = faithful(floor=True)
    worst = Problem(plain, table, {"input": 3.0}, 10**6, "0.05", Empirical(0.5, 1000))
    names = [f"block0.norm{i}" for i in (1, 2)]
    real = Problem(floored, same, {"input": 3.0}, 10**6, "0.05",
                   Empirical(0.5, 1000, dict.fromkeys(names, 0.7)))
    low, high = check(issue(real)), check(issue(worst))
    assert low.status == high.status == "accepted", (low.reason, high.reason)
    assert low.entropy is not None
    assert high.entropy is not None
    assert "G7" in low.ledger
    assert low.entropy < high.entropy - 14 * 50
    refused = issue(real, "envelope")
    assert "G7" in check(refused).reason


def test_thresholds_must_be_measured_for_every_normalization() -> None:
    network, table = faithful(floor=True)
    with pytest.raises(UnusableInput, match="threshold"):
        Problem(network, table, {"input": 3.0}, 10**6, "0.05", Empirical(0.5, 0))


def test_around_a_reference_only_the_movement_costs() -> None:
    """C9: matrices that did not move cost nothing; the moved one costs its own small spectrum."""
    network, table = faithful(floor=False)
    whole = Problem(network, table, {"input": 3.0}, 10**6, "0.05", Empirical(0.5, 1000))
    moved = []
    for p in table:
        if p.id == "block0.M_out":
            moved.append(dataclasses.replace(p, sigma=(0.01,), reference_norm=1.2,
                                             own_norm=1.2))
        else:
            moved.append(dataclasses.replace(p, sigma=(), norm=0.0, trained=False,
                                             reference_norm=p.size, own_norm=p.size))
    around = dataclasses.replace(whole, parameters=tuple(moved))
    verdict = check(issue(around))
    assert verdict.status == "accepted", verdict.reason
    assert set(verdict.shares) == {"block0.M_out"}
    assert "C9" in verdict.ledger
    assert verdict.entropy is not None
    everything = check(issue(whole)).entropy
    assert everything is not None
    assert verdict.entropy < everything / 10


def both() -> Problem:
    """G7 and C9 at once: thresholds, own norms, and one matrix that moved."""
    network, table = faithful(floor=True)
    moved = tuple(
        dataclasses.replace(p, sigma=(0.01,), reference_norm=1.2, own_norm=1.19)
        if p.id == "block0.M_out" else
        dataclasses.replace(p, sigma=(), norm=0.0, trained=False, reference_norm=p.size,
                            own_norm=p.size) for p in table)
    return Problem(network, moved, {"input": 3.0}, 10**6, "0.05",
                   Empirical(0.5, 1000, {"block0.norm1": 0.7, "block0.norm2": 0.3}))


@pytest.mark.parametrize(("path", "step", "word"), [
    (("own", "block0.M_out"), -1, "own norm lies above"),
    (("variances", "block0.norm1"), 1, "rounded down"),
    (("variances", "block0.norm2"), 1, "rounded down"),
    (("margin",), 1, "rounded down"),
    (("variances", "block0.norm2"), -900, "sum kappa_a eps_a"),
])
def test_fields_of_g7_and_c9_are_checked(path: tuple[str, ...], step: int, word: str) -> None:
    certificate = issue(both())
    assert check(certificate).status == "accepted", check(certificate).reason
    part = certificate["proposal"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] += step
    verdict = check(sign(certificate["inputs"], certificate["proposal"]))
    assert verdict.status == "refused"
    assert word in verdict.reason


def test_better_own_norms_and_thresholds_never_cost_more() -> None:
    """Monotone in what was measured: a larger own norm or a smaller variance is no better."""
    base = both()
    value = check(issue(base, fineness=8)).entropy
    worse = dataclasses.replace(base, parameters=tuple(
        dataclasses.replace(p, own_norm=2 * p.own_norm) if p.own_norm else p
        for p in base.parameters))
    assert value is not None
    for other in (worse, dataclasses.replace(base, empirical=Empirical(
            0.5, 1000, {"block0.norm1": 0.07, "block0.norm2": 0.03}))):
        entropy = check(issue(other, fineness=8)).entropy
        assert entropy is not None
        assert entropy >= value
