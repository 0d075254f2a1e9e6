"""Dual numbers over a ring: bounds together with how far they move with each weight (P5).

A majorant with dual coefficients carries, beside the bound on `D_k(f)`, a bound on `D_k` of the
derivative of `f` in each parameter, per unit of that parameter. Two rules differ from the formal
ones, because tangents bound other quantities than values do: the value of an inner function
moves too, so a composition reads one more order of the outer function (`extra_orders`); and of
stacked outputs only those move that use the parameter (`stack`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from majorant.derivation.errors import MajorantError
from majorant.derivation.ring import Ring


@dataclass(frozen=True)
class Dual:
    """A value and its tangents by parameter id (absent: 0)."""

    value: Any
    tangents: Mapping[str, Any] = field(default_factory=dict)


class DualRing:
    """First-order dual numbers with many infinitesimals over `base`.

    >>> from majorant.derivation.ring import ExactRing
    >>> ring = DualRing(ExactRing())
    >>> x = ring.variable("x", 3)
    >>> ring.mul(x, x)
    Dual(value=9, tangents={'x': 6})
    """

    extra_orders = 1

    def __init__(self, base: Ring[Any]) -> None:
        self.base = base
        self._zero = base.fraction(Fraction(0))

    def variable(self, id: str, value: Any) -> Dual:
        """The norm of parameter `id`, which may move."""
        return Dual(value, {id: self.base.fraction(Fraction(1))})

    def constant(self, value: Any) -> Dual:
        """A number that does not move."""
        return Dual(value)

    def fraction(self, value: Fraction) -> Dual:
        return Dual(self.base.fraction(value))

    def interval(self, lower: Fraction, upper: Fraction) -> Dual:
        return Dual(self.base.interval(lower, upper))

    def add(self, x: Dual, y: Dual) -> Dual:
        return Dual(self.base.add(x.value, y.value), self._merge(x.tangents, y.tangents))

    def mul(self, x: Dual, y: Dual) -> Dual:
        return Dual(self.base.mul(x.value, y.value),
                    self._merge(self._scaled(y.value, x.tangents),
                                self._scaled(x.value, y.tangents)))

    def div(self, x: Dual, y: Dual) -> Dual:
        self._still(y, "a divisor")
        return Dual(self.base.div(x.value, y.value),
                    {key: self.base.div(t, y.value) for key, t in x.tangents.items()})

    def sqrt(self, x: Dual) -> Dual:
        self._still(x, "a square root")
        return Dual(self.base.sqrt(x.value))

    def maximum(self, x: Dual, y: Dual) -> Dual:
        return self._choose(self.base.maximum, x, y)

    def minimum(self, x: Dual, y: Dual) -> Dual:
        return self._choose(self.base.minimum, x, y)

    def plain(self, x: Dual) -> Dual:
        return Dual(x.value)

    def tangent(self, x: Dual) -> Dual:
        return Dual(self._zero, x.tangents)

    def is_zero(self, x: Dual) -> bool:
        return not x.tangents and self.base.is_zero(x.value)

    def with_value(self, x: Dual, value: Dual) -> Dual:
        return Dual(value.value, x.tangents)

    def compose(self, outer: Sequence[Dual], inner: Sequence[Dual], order: int) -> None:
        return None

    def stack(self, parts: Sequence[Dual]) -> Dual:
        keys = dict.fromkeys(key for part in parts for key in part.tangents)
        return Dual(self.base.stack([part.value for part in parts]), {
            key: self.base.stack([part.tangents[key] for part in parts if key in part.tangents])
            for key in keys})

    def _merge(self, x: Mapping[str, Any], y: Mapping[str, Any]) -> dict[str, Any]:
        result = dict(x)
        for key, value in y.items():
            result[key] = self.base.add(result[key], value) if key in result else value
        return result

    def _scaled(self, factor: Any, tangents: Mapping[str, Any]) -> dict[str, Any]:
        return {key: self.base.mul(factor, value) for key, value in tangents.items()}

    def _choose(self, pick: Callable[[Any, Any], Any], x: Dual, y: Dual) -> Dual:
        self._still(x, "a maximum or minimum")
        self._still(y, "a maximum or minimum")
        return Dual(pick(x.value, y.value))

    def _still(self, x: Dual, what: str) -> None:
        if x.tangents:
            raise MajorantError(f"{what} of a number that moves with {', '.join(x.tangents)} has "
                                "no tangent in this calculus")
