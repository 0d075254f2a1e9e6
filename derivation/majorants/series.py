"""Truncated majorants `M(t) = sum_k m_k t^k/k!` and the rules M1-M5, over any ring.

`m_k` bounds the k-th derivative of a map in operator norm, `m_0` its values. A map that is only
Lipschitz (a projection, ReLU) has no majorant beyond order 1; asking for one is an error (M6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

from majorant.derivation.errors import MajorantError, UnusableInput
from majorant.derivation.ring import Ring, total


@dataclass(frozen=True)
class Majorant:
    """Taylor coefficients `m_k / k!`, `k = 0..order`, in a ring.

    >>> import sympy as sp
    >>> from majorant.derivation.ring import ExactRing
    >>> b, C = sp.symbols("b C", positive=True)
    >>> x = Majorant.identity(ExactRing(), b, order=2)
    >>> form = (x.times(x)).scaled(C)          # majorant of the bilinear map x -> x Q x^T
    >>> [form.bound(k) for k in range(3)]
    [C*b**2, 2*C*b, 2*C]
    """

    ring: Ring[Any]
    taylor: tuple[Any, ...]

    @staticmethod
    def identity(ring: Ring[Any], radius: Any, order: int) -> Majorant:
        """Majorant `b + t` of the identity on the ball of radius `b`. Raises for `order < 1`."""
        if order < 1:
            raise MajorantError(f"order: expected an integer >= 1, got {order}")
        one, zero = ring.fraction(Fraction(1)), ring.fraction(Fraction(0))
        return Majorant(ring, (radius, one, *([zero] * (order - 1))))

    @property
    def order(self) -> int:
        return len(self.taylor) - 1

    def bound(self, k: int) -> Any:
        """`m_k`: the bound on the k-th derivative (on the values for `k = 0`)."""
        return self.ring.mul(self.ring.fraction(Fraction(factorial(k))), self.taylor[k])

    def plus(self, other: Majorant) -> Majorant:
        """M1: the majorant of a sum."""
        return Majorant(self.ring, tuple(
            self.ring.add(x, y) for x, y in zip(self.taylor, other.taylor, strict=True)))

    def shifted(self, norm: Any) -> Majorant:
        """The majorant of `f + constant` with a constant of this norm."""
        return self.with_values(self.ring.add(self.taylor[0], norm))

    def scaled(self, norm: Any) -> Majorant:
        """M2: the majorant after a linear map of this norm."""
        return Majorant(self.ring, tuple(self.ring.mul(norm, x) for x in self.taylor))

    def times(self, other: Majorant) -> Majorant:
        """M3: the majorant of a bilinear product of norm 1 (Leibniz)."""
        ring, n = self.ring, min(self.order, other.order)
        first, second = self._degree(), other._degree()  # values of a head have degree 1
        return Majorant(ring, tuple(
            total(ring, (ring.mul(self.taylor[j], other.taylor[k - j])
                         for j in range(max(0, k - second), min(k, first) + 1)))
            for k in range(n + 1)))

    def then(self, outer: Majorant) -> Majorant:
        """M4: the majorant of `g o f`, where `outer` majorizes `g` on a set with f's range.

        `outer` must reach `order + ring.extra_orders`: with dual numbers the value of `f` moves
        with the weights, which costs one derivative of `g`.
        """
        ring = self.ring
        needed = self.order + ring.extra_orders
        if outer.order < needed:
            raise MajorantError(f"composition at order {self.order} needs the outer majorant to "
                                f"order {needed}, it stops at {outer.order}")
        inner = self.increment()
        faster = ring.compose(outer.taylor, inner, self.order)
        if faster is not None:
            return Majorant(ring, tuple(faster))
        result = [outer.taylor[needed]]
        for k in range(needed - 1, -1, -1):
            # k factors t are still to come, so the terms beyond order - k are never used
            last = self.order - k if ring.extra_orders == 0 else self.order
            result = _times_increment(ring, result, inner, last)
            result[0] = ring.add(result[0], outer.taylor[k])
        return Majorant(ring, tuple(result))

    def increment(self) -> tuple[Any, ...]:
        """`M(t) - M(0)`; what remains of the constant is its movement with the weights.

        Zeros at the end are left out: the logits of a head are quadratic.
        """
        return (self.ring.tangent(self.taylor[0]), *self.taylor[1:self._degree() + 1])

    def _degree(self) -> int:
        """The order of the last coefficient that is not certainly 0, at least 1."""
        last = self.order
        while last > 1 and self.ring.is_zero(self.taylor[last]):
            last -= 1
        return last

    def argument_scaled(self, factor: Any) -> Majorant:
        """M5: the majorant of `x -> f(c x)`, `factor = |c|`, in its terms with `k >= 1`."""
        power, result = self.ring.fraction(Fraction(1)), []
        for x in self.taylor:
            result.append(self.ring.mul(power, x))
            power = self.ring.mul(power, factor)
        return Majorant(self.ring, tuple(result))

    def with_values(self, norm: Any) -> Majorant:
        """The same derivatives with another bound on the values."""
        return Majorant(self.ring, (norm, *self.taylor[1:]))

    def truncated(self, order: int) -> Majorant:
        """The first coefficients, up to `order`."""
        return Majorant(self.ring, self.taylor[:order + 1])

    def stacked(self, others: Sequence[Majorant]) -> Majorant:
        """The majorant of the concatenation of this map with others, in the Euclidean norm."""
        rows = zip(self.taylor, *(other.taylor for other in others), strict=True)
        return Majorant(self.ring, tuple(self.ring.stack(row) for row in rows))


def _times_increment(ring: Ring[Any], series: list[Any], inner: tuple[Any, ...],
                     order: int) -> list[Any]:
    """`series * inner`, truncated; the constant of `inner` is 0 or infinitesimal."""
    first = 1 if ring.extra_orders == 0 else 0
    add, mul = ring.add, ring.mul
    size = min(order, len(series) + len(inner) - 2)
    result = [ring.fraction(Fraction(0))] * (size + 1)
    for k in range(first, size + 1):
        lowest = max(first, k - len(series) + 1)
        term = mul(series[k - lowest], inner[lowest])
        for j in range(lowest + 1, min(k, len(inner) - 1) + 1):
            term = add(term, mul(series[k - j], inner[j]))
        result[k] = term
    return result


def refuse_beyond_lipschitz(what: str, order: int) -> None:
    """Raise `UnusableInput` if `order >= 2` is asked of a map that is only Lipschitz (M6)."""
    if order >= 2:
        raise UnusableInput(
            f"{what} is Lipschitz but not smooth: order {order} derivatives do not pass through "
            "it (M6). Ask for order 1, or use a smooth counterpart")
