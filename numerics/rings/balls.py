"""The ring of balls: every operation encloses the true value (python-flint, Arb).

Part of the trusted core: the certificate checker propagates norms with it.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

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
