"""The table of certified suprema: `python -m majorant.numerics.activations.table FILE`."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import arb, ctx

from majorant.numerics.activations.functions import ACTIVATIONS, Activation
from majorant.numerics.activations.supremum import CertifiedSupremum, certified_supremum, decimal

ORDERS = 16

#: Piecewise linear or once differentiable: `sup |phi'| = 1`, `|phi(x)| <= |x|`, order 1 only (F3).
LIPSCHITZ_ONLY = ("relu", "leaky_relu", "elu")


def build_table(orders: int = ORDERS) -> dict[str, Any]:
    """The JSON form of `majorant.derivation.activations`: enclosures as decimals.

    >>> build_table(1)["silu"]["suprema"][0]["at"]
    '2.3993572805154'
    """
    table = {name: _entry(activation, orders) for name, activation in ACTIVATIONS.items()}
    for name in LIPSCHITZ_ONLY:
        table[name] = {"growth": "1", "at_zero": ["0", "0"], "smooth": False,
                       "suprema": [{"lower": "1", "upper": "1", "at": "any x > 0"}]}
    return table


def _entry(activation: Activation, orders: int) -> dict[str, Any]:
    with ctx.workprec(192):
        zero: arb = activation.at_zero()
        at_zero = [_text(decimal(zero, down=True)), _text(decimal(zero, down=False))]
    return {
        "growth": str(activation.growth), "at_zero": at_zero, "smooth": True,
        "suprema": [_supremum(certified_supremum(activation, k)) for k in range(1, orders + 1)],
    }


def _supremum(found: CertifiedSupremum) -> dict[str, str]:
    at = "+inf" if found.at is None else _location(found.at, found.at_radius)
    return {"lower": _text(found.lower), "upper": _text(found.upper), "at": at}


def _location(at: Fraction, radius: Fraction) -> str:
    """Decimals of the location, truncated, as far as the radius certifies them."""
    if radius == 0:
        return _text(at)
    digits = 14
    low, high = at - radius, at + radius
    while digits and int(low * 10**digits) != int(high * 10**digits):
        digits -= 1
    return _text(Fraction(int(low * 10**digits), 10**digits))


def _text(value: Fraction) -> str:
    """A fraction whose denominator divides a power of ten, as a decimal; exact."""
    sign, value = ("-" if value < 0 else ""), abs(value)
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
        if digits > 60:
            raise ValueError(f"{value}: not a short decimal")
    whole = str(int(value * 10**digits)).rjust(digits + 1, "0")
    return sign + (f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(build_table(), indent=1) + "\n", encoding="utf-8")
