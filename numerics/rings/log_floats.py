"""The ring of logarithms: a non-negative number is stored as its natural logarithm.

Products over a hundred blocks leave the range of float64; their logarithms do not. Untrusted
(rounded to nearest): the search uses it, the checker does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from majorant.derivation.ring.plain import PlainRing
from majorant.numerics.rings.straight_line import composition

# A composition in scaled floats is kept where every coefficient is far from underflow: then what
# was rounded to 0 on the way is below 1e-20 of it.
SMALLEST = 1e-280
INFINITE = math.inf


class LogFloatRing(PlainRing):
    """Non-negative numbers as Python floats that hold their logarithm; 0 is `-inf`.

    >>> ring = LogFloatRing()
    >>> huge = ring.mul(1000.0, 1000.0)          # exp(1000) squared
    >>> round(ring.add(huge, huge) - huge, 12)     # twice as much
    0.69314718056
    """

    #: The composition in plain floats, by order and number of inner terms.
    composition = staticmethod(composition)

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

    def compose(self, outer: Sequence[float], inner: Sequence[float],
                order: int) -> list[float] | None:
        """Composition in plain floats: `t` and the outer values are scaled so that all are <= 1.

        None where a coefficient could have been lost to underflow.
        """
        powers = range(1, len(inner))
        slope = max(inner[j] / j for j in powers)
        height = max(outer[1:order + 1])
        if not (math.isfinite(slope) and math.isfinite(height)):
            return None
        exp, log = math.exp, math.log
        scaled = self.composition(order, len(inner))(
            [0.0, *(exp(x - height) for x in outer[1:order + 1])],
            [0.0, *(exp(inner[j] - j * slope) for j in powers)])
        if min(scaled[1:]) < SMALLEST:
            return None
        return [outer[0], *(log(scaled[k]) + height + k * slope for k in range(1, order + 1))]
