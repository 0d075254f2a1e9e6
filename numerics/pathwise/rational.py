"""Exact upper ends of balls, for quantities that become part of a class."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from majorant.derivation.errors import UnusableInput
from majorant.numerics.lowering.balls import ends


def rational_above(ball: arb) -> Fraction:
    """A rational just above the upper end of a finite ball.

    >>> rational_above(arb(3))
    Fraction(3, 1)
    """
    if not ball.is_finite():
        raise UnusableInput("a norm of the checkpoint is not finite")
    return ends(ball)[1]
