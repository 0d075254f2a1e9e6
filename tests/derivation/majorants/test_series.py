"""Rules M1-M6: exact composition against sums over set partitions, dual numbers, refusals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import MajorantError, UnusableInput
from majorant.derivation.majorants.partials import partial_bound
from majorant.derivation.majorants.series import Majorant, refuse_beyond_lipschitz
from majorant.derivation.ring import ExactRing

RING = ExactRing()
COEFFICIENTS = st.lists(st.integers(0, 9), min_size=7, max_size=7)


def _majorant(bounds: list[int]) -> Majorant:
    return Majorant(RING, tuple(sp.Rational(m, math.factorial(k)) for k, m in enumerate(bounds)))


def _partitions(items: list[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for partition in _partitions(rest):
        yield [[first], *partition]
        for k in range(len(partition)):
            yield [*partition[:k], [first, *partition[k]], *partition[k + 1:]]


@settings(max_examples=25, deadline=None)
@given(outer=COEFFICIENTS, inner=COEFFICIENTS, order=st.integers(1, 6))
def test_composition_is_the_sum_over_set_partitions(
        outer: list[int], inner: list[int], order: int) -> None:
    """M4 is Faa di Bruno's formula."""
    composed = _majorant(inner[:order + 1]).then(_majorant(outer[:order + 1]))
    for k in range(1, order + 1):
        expected = sum(
            outer[len(partition)] * math.prod(inner[len(block)] for block in partition)
            for partition in _partitions(list(range(k))))
        assert composed.bound(k) == expected
    assert composed.bound(0) == outer[0]


@settings(max_examples=25, deadline=None)
@given(f=COEFFICIENTS, g=COEFFICIENTS, k=st.integers(0, 6), c=st.integers(0, 5))
def test_sums_products_and_scaled_arguments(f: list[int], g: list[int], k: int, c: int) -> None:
    left, right = _majorant(f), _majorant(g)
    assert left.plus(right).bound(k) == f[k] + g[k]
    assert left.scaled(sp.Integer(c)).bound(k) == c * f[k]
    leibniz = sum(math.comb(k, j) * f[j] * g[k - j] for j in range(k + 1))
    assert left.times(right).bound(k) == leibniz
    assert left.argument_scaled(sp.Integer(c)).bound(k) == c**k * f[k]


def test_composition_of_exponentials_counts_set_partitions() -> None:
    bell = _majorant([1] * 9).then(_majorant([1] * 9))
    assert [bell.bound(k) for k in range(9)] == [1, 1, 2, 5, 15, 52, 203, 877, 4140]


def test_an_outer_majorant_that_is_too_short_is_an_error() -> None:
    with pytest.raises(MajorantError, match="outer majorant to order 3"):
        _majorant([1, 1, 1, 1]).then(_majorant([1, 1, 1]))
    with pytest.raises(MajorantError, match="order"):
        Majorant.identity(RING, sp.Integer(1), 0)


def test_order_two_through_a_lipschitz_map_is_refused() -> None:
    refuse_beyond_lipschitz("the projection", 1)
    with pytest.raises(UnusableInput, match="order 2"):
        refuse_beyond_lipschitz("the projection", 2)


def test_partial_derivatives_of_every_multi_index() -> None:
    majorant = _majorant([7, 1, 2, 3])
    assert partial_bound(majorant, (1, 0, 2)) == 3
    assert partial_bound(majorant, ()) == 7
    with pytest.raises(MajorantError, match="order 4"):
        partial_bound(majorant, (2, 2))
    with pytest.raises(MajorantError, match="not negative"):
        partial_bound(majorant, (-1, 2))


def test_transformer_bounds_binomial_coefficients_are_exact() -> None:
    """Public code has binomial(4, 2) = 4 and (6, 3) = 12; Leibniz needs 6 and 20."""
    one = _majorant([1] * 7)
    assert one.times(one).bound(4) == sum(math.comb(4, j) for j in range(5)) == 16
    only_second = _majorant([0, 0, 1, 0, 0, 0, 0])
    only_third = _majorant([0, 0, 0, 1, 0, 0, 0])
    assert only_second.times(only_second).bound(4) == 6
    assert only_third.times(only_third).bound(6) == 20


def test_increments_keep_only_what_moves() -> None:
    majorant = Majorant(RING, tuple(sp.Rational(x) for x in (5, 1, 2, 0, 0)))
    assert majorant.increment() == (0, 1, 2)
    assert RING.fraction(Fraction(1, 3)) == sp.Rational(1, 3)
