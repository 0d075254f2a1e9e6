"""F8: the cover of the proof is built and covers; the entropy grows like eps^(-d/s)."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.smooth_classes import cells, reach, smooth_entropy, values
from majorant.derivation.symbols import R_of, d, eps, order, s


def number(expr: sp.Expr, smoothness: int, dimension: int, accuracy: sp.Expr,
           radii: list[sp.Expr]) -> float:
    at = expr.subs(s, smoothness).doit().subs({d: dimension, eps: accuracy})
    return float(sp.N(at.subs({R_of[k]: radii[k] for k in range(smoothness + 1)})))


@pytest.mark.parametrize(("smoothness", "dimension"), [(1, 1), (2, 1), (2, 2), (3, 2), (4, 4)])
def test_the_entropy_grows_like_the_power_d_over_s(smoothness: int, dimension: int) -> None:
    radii = [sp.Integer(1)] * (smoothness + 1)
    near, far = (number(smooth_entropy, smoothness, dimension, sp.Rational(1, 10**k), radii)
                 for k in (16, 20))
    power = math.log10(far / near) / 4
    assert dimension / smoothness <= power < dimension / smoothness + 0.1  # and a logarithm


@settings(max_examples=40, deadline=None)
@given(smoothness=st.integers(1, 4), frequency=st.floats(0.3, 6), phase=st.floats(0, 6),
       accuracy=st.sampled_from([0.5, 0.1, 0.02]))
def test_rounded_taylor_polynomials_are_within_eps(smoothness: int, frequency: float, phase: float,
                                                   accuracy: float) -> None:
    """In dimension 1, with a wave: derivatives at most `frequency^k`, values at most 1."""
    radii = [sp.Float(frequency, 30) ** k for k in range(smoothness + 1)]
    exact = sp.Rational(str(accuracy))
    h = number(reach, smoothness, 1, exact, radii)
    count = round(number(cells, smoothness, 1, exact, radii))
    x = np.linspace(0, 1, 501)
    cell = np.minimum((x * count).astype(int), count - 1)
    offset = x - (cell + 0.5) / count
    assert np.abs(offset).max() <= h * (1 + 1e-12)
    found = np.zeros_like(x)
    for j in range(smoothness):
        step = accuracy * math.factorial(j) / (smoothness * h**j)
        radius = frequency**j
        grid = math.ceil(2 * radius / step)  # centres of the intervals that cover [-R, R]
        assert grid <= number(values.subs(order, j), smoothness, 1, exact, radii) * (1 + 1e-9)
        derivative = radius * np.sin(frequency * (cell + 0.5) / count + phase + j * math.pi / 2)
        index = np.clip(np.floor((derivative + radius) / step), 0, grid - 1)
        found += (-radius + (index + 0.5) * step) * offset**j / math.factorial(j)
    assert np.abs(found - np.sin(frequency * x + phase)).max() <= accuracy * (1 + 1e-9)
