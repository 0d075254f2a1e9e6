"""Outer majorants of activations and normalizations on the ball of the incoming radius."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial
from typing import Any

import sympy as sp

from majorant.derivation import symbols as s
from majorant.derivation.activations.facts import ActivationFacts
from majorant.derivation.attention.cumulants import Cumulants, softmax_taylor
from majorant.derivation.blocks import feed_forward as ff
from majorant.derivation.blocks.normalization import NORMALIZATION_RADIUS
from majorant.derivation.errors import UnusableInput
from majorant.derivation.layer_norm import normalization_taylor, radial_coefficient
from majorant.derivation.majorants.series import Majorant
from majorant.derivation.network.stages import Normalization, Parameter
from majorant.derivation.ring import Ring, evaluate


@dataclass(frozen=True)
class SeriesContext:
    """Norms by id, the activation table and the cumulant sequence of a series propagation."""

    ring: Ring[Any]
    norms: Mapping[str, Any]
    activations: Mapping[str, ActivationFacts]
    cumulants: Cumulants
    _outer: dict[Any, Majorant] = field(default_factory=dict, compare=False)

    def softmax(self, order: int) -> Majorant:
        """`M_LSE'` up to `order`, converted to the ring once."""
        if order not in self._outer:
            self._outer[order] = Majorant(self.ring, tuple(
                self.ring.interval(*ends) for ends in softmax_taylor(order, self.cumulants)))
        return self._outer[order]

    def norm(self, parameter: Parameter | str | None) -> Any:
        """The norm of a parameter, 0 for an absent one."""
        if parameter is None:
            return self.number(0)
        key = parameter if isinstance(parameter, str) else parameter.id
        if key not in self.norms:
            raise UnusableInput(f"{key}: no norm was given for this parameter of the network")
        return self.norms[key]

    def number(self, value: int | str | Fraction) -> Any:
        """A rational, given as an integer, a decimal or a fraction."""
        return self.ring.fraction(Fraction(value))

    def value(self, expr: sp.Expr, values: Mapping[sp.Basic, Any]) -> Any:
        """A lemma's expression at ring elements."""
        return evaluate(expr, values, self.ring)


def activation_outer(name: str, inner: Majorant, width: int, context: SeriesContext) -> Majorant:
    """`a_k t^k/k!` (F1-F3) with the value bound of 1.4 on rows of `width` entries.

    `width = 1` bounds the largest entry instead of the Euclidean norm (a gate).
    """
    if name not in context.activations:
        raise UnusableInput(f"activation {name!r}: unknown. Known: "
                            f"{', '.join(sorted(context.activations))}")
    facts, ring = context.activations[name], context.ring
    values = context.value(ff.POINTWISE_RADIUS.rhs, {
        s.A_phi: ring.fraction(facts.growth), s.b: ring.plain(inner.taylor[0]),
        s.phi_0: ring.interval(*facts.at_zero), s.N_ff: context.number(width)})
    order = inner.order + ring.extra_orders
    return Majorant(ring, (values, *(
        ring.interval(*(end / factorial(k) for end in facts.supremum(k)))
        for k in range(1, order + 1))))


def normalization_outer(stage: Normalization, inner: Majorant,
                        context: SeriesContext) -> Majorant:
    """F4 on rows whose variance is at least the floor (the sharper constants if there is none).

    The bias is added by the caller.
    """
    ring = context.ring
    if stage.floor is None and Fraction(stage.eps) == 0:
        raise UnusableInput(f"{stage.name}: eps is 0 and no variance floor is known, so this "
                            "normalization is not Lipschitz")
    gain = context.number(1) if stage.gain is None else context.norm(stage.gain)
    values = {s.G_gain: gain, s.N: context.number(stage.width),
              s.eps_norm: context.number(stage.eps), s.v_floor: context.norm(stage.floor)}
    radius = context.value(NORMALIZATION_RADIUS.rhs, {**values, s.B_bias: context.number(0)})
    # the slope is common to all orders: one division per normalization
    step = context.value(_STEP, values)
    taylor, power = [radius], context.value(_FIRST, values)
    for k in range(1, inner.order + ring.extra_orders + 1):
        coefficient = radial_coefficient(k, stage.floor is not None)
        taylor.append(ring.mul(context.value(coefficient, {}), power))
        power = ring.mul(power, step)
    return Majorant(ring, tuple(taylor))


#: `normalization_taylor(k) = radial_coefficient(k) * _FIRST * _STEP^(k-1)`.
_FIRST = normalization_taylor(1)
_STEP = 1 / sp.sqrt(s.N * (s.v_floor + s.eps_norm))
