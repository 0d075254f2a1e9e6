"""F1, F2: closed forms lie above the certified suprema, and continue them."""

from __future__ import annotations

import math

import pytest
import sympy as sp

from majorant.derivation.activations import activation_table
from majorant.derivation.activations.closed_forms import CLOSED_FORMS, closed_form_supremum
from majorant.derivation.errors import UnusableInput


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_closed_forms_lie_above_the_certified_suprema(name: str) -> None:
    facts = activation_table()[name]
    for k in range(2, len(facts.suprema) + 1):
        assert facts.suprema[k - 1].upper <= closed_form_supremum(name, k)


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


def test_the_hermite_constant_is_one() -> None:
    """Cramer's 1.0865 is not needed: checked where the maximum can be seen, n <= 12."""
    x = sp.Symbol("x")
    for n in range(13):
        hermite = sp.Poly(sp.hermite_prob(n, x), x)
        values = sp.lambdify(x, hermite.as_expr())
        largest = max(abs(values(j / 50)) * math.exp(-(j / 50) ** 2 / 4) for j in range(600))
        assert largest <= math.sqrt(math.factorial(n)) * (1 + 1e-12)
        if n:
            assert largest >= 0.5 * math.sqrt(math.factorial(n))
