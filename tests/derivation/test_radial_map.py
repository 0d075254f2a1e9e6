"""F4: the constants of LayerNorm are suprema, against derivatives taken along lines."""

from __future__ import annotations

import math

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import MajorantError
from majorant.derivation.radial_map import LAST, far_square, free_square, polynomials, x

ORDERS = range(1, 9)


def coefficient(k: int, radius: float, cosine: float) -> tuple[float, float]:
    """Norm of the k-th Taylor coefficient of `y/q` along a line, and `q`, by power series."""
    q = math.sqrt(1 + radius**2)
    along, across = radius * cosine, radius * math.sqrt(1 - cosine**2)
    # (1 + (2 <y,h> t + t^2)/q^2)^(-1/2): coefficients by its differential equation
    b, c = 2 * along / q**2, 1 / q**2
    series = [1.0]
    for n in range(k):
        before = series[n - 1] if n else 0.0
        series.append((-(n + 0.5) * b * series[n] - n * c * before) / (n + 1))
    first = (along * series[k] + series[k - 1]) / q
    return math.hypot(first, across * series[k] / q), q


@given(k=st.integers(1, 12), radius=st.floats(0, 50), cosine=st.floats(-1, 1))
@settings(max_examples=300, deadline=None)
def test_no_line_exceeds_the_constants(k: int, radius: float, cosine: float) -> None:
    found, q = coefficient(k, radius, cosine)
    assert found <= math.sqrt(far_square(k)) * q**-k * (1 + 1e-9)
    assert found <= math.sqrt(free_square(k)) * (1 + 1e-9)


@pytest.mark.parametrize("k", ORDERS)
def test_the_free_constant_is_attained_along_the_radius(k: int) -> None:
    best = max(coefficient(k, j / 400, 1.0)[0] for j in range(1200))
    assert best >= math.sqrt(free_square(k)) * (1 - 1e-4)


@pytest.mark.parametrize("k", ORDERS)
def test_the_general_constant_is_larger(k: int) -> None:
    """`2/sqrt(1 - t)`, which serves beyond the searched orders."""
    general = 2 * math.comb(2 * k, k) / 4**k
    assert math.sqrt(free_square(k)) <= math.sqrt(far_square(k)) <= general
    assert math.isclose(math.sqrt(far_square(LAST + k)),
                        2 * math.comb(2 * (LAST + k), LAST + k) / 4 ** (LAST + k))


@pytest.mark.parametrize("k", ORDERS)
def test_legendre_form_of_the_coefficient(k: int) -> None:
    """`(P_(k-1) - x P_k)^2 + (1 - x^2) P_k^2` is the squared norm at s = 1."""
    p, before = sp.legendre(k, x), sp.legendre(k - 1, x)
    assert sp.expand(polynomials(k)["far"] - (p**2 + before**2 - 2 * x * p * before)) == 0


def test_orders_start_at_one() -> None:
    with pytest.raises(MajorantError, match="order"):
        far_square(0)
