"""A1: the three sequences, and laws that optimization finds below them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
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


def test_tilting_improves_every_order_from_five_and_never_loses() -> None:
    values = [cumulant_bound(k, "tilted")[1] for k in range(1, 13)]
    assert values[:9] == [1, 1, 1, 2, 8, 40, 240, 1680, 13440]
    for k in range(1, 13):
        assert values[k - 1] <= cumulant_bound(k)[1]
        if k < 12:
            assert values[k] <= max(k, 2) * values[k - 1]
    # never below what signs attain: the derivatives of log cosh at 0
    assert all(v >= t for v, t in zip(values[1::2], [1, 2, 16, 272, 7936], strict=False))


@settings(max_examples=10, deadline=None)
@given(data=st.data(), k=st.integers(1, 4))
def test_the_next_cumulant_is_a_tilt_of_a_polynomial(data: st.DataObject, k: int) -> None:
    """`kappa(V_1..V_k, Y) = (1 - x^2) f'(x)` exactly, with f the cumulant of a mixture."""
    atoms = 3
    weights = [data.draw(st.lists(st.integers(1, 9), min_size=atoms, max_size=atoms))
               for _ in range(2)]
    laws = [[sp.Rational(w, sum(row)) for w in row] for row in weights]
    values = [[data.draw(st.sampled_from((-1, 1))) for _ in range(2 * atoms)] for _ in range(k)]
    x = sp.Symbol("x")
    mixture = [(1 + x) / 2 * p for p in laws[0]] + [(1 - x) / 2 * p for p in laws[1]]
    sign = [1] * atoms + [-1] * atoms
    f = sp.Poly(_cumulant(mixture, values), x)
    joint = sp.Poly(_cumulant(mixture, [*values, sign]), x)
    assert f.degree() <= k
    assert sp.expand(joint.as_expr() - (1 - x**2) * f.diff(x).as_expr()) == 0


def _cumulant(law: list[sp.Expr], values: list[list[int]]) -> sp.Expr:
    """Joint cumulant from moments, exactly."""
    k = len(values)
    moment = [sp.Integer(1)] * (1 << k)
    cumulant = [sp.Integer(0)] * (1 << k)
    for mask in range(1, 1 << k):
        rows = [values[i] for i in range(k) if mask >> i & 1]
        moment[mask] = sp.expand(sum(
            p * math.prod(row[s] for row in rows) for s, p in enumerate(law)))
        rest = mask & (mask - 1)
        total, part = moment[mask], rest
        while part:
            total -= cumulant[mask ^ part] * moment[part]
            part = (part - 1) & rest
        cumulant[mask] = sp.expand(total)
    return cumulant[-1]
