"""The numbers that a propagation reads: norms of both sides, activation constants, strength."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import sympy as sp

from majorant.derivation.activations.facts import ActivationFacts
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network.stages import Parameter
from majorant.derivation.ring import Ring, evaluate

Constants = Literal["sharp", "series", "crude"]


@dataclass(frozen=True)
class Context:
    """`own`: norms of the network itself (Lipschitz constants); `upper`: of network and centres.

    Both map parameter ids (and the ids of extra numbers, such as the input radius) to ring
    elements. `phi` maps activation names to ring elements `(L_phi, A_phi, |phi(0)|)`.
    """

    ring: Ring[Any]
    own: Mapping[str, Any]
    upper: Mapping[str, Any]
    phi: Mapping[str, tuple[Any, Any, Any]]
    constants: Constants = "sharp"

    def value(self, expr: sp.Expr, values: Mapping[sp.Basic, Any]) -> Any:
        """A lemma's expression at ring elements."""
        return evaluate(expr, values, self.ring)

    def number(self, value: int | str | Fraction) -> Any:
        """A rational, given as an integer, a decimal or a fraction."""
        return self.ring.fraction(Fraction(value))

    def norm(self, parameter: Parameter | str | None, centre: bool = False) -> Any:
        """The norm of a parameter, 0 for an absent one (a bias that the model has not)."""
        if parameter is None:
            return self.number(0)
        key = parameter if isinstance(parameter, str) else parameter.id
        norms = self.upper if centre else self.own
        if key not in norms:
            raise UnusableInput(f"{key}: no norm was given for this parameter of the network")
        return norms[key]

    def activation(self, name: str) -> tuple[Any, Any, Any]:
        """`(L_phi, A_phi, |phi(0)|)`; `UnusableInput` lists the known activations."""
        if name not in self.phi:
            raise UnusableInput(
                f"activation {name!r}: unknown. Known: {', '.join(sorted(self.phi))}"
            )
        return self.phi[name]


def activation_constants(
    ring: Ring[Any], table: Mapping[str, ActivationFacts]
) -> dict[str, tuple[Any, Any, Any]]:
    """`(L_phi, A_phi, |phi(0)|)` of each activation in the ring, from certified enclosures."""
    return {
        name: (
            ring.interval(*facts.supremum(1)),
            ring.fraction(facts.growth),
            ring.interval(*facts.at_zero),
        )
        for name, facts in table.items()
    }
