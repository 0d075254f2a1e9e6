"""Exact upper ends of balls, for quantities that become part of a class."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from majorant.derivation.errors import UnusableInput


def rational_above(ball: arb) -> Fraction:
    """A rational just above the upper end of a finite ball.

    >>> rational_above(arb(3))
    Fraction(3, 1)
    """
    if not ball.is_finite():
        raise UnusableInput("a norm of the checkpoint is not finite")
    mantissa, exponent = ball.upper().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
