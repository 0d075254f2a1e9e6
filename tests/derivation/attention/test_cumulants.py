"""A1: the three sequences, and laws that optimization finds below them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from majorant.derivation.attention.cumulants import central_moment_bound, cumulant_bound
from majorant.derivation.errors import MajorantError


def test_crude_and_centred_are_their_generating_functions() -> None:
    t = sp.Symbol("t")
    crude = sp.series(-sp.log(2 - sp.exp(t)), t, 0, 6).removeO()
    centred = sp.series(t - sp.log(1 - (sp.exp(2 * t) - 1 - 2 * t) / 4), t, 0, 6).removeO()
    for k in range(1, 6):
        for kind, series in (("crude", crude), ("centred", centred)):
            low, high = cumulant_bound(k, kind)  # type: ignore[arg-type]
            assert low == high == Fraction(int(series.coeff(t, k) * math.factorial(k)))


def test_sharp_sequence_of_the_theory() -> None:
    values = [float(cumulant_bound(k)[1]) for k in range(1, 9)]
    expected = [1, 1, 1, 2, 12.1468, 58.6262, 308.033, 2045.07]
    assert all(math.isclose(x, y, rel_tol=1e-5) for x, y in zip(values, expected, strict=True))
    for k in range(1, 13):
        low, high = cumulant_bound(k)
        assert 0 <= high - low <= Fraction(1, 10**30)
        assert high <= cumulant_bound(k, "centred")[1] <= cumulant_bound(k, "crude")[1]


@pytest.mark.parametrize(("r", "value"), [(2, 1), (3, 1), (4, 4 / 3), (5, 2.1468), (6, 3.6262)])
def test_central_moments_of_signs(r: int, value: float) -> None:
    assert math.isclose(float(central_moment_bound(r)[1]), value, rel_tol=2e-5)


@given(r=st.integers(2, 12), p=st.fractions(0, 1))
def test_no_sign_has_a_larger_central_moment(r: int, p: Fraction) -> None:
    moment = 2**r * (p * (1 - p)**r + (1 - p) * p**r)
    assert moment <= central_moment_bound(r)[1]


def test_order_zero_is_an_error() -> None:
    with pytest.raises(MajorantError, match="order"):
        cumulant_bound(0)
