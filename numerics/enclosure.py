"""A ball as plain numbers: outward ends that fit a float, and decimal logarithms that always do."""

from __future__ import annotations

import math
from typing import Any

from flint import arb


def ends(ball: arb) -> dict[str, Any]:
    """`lower`, `upper` (null beyond float range) and `log10_lower`, `log10_upper`.

    The number is known to be non-negative, so a lower end below 0 is 0. Floats are rounded
    outward. The logarithm of 0 is null.

    >>> found = ends(arb(10) ** 400)
    >>> found["upper"], round(found["log10_upper"], 6)
    (None, 400.0)
    """
    low, high = _float(ball.lower().max(arb(0)), -math.inf), _float(ball.upper(), math.inf)
    return {"lower": low, "upper": high,
            "log10_lower": _log10(ball.lower(), -math.inf),
            "log10_upper": _log10(ball.upper(), math.inf)}


def _float(end: arb, towards: float) -> float | None:
    """The double next to `end` on the outer side, `None` if it is not finite."""
    if not end.is_finite():
        return None
    value = float(end.mid())
    exact = arb(value)
    if not math.isfinite(value):
        return None
    outside = exact <= end if towards < 0 else exact >= end
    return value if outside else math.nextafter(value, towards)


def _log10(end: arb, towards: float) -> float | None:
    if not end > 0:
        return None
    logarithm = end.log() / arb(10).log()
    return _float(logarithm.lower() if towards < 0 else logarithm.upper(), towards)
