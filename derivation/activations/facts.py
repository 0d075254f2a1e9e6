"""What a bound needs to know of an activation, as a table of certified values.

The enclosures are in `suprema.json`, which the certifier in `majorant.numerics.activations`
writes and the tests recompute.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files

from majorant.derivation.activations.closed_forms import closed_form_supremum
from majorant.derivation.errors import UnusableInput


@dataclass(frozen=True)
class Supremum:
    """`lower <= sup |phi^(order)| <= upper`, reached (or approached) near `at`."""

    order: int
    lower: Fraction
    upper: Fraction
    at: str


@dataclass(frozen=True)
class ActivationFacts:
    """`growth` is `A_phi >= sup |phi(x) - phi(0)| / |x|`, `at_zero` encloses `|phi(0)|`.

    `suprema[k-1]` encloses `sup |phi^(k)|`; `smooth` is False where only order 1 exists (ReLU).
    """

    name: str
    growth: Fraction
    at_zero: tuple[Fraction, Fraction]
    suprema: tuple[Supremum, ...]
    smooth: bool = True

    def supremum(self, order: int) -> tuple[Fraction, Fraction]:
        """Enclosure of `sup |phi^(order)|`; `UnusableInput` where there is none.

        Beyond the table the lower end is 0 and the upper one the closed form of F1 or F2.

        >>> activation_table()["relu"].supremum(2)  # doctest: +NORMALIZE_WHITESPACE
        Traceback (most recent call last):
            ...
        majorant.derivation.errors.UnusableInput: relu: has no derivative of order 2 (F3);
        only order 1 (Lipschitz) bounds pass through it; softplus, silu and gelu have all orders
        """
        if order > 1 and not self.smooth:
            raise UnusableInput(f"{self.name}: has no derivative of order {order} (F3); only "
                                "order 1 (Lipschitz) bounds pass through it; softplus, silu and "
                                "gelu have all orders")
        if order < 1:
            raise UnusableInput(f"{self.name}: orders start at 1, not {order}")
        if order > len(self.suprema):
            return Fraction(0), closed_form_supremum(self.name, order)
        entry = self.suprema[order - 1]
        return entry.lower, entry.upper


@lru_cache(maxsize=1)
def activation_table() -> dict[str, ActivationFacts]:
    """All activations by name.

    >>> lower, upper = activation_table()["gelu"].supremum(1)
    >>> float(lower) <= 1.1289041451851548 <= float(upper)
    True
    """
    text = (files("majorant.derivation.activations") / "suprema.json").read_text("utf-8")
    table = {}
    for name, entry in json.loads(text).items():
        suprema = tuple(
            Supremum(order, Fraction(item["lower"]), Fraction(item["upper"]), item["at"])
            for order, item in enumerate(entry["suprema"], start=1)
        )
        lower, upper = entry["at_zero"]
        table[name] = ActivationFacts(
            name, Fraction(entry["growth"]), (Fraction(lower), Fraction(upper)), suprema,
            entry.get("smooth", True))
    return table
