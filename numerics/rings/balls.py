"""The ring of balls: every operation encloses the true value (python-flint, Arb).

Part of the trusted core: the certificate checker propagates norms with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, arb_series, ctx, fmpq

from majorant.derivation.ring.plain import PlainRing


class BallRing(PlainRing):
    """Arb balls at the precision of `flint.ctx`, which the caller sets.

    >>> ring = BallRing()
    >>> root = ring.sqrt(ring.fraction(Fraction(2)))
    >>> bool(root**2 > 1.9999) and bool((root**2).contains(2))
    True
    """

    def fraction(self, value: Fraction) -> arb:
        return arb(fmpq(value.numerator, value.denominator))

    def interval(self, lower: Fraction, upper: Fraction) -> arb:
        return self.fraction(lower).union(self.fraction(upper))

    def add(self, x: arb, y: arb) -> arb:
        return x + y

    def mul(self, x: arb, y: arb) -> arb:
        return x * y

    def div(self, x: arb, y: arb) -> arb:
        return x / y

    def sqrt(self, x: arb) -> arb:
        return x.sqrt()

    def maximum(self, x: arb, y: arb) -> arb:
        return x.max(y)

    def minimum(self, x: arb, y: arb) -> arb:
        return x.min(y)

    def is_zero(self, x: arb) -> bool:
        return bool(x.is_zero())

    def compose(self, outer: Sequence[arb], inner: Sequence[arb], order: int) -> list[arb]:
        """Arb's composition of power series."""
        old, ctx.cap = ctx.cap, order + 1
        try:
            series = arb_series(list(outer[:order + 1]), order + 1)(
                arb_series(list(inner[:order + 1]), order + 1))
            return [series[k] for k in range(order + 1)]
        finally:
            ctx.cap = old
