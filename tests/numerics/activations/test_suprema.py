"""Certified suprema of activation derivatives: against independent evaluation and the reports."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.activations import activation_table
from majorant.derivation.errors import UnusableInput
from majorant.numerics.activations import ACTIVATIONS, certified_supremum

TABLE = activation_table()
SMOOTH = sorted(name for name, facts in TABLE.items() if facts.smooth)
FUNCTIONS = {
    "gelu": lambda x: x * mpmath.ncdf(x),
    "gelu_tanh": lambda x: x / 2 * (1 + mpmath.tanh(
        mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3))),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "quick_gelu": lambda x: x / (1 + mpmath.exp(mpmath.mpf("-1.702") * x)),
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "tanh": mpmath.tanh,
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "mish": lambda x: x * mpmath.tanh(mpmath.log(1 + mpmath.exp(x))),
}


def _sup(name: str, order: int) -> float:
    return float(TABLE[name].supremum(order)[1])


@pytest.mark.parametrize("name", SMOOTH)
def test_enclosures_agree_to_more_than_12_digits(name: str) -> None:
    assert len(TABLE[name].suprema) >= 12
    for entry in TABLE[name].suprema:
        assert 0 < entry.lower <= entry.upper
        assert (entry.upper - entry.lower) / entry.upper < Fraction(1, 10**20)


@pytest.mark.parametrize("name", SMOOTH)
@settings(max_examples=30, deadline=None)
@given(x=st.floats(-12, 12), order=st.integers(1, 8))
def test_no_derivative_exceeds_the_table(name: str, x: float, order: int) -> None:
    with mpmath.workdps(60):
        value = abs(mpmath.diff(FUNCTIONS[name], mpmath.mpf(x), order))
        upper = TABLE[name].supremum(order)[1]
        assert value <= mpmath.mpf(upper.numerator) / upper.denominator + mpmath.mpf(10) ** -15


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_the_table_is_attained_at_its_location(name: str, order: int) -> None:
    entry = TABLE[name].suprema[order - 1]
    if entry.at == "+inf":
        assert (name, order) == ("softplus", 1)
        return
    with mpmath.workdps(60):
        value = abs(mpmath.diff(FUNCTIONS[name], mpmath.mpf(entry.at), order))
        lower = mpmath.mpf(entry.lower.numerator) / entry.lower.denominator
        assert abs(value / lower - 1) < 1e-12


@pytest.mark.parametrize(("name", "order"), [
    ("gelu", 1), ("gelu", 4), ("gelu_tanh", 2), ("silu", 3), ("sigmoid", 7), ("tanh", 4),
    ("softplus", 5), ("quick_gelu", 2), ("mish", 3)])
def test_the_shipped_table_is_what_the_certifier_finds(name: str, order: int) -> None:
    found = certified_supremum(ACTIVATIONS[name], order)
    assert (found.lower, found.upper) == TABLE[name].supremum(order)


def test_numbers_of_the_theory() -> None:
    assert math.isclose(_sup("gelu", 1), 1.1289041451851547863, rel_tol=1e-15)
    assert math.isclose(_sup("gelu_tanh", 1), 1.12899306867, rel_tol=1e-11)
    assert math.isclose(_sup("silu", 1), 1.0998393201288669, rel_tol=1e-15)
    assert TABLE["silu"].suprema[0].at.startswith("2.39935728")
    assert TABLE["gelu"].suprema[0].at.startswith("1.414213562373")


def test_transformer_bounds_softplus_table_is_not_shifted() -> None:
    """Public table: order 1 given as 0.24999; the suprema of orders 1 and 2 are 1 and 1/4."""
    assert TABLE["softplus"].supremum(1) == (1, 1)
    assert TABLE["softplus"].supremum(2) == (Fraction(1, 4), Fraction(1, 4))


def test_transformer_bounds_gelu_order_2_is_sqrt_2_over_pi() -> None:
    """Public table: 0.4839."""
    lower, upper = TABLE["gelu"].supremum(2)
    with mpmath.workdps(40):
        exact = mpmath.sqrt(2 / mpmath.pi)
        assert mpmath.mpf(lower.numerator) / lower.denominator <= exact
        assert exact <= mpmath.mpf(upper.numerator) / upper.denominator
    assert math.isclose(float(upper), 0.79788, rel_tol=1e-5)


def test_transformer_bounds_gelu_order_3() -> None:
    """Public table: 0.7538."""
    assert math.isclose(_sup("gelu", 3), 0.77876, rel_tol=1.3e-5)


def test_transformer_bounds_silu_order_2_is_one_half() -> None:
    """Public table: 0.49999975, below the truth."""
    assert TABLE["silu"].supremum(2) == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "elu"])
def test_order_2_through_relu_is_refused(name: str) -> None:
    assert TABLE[name].supremum(1) == (1, 1)
    with pytest.raises(UnusableInput, match="order 1"):
        TABLE[name].supremum(2)


@pytest.mark.parametrize("name", SMOOTH)
@settings(max_examples=20, deadline=None)
@given(x=st.floats(-50, 50).filter(lambda x: abs(x) > 1e-6))
def test_growth_bounds_the_values(name: str, x: float) -> None:
    with mpmath.workdps(40):
        zero = FUNCTIONS[name](mpmath.mpf(0))
        ratio = abs(FUNCTIONS[name](mpmath.mpf(x)) - zero) / abs(mpmath.mpf(x))
        assert ratio <= mpmath.mpf(TABLE[name].growth.numerator) / TABLE[name].growth.denominator
        lower, upper = TABLE[name].at_zero
        assert mpmath.mpf(lower.numerator) / lower.denominator <= zero
        assert zero <= mpmath.mpf(upper.numerator) / upper.denominator


@pytest.mark.parametrize("name", SMOOTH)
def test_tails_decrease_below_the_suprema(name: str) -> None:
    from flint import arb, ctx

    with ctx.workprec(128):
        for order in (1, 2, 6, 12):
            tail = ACTIVATIONS[name].tail(arb(ACTIVATIONS[name].reach), order)
            lower = TABLE[name].supremum(order)[0]
            limit = float(lower) if (name, order) != ("softplus", 1) else 1.0
            assert float(tail.upper()) <= limit


@pytest.mark.parametrize("name", ["gelu", "gelu_tanh", "silu", "tanh", "mish", "sigmoid"])
def test_tail_bounds_hold_where_they_can_be_measured(name: str) -> None:
    """Closer in, where the derivatives are not yet negligible."""
    from flint import arb, ctx

    with ctx.workprec(128), mpmath.workdps(40):
        for radius in (4, 5):
            for order in (1, 2, 3, 4):
                tail = float(ACTIVATIONS[name].tail(arb(radius), order).upper())
                for x in (radius, radius + 0.5, -radius, -radius - 0.7):
                    assert abs(mpmath.diff(FUNCTIONS[name], x, order)) <= tail
