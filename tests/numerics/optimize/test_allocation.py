"""C8's search: the constraint is tight, nothing beats it, and the equal split never does better."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.covering import allocated_radius, low_rank_entropy, truncated_entropy
from majorant.derivation.errors import UnusableInput
from majorant.numerics.lowering import mpmath_function
from majorant.numerics.optimize.allocation import Menu, allocate, entropies, equal_split
from majorant.numerics.optimize.covers import Row, menu_of, rows_of
from majorant.numerics.optimize.parameters import Parameter


def one_block(dims: list[float], reaches: list[float]) -> Menu:
    """One candidate with one block for each parameter."""
    return menu_of([[Row({}, {}, 0.0, dims=[d], log_reach=[math.log(r)])]
                    for d, r in zip(dims, reaches, strict=True)])


sizes = st.lists(st.floats(1.0, 1e6), min_size=2, max_size=6)


@settings(max_examples=60, deadline=None)
@given(dims=sizes, data=st.data())
def test_the_radius_is_spent_and_not_overspent(dims: list[float], data: st.DataObject) -> None:
    reaches = data.draw(st.lists(st.floats(1e-3, 1e12), min_size=len(dims), max_size=len(dims)))
    found = allocate(one_block(dims, reaches))
    spent = float(np.exp(found.log_share).sum())
    assert 1 - 1e-7 < spent <= 1


@settings(max_examples=60, deadline=None)
@given(dims=sizes, data=st.data())
def test_no_other_split_is_better(dims: list[float], data: st.DataObject) -> None:
    count = len(dims)
    reaches = data.draw(st.lists(st.floats(1e-2, 1e9), min_size=count, max_size=count))
    menu = one_block(dims, reaches)
    best = allocate(menu).total
    weights = np.array(data.draw(st.lists(st.floats(0.01, 1), min_size=count, max_size=count)))
    other = entropies(menu, np.log(weights / weights.sum())).sum()
    assert best <= other * (1 + 1e-7)


@settings(max_examples=40, deadline=None)
@given(sigma=st.lists(st.floats(0.01, 3.0), min_size=1, max_size=8), n1=st.integers(8, 12),
       log_kappa=st.floats(-3, 400), data=st.data())
def test_never_worse_than_the_equal_split(sigma: list[float], n1: int, log_kappa: float,
                                          data: st.DataObject) -> None:
    rows = [rows_of(Parameter(str(a), "matrix", (n1, 13), sigma=tuple(sorted(
        (s * (a + 1) for s in sigma), reverse=True))), 6) for a in range(3)]
    weights = np.array([log_kappa, log_kappa + 2, 0.5])
    menu = menu_of(rows).scaled(weights)
    assert allocate(menu).total <= equal_split(menu).total * (1 + 1e-6)


def test_the_stationary_radius_is_that_of_the_lemma() -> None:
    """One block with `B = 4C`: C8's closed form at the multiplier that the search finds."""
    dims, norms = [30.0, 500.0, 7.0], [2.0, 0.5, 11.0]
    menu = one_block(dims, [4 * c for c in norms])
    found = allocate(menu)
    radius = mpmath_function(allocated_radius(), sorted(allocated_radius().free_symbols, key=str))
    names = [str(s) for s in sorted(allocated_radius().free_symbols, key=str)]
    shares = np.exp(found.log_share)
    lam = dims[0] * 4 * norms[0] / (shares[0] * (shares[0] + 4 * norms[0]))
    for d, c, share in zip(dims, norms, shares, strict=True):
        at = {"weight": d, "C": c, "lam": float(lam)}
        assert float(radius(*(at[name] for name in names))) == pytest.approx(share, rel=1e-8)


def test_blocks_of_the_menu_are_the_lemmas() -> None:
    """The rows' block form against the lemmas' expressions, in 30 digits."""
    p = Parameter("w", "matrix", (5, 9), sigma=(2.0, 1.1, 0.4, 0.05))
    from majorant.derivation.covering.staircase import staircase_entropy
    from majorant.derivation.symbols import N1, N2, C, J_blocks, eps, k, knot, level, tau

    low = mpmath_function(low_rank_entropy(), [k, N1, N2, C, eps], 30)
    cut = mpmath_function(truncated_entropy(), [k, N1, N2, C, tau, eps], 30)
    stairs = mpmath_function(staircase_entropy(), [N1, N2, J_blocks, knot, level, tau, eps], 30)
    seen = set()
    for row in rows_of(p, 5):
        ratio, radius = 1 + 2.0**-5, 3.0
        gap = radius - (math.exp(row.log_tau) if row.log_tau > -math.inf else 0.0)
        blocks = sum(d * math.log1p(math.exp(b) / gap)
                     for d, b in zip(row.dims, row.log_reach, strict=True)) + row.const
        family, method = row.family, row.method["method"]
        top = ratio ** (family.get("C") if "C" in family else family["levels"][0])
        if not row.dims:
            continue
        if method == "C4s":
            knots = [0, *row.method["knots"]]
            exponents = ([family["C"]] if "C" in family else
                         [family["levels"][0 if s == 0 else s.bit_length()] for s in knots[:-1]])
            exact = stairs(5, 9, len(knots) - 1, knots, [ratio**e for e in exponents],
                           radius - gap, radius)
        elif family["kind"] == "low-rank" and method == "C3":
            exact = low(row.method["rank"], 5, 9, top, radius)
        elif method == "C3":
            exact = cut(row.method["rank"], 5, 9, top, radius - gap, radius)
        else:
            continue
        seen.add((family["kind"], method))
        assert blocks == pytest.approx(float(exact), rel=1e-11), (family, method)
    assert len(seen) == 6


def test_thresholds_that_do_not_fit_are_an_error() -> None:
    rows = [[Row({}, {}, 0.0, log_tau=math.log(0.8), dims=[1.0], log_reach=[0.0])]] * 2
    with pytest.raises(UnusableInput, match="thresholds"):
        allocate(menu_of(rows))


def test_kappas_beyond_floats_are_fine() -> None:
    menu = one_block([100.0, 200.0], [1.0, 1.0]).scaled(np.array([5000.0, 2000.0]))
    found = allocate(menu)
    assert found.total == pytest.approx(100 * 5000 + 200 * 2000, rel=1e-2)
