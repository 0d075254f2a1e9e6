"""Extended real intervals with Arb end points, rounded outwards.

An interval encloses the values of a function where the function is defined: that it is defined
on the domain of a claim is proved separately. `[-inf, inf]` means "no information" and never
supports a verdict.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import arb, fmpq

INF = arb("inf")
NEG = arb("-inf")
ZERO = arb(0)
ONE = arb(1)


def down(ball: arb) -> arb:
    """The lower end of a ball; a NaN gives no information."""
    end = ball.lower()
    return NEG if end.is_nan() else end


def up(ball: arb) -> arb:
    """The upper end of a ball; a NaN gives no information."""
    end = ball.upper()
    return INF if end.is_nan() else end


def _infinite(end: arb) -> bool:
    return not end.is_finite()


class Interval:
    """`[lo, hi]` with exact Arb end points, infinite ones allowed.

    >>> x = Interval(arb(0), arb(2))
    >>> (x * x - x).contains(1), (x - x).hi == 2
    (True, True)
    """

    __slots__ = ("hi", "lo")

    def __init__(self, lo: arb, hi: arb) -> None:
        self.lo, self.hi = lo, hi

    @classmethod
    def ball(cls, ball: arb) -> Interval:
        """The interval of a ball."""
        return cls(down(ball), up(ball))

    @classmethod
    def rational(cls, value: fmpq) -> Interval:
        """An enclosure of an exact rational at the current precision."""
        return cls.ball(arb(value))

    def __repr__(self) -> str:
        return f"[{self.lo.str(8, radius=False)}, {self.hi.str(8, radius=False)}]"

    def contains(self, value: int | arb) -> bool:
        """Whether a number lies inside."""
        return bool(self.lo <= value) and bool(value <= self.hi)

    @property
    def bounded(self) -> bool:
        """Whether both ends are finite."""
        return bool(self.lo.is_finite()) and bool(self.hi.is_finite())

    def hull(self, other: Interval) -> Interval:
        """The smallest interval around both."""
        return Interval(
            self.lo if self.lo <= other.lo else other.lo,
            self.hi if self.hi >= other.hi else other.hi,
        )

    def meet(self, other: Interval) -> Interval:
        """The intersection; `self` if it is empty (both enclose one non-empty set)."""
        lo = self.lo if self.lo >= other.lo else other.lo
        hi = self.hi if self.hi <= other.hi else other.hi
        return Interval(lo, hi) if lo <= hi else self

    def __add__(self, other: Interval) -> Interval:
        return Interval(_plus(self.lo, other.lo, NEG), _plus(self.hi, other.hi, INF))

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(_plus(self.lo, -other.hi, NEG), _plus(self.hi, -other.lo, INF))

    def __mul__(self, other: Interval) -> Interval:
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        if a >= 0:
            if c >= 0:
                return Interval(down(_times(a, c)), up(_times(b, d)))
            if d <= 0:
                return Interval(down(_times(b, c)), up(_times(a, d)))
            return Interval(down(_times(b, c)), up(_times(b, d)))
        if b <= 0:
            if c >= 0:
                return Interval(down(_times(a, d)), up(_times(b, c)))
            if d <= 0:
                return Interval(down(_times(b, d)), up(_times(a, c)))
            return Interval(down(_times(a, d)), up(_times(a, c)))
        if c >= 0:
            return Interval(down(_times(a, d)), up(_times(b, d)))
        if d <= 0:
            return Interval(down(_times(b, c)), up(_times(a, c)))
        ad, bc = down(_times(a, d)), down(_times(b, c))
        ac, bd = up(_times(a, c)), up(_times(b, d))
        return Interval(ad if ad <= bc else bc, ac if ac >= bd else bd)

    def inverse(self) -> Interval:
        """1/x where it is defined."""
        if self.lo > 0 or self.hi < 0:
            return Interval(down(_reciprocal(self.hi)), up(_reciprocal(self.lo)))
        if self.lo == 0 and self.hi > 0:
            return Interval(down(_reciprocal(self.hi)), INF)
        if self.hi == 0 and self.lo < 0:
            return Interval(NEG, up(_reciprocal(self.lo)))
        return WHOLE

    def __truediv__(self, other: Interval) -> Interval:
        return self * other.inverse()

    def power(self, exponent: int) -> Interval:
        """An integer power."""
        if exponent < 0:
            return self.power(-exponent).inverse()
        if exponent == 0:
            return Interval(ONE, ONE)
        if exponent == 1:
            return self
        low, high = _raise(self.lo, exponent), _raise(self.hi, exponent)
        if exponent % 2 == 1 or self.lo >= 0:
            return Interval(down(low), up(high))
        if self.hi <= 0:
            return Interval(down(high), up(low))
        top, other = up(low), up(high)
        return Interval(ZERO, top if top >= other else other)

    def increasing(
        self,
        function: Callable[[arb], arb],
        at_minus: arb | None = NEG,
        at_plus: arb | None = INF,
    ) -> Interval:
        """The image under an increasing function with the given limits at -inf and inf."""
        lo = down(at_minus if self.lo == NEG else function(self.lo))
        hi = up(at_plus if self.hi == INF else function(self.hi))
        return Interval(lo, hi)

    def clipped(self, low: arb, high: arb = INF) -> Interval | None:
        """The part inside `[low, high]`, None if there is none."""
        if self.hi < low or self.lo > high:
            return None
        lo = self.lo if self.lo >= low else low
        hi = self.hi if self.hi <= high else high
        return Interval(lo, hi)

    def absolute(self) -> Interval:
        """|x|."""
        if self.lo >= 0:
            return self
        if self.hi <= 0:
            return -self
        return Interval(ZERO, self.hi if self.hi >= -self.lo else -self.lo)

    def smaller(self, other: Interval) -> Interval:
        """min(x, y)."""
        return Interval(
            self.lo if self.lo <= other.lo else other.lo,
            self.hi if self.hi <= other.hi else other.hi,
        )

    def larger(self, other: Interval) -> Interval:
        """max(x, y)."""
        return Interval(
            self.lo if self.lo >= other.lo else other.lo,
            self.hi if self.hi >= other.hi else other.hi,
        )


WHOLE = Interval(NEG, INF)
NOTHING_KNOWN = WHOLE
UNIT = Interval(arb(-1), ONE)


def _plus(x: arb, y: arb, infinite: arb) -> arb:
    total = x + y
    if infinite is NEG:
        return down(total)
    return up(total)


def _times(x: arb, y: arb) -> arb:
    if _infinite(x) or _infinite(y):
        if x == 0 or y == 0:
            return ZERO
        return INF if (x > 0) == (y > 0) else NEG
    return x * y


def _reciprocal(x: arb) -> arb:
    return ZERO if _infinite(x) else 1 / x


def _raise(x: arb, exponent: int) -> arb:
    if _infinite(x):
        return INF if x > 0 or exponent % 2 == 0 else NEG
    return x**exponent


def exact_rational(end: arb) -> sympy.Rational:
    """A finite exact end point as a rational number."""
    mantissa, exponent = (int(part) for part in end.man_exp())
    return sympy.Integer(mantissa) * sympy.Integer(2) ** exponent


def to_rational(value: arb, digits: int) -> sympy.Rational:
    """The mid-point of a ball, rounded to about `digits` significant digits."""
    mid = value.mid()
    if mid == 0:
        return sympy.Integer(0)
    mantissa, exponent = (int(p) for p in mid.man_exp())
    excess = abs(mantissa).bit_length() - int(digits * 3.33)
    if excess > 0:
        mantissa, exponent = mantissa >> excess, exponent + excess
    return sympy.Integer(mantissa) * sympy.Integer(2) ** exponent
