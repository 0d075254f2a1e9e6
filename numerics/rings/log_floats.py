"""The ring of logarithms: a non-negative number is stored as its natural logarithm.

Products over a hundred blocks leave the range of float64; their logarithms do not. Untrusted
(rounded to nearest): the search uses it, the checker does not.
"""

from __future__ import annotations

import math
from fractions import Fraction

from majorant.derivation.ring.plain import PlainRing

INFINITE = math.inf


class LogFloatRing(PlainRing):
    """Non-negative numbers as Python floats that hold their logarithm; 0 is `-inf`.

    >>> ring = LogFloatRing()
    >>> huge = ring.mul(1000.0, 1000.0)          # exp(1000) squared
    >>> round(ring.add(huge, huge) - huge, 12)     # twice as much
    0.69314718056
    """

    def fraction(self, value: Fraction) -> float:
        if value < 0:
            raise ValueError(f"{value}: log-floats are non-negative")
        if value == 0:
            return -INFINITE
        return math.log(value.numerator) - math.log(value.denominator)

    def interval(self, lower: Fraction, upper: Fraction) -> float:
        return self.fraction(upper)

    def add(self, x: float, y: float) -> float:
        high, low = (x, y) if x >= y else (y, x)
        return high if low == -INFINITE else high + math.log1p(math.exp(low - high))

    def mul(self, x: float, y: float) -> float:
        return -INFINITE if -INFINITE in (x, y) else x + y

    def div(self, x: float, y: float) -> float:
        if y == -INFINITE:
            raise ZeroDivisionError("log-float division by zero")
        return -INFINITE if x == -INFINITE else x - y

    def sqrt(self, x: float) -> float:
        return x / 2

    def maximum(self, x: float, y: float) -> float:
        return max(x, y)

    def minimum(self, x: float, y: float) -> float:
        return min(x, y)

    def is_zero(self, x: float) -> bool:
        return x == -INFINITE
