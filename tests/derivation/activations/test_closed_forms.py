"""F1, F2: closed forms lie above the certified suprema, and continue them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp

from majorant.derivation.activations import activation_table
from majorant.derivation.activations.closed_forms import CLOSED_FORMS, closed_form_supremum
from majorant.derivation.errors import UnusableInput


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_closed_forms_lie_above_the_certified_suprema(name: str) -> None:
    facts = activation_table()[name]
    for k in range(2, len(facts.suprema) + 1):
        entry, closed = facts.suprema[k - 1], closed_form_supremum(name, k)
        assert entry.lower <= closed
        assert entry.upper <= closed * (1 + Fraction(1, 10**20))  # equal for GELU at even orders


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_orders_beyond_the_table_use_the_closed_form(name: str) -> None:
    facts = activation_table()[name]
    k = len(facts.suprema) + 3
    lower, upper = facts.supremum(k)
    assert lower == 0
    assert upper == closed_form_supremum(name, k)


def test_every_smooth_activation_has_a_closed_form() -> None:
    smooth = {name for name, facts in activation_table().items() if facts.smooth}
    assert set(CLOSED_FORMS) == smooth
    with pytest.raises(UnusableInput, match="no closed form"):
        closed_form_supremum("sine", 17)


@pytest.mark.parametrize("k", range(2, 13))
def test_gelu_is_exact_at_even_orders(k: int) -> None:
    """Derivatives as Hermite polynomials times the density; even orders are largest at 0."""
    x = sp.Symbol("x")
    values = sp.lambdify(x, sp.hermite_prob(k, x) - sp.hermite_prob(k - 2, x))
    at = [abs(values(j / 50)) * math.exp(-(j / 50) ** 2 / 2) / math.sqrt(2 * math.pi)
          for j in range(600)]
    bound = float(closed_form_supremum("gelu", k))
    assert max(at) <= bound * (1 + 1e-12)
    if k % 2 == 0:
        assert at[0] == pytest.approx(bound, rel=1e-12)
    else:
        assert max(at) >= 0.5 * bound
