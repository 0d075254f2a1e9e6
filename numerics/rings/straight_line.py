"""Compositions of short series as straight-line code, traced from the majorant calculus itself.

Rule M4 is run once on names instead of numbers; what it does is written down as one Python
function without loops and compiled. The formula stays in one place, and a composition in floats
costs little more than its multiplications.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from majorant.derivation.majorants.series import Majorant
from majorant.derivation.ring import Ring
from majorant.derivation.ring.plain import PlainRing

Composition = Callable[[Sequence[float], Sequence[float]], tuple[float, ...]]


class TraceRing(PlainRing):
    """Elements are formulas in text (`None` is 0); one that is used in a product gets a name."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def fraction(self, value: Fraction) -> str | None:
        return None if value == 0 else repr(float(value))

    def add(self, x: str | None, y: str | None) -> str | None:
        return y if x is None else x if y is None else f"{x} + {y}"

    def mul(self, x: str | None, y: str | None) -> str | None:
        return None if x is None or y is None else f"{self._atom(x)} * {self._atom(y)}"

    def tangent(self, x: str | None) -> None:
        return None

    def is_zero(self, x: str | None) -> bool:
        return x is None

    def _atom(self, formula: str) -> str:
        if " " not in formula:
            return formula
        return self.names.setdefault(formula, f"v{len(self.names)}")


@lru_cache(maxsize=256)
def composition(order: int, terms: int) -> Composition:
    """`f(outer, inner)`: Taylor coefficients 0..order of `outer(inner(t))`, in floats.

    `outer` has `order + 1` coefficients, `inner` has `terms` (its constant is ignored, further
    ones are 0), `2 <= terms <= order + 1`.

    >>> composition(3, 2)([5.0, 1.0, 1.0, 1.0], [0.0, 2.0])   # 5 + s + s^2 + s^3 at s = 2 t
    (5.0, 2.0, 4.0, 8.0)
    """
    ring = TraceRing()
    rules = cast("Ring[Any]", ring)  # composition needs no quotients, roots or maxima
    inner = [None, *(f"i{j}" for j in range(1, terms))]
    outer = [f"o{k}" for k in range(order + 1)]
    padded = (*inner, *[None] * (order + 1 - terms))
    result = Majorant(rules, padded).then(Majorant(rules, tuple(outer))).taylor
    code = [
        "def composed(outer, inner):",
        f"    {', '.join(outer)}, = outer",
        f"    _, {', '.join(str(name) for name in inner[1:])}, = inner",
        *(f"    {name} = {formula}" for formula, name in ring.names.items()),
        f"    return {', '.join(name or '0.0' for name in result)},",
    ]
    scope: dict[str, Composition] = {}
    exec(compile("\n".join(code), f"<composition {order} {terms}>", "exec"), scope)
    return scope["composed"]
