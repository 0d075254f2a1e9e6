"""Ranges: exact lower and upper ends of an expression, with open and closed ends.

The sign of an expression is read off its range. Ends are exact SymPy numbers or infinities;
whenever a comparison cannot be decided the range is widened, never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import sympy as sp

from majorant.derivation.errors import MajorantError

Sign = Literal["positive", "nonnegative", "zero", "nonpositive", "negative", "unknown"]


def certainly(condition: object) -> bool:
    """True only if `condition` is decided and true (an undecided relation is not)."""
    return condition is True or condition == sp.true


@dataclass(frozen=True)
class Range:
    """`lo <= x <= hi`, strict where the end is open; ends are extended reals.

    >>> Range(sp.Integer(0), sp.oo, lo_open=True).sign
    'positive'
    >>> (Range.point(1) - Range(sp.Integer(0), sp.Integer(1), True, True)).sign
    'positive'
    """

    lo: sp.Expr
    hi: sp.Expr
    lo_open: bool = False
    hi_open: bool = False

    @staticmethod
    def point(value: object) -> Range:
        """The range of one number."""
        number = sp.sympify(value)
        return Range(number, number)

    @staticmethod
    def unknown() -> Range:
        """No information: all of the real line."""
        return Range(-sp.oo, sp.oo, True, True)

    @staticmethod
    def above(value: object, strict: bool = False) -> Range:
        """`[value, oo)`, or `(value, oo)` when strict."""
        return Range(sp.sympify(value), sp.oo, strict, True)

    @property
    def sign(self) -> Sign:
        """The strongest sign that the ends show."""
        if self.at_least(0) and self.at_most(0):
            return "zero"
        if self.at_least(0, strict=True):
            return "positive"
        if self.at_most(0, strict=True):
            return "negative"
        if self.at_least(0):
            return "nonnegative"
        return "nonpositive" if self.at_most(0) else "unknown"

    def at_least(self, value: object, strict: bool = False) -> bool:
        """Whether every member is certainly `>= value` (`> value` when strict)."""
        bound = sp.sympify(value)
        if certainly(self.lo > bound):
            return True
        return certainly(sp.Eq(self.lo, bound)) and (self.lo_open or not strict)

    def at_most(self, value: object, strict: bool = False) -> bool:
        """Whether every member is certainly `<= value` (`< value` when strict)."""
        return (-self).at_least(-sp.sympify(value), strict)

    def __neg__(self) -> Range:
        return Range(-self.hi, -self.lo, self.hi_open, self.lo_open)

    def __add__(self, other: Range) -> Range:
        lo = -sp.oo if -sp.oo in (self.lo, other.lo) else self.lo + other.lo
        hi = sp.oo if sp.oo in (self.hi, other.hi) else self.hi + other.hi
        return Range(lo, hi, self.lo_open or other.lo_open, self.hi_open or other.hi_open)

    def __sub__(self, other: Range) -> Range:
        return self + (-other)

    def __mul__(self, other: Range) -> Range:
        corners = []
        for x, x_open in ((self.lo, self.lo_open), (self.hi, self.hi_open)):
            for y, y_open in ((other.lo, other.lo_open), (other.hi, other.hi_open)):
                if x == 0 or y == 0:
                    attained = (x == 0 and not x_open) or (y == 0 and not y_open)
                    corners.append((sp.Integer(0), not attained))
                else:
                    corners.append((x * y, x_open or y_open))
        lo, lo_open = _least(corners)
        hi, hi_open = _least([(-value, is_open) for value, is_open in corners])
        return Range(lo, -hi, lo_open, hi_open)

    def reciprocal(self) -> Range:
        """Range of `1/x`; nothing is known if 0 may be a member."""
        if self.at_least(0, strict=True):
            lo = sp.Integer(0) if self.hi == sp.oo else 1 / self.hi
            hi = sp.oo if self.lo == 0 else 1 / self.lo
            return Range(lo, hi, self.hi_open, self.lo_open)
        if self.at_most(0, strict=True):
            return -((-self).reciprocal())
        return Range.unknown()

    def intersect(self, other: Range) -> Range:
        """Members of both; the ranges must come from statements that hold together."""
        lo, lo_open = self.lo, self.lo_open
        if certainly(other.lo > lo) or (other.lo == lo and other.lo_open):
            lo, lo_open = other.lo, other.lo_open
        hi, hi_open = self.hi, self.hi_open
        if certainly(other.hi < hi) or (other.hi == hi and other.hi_open):
            hi, hi_open = other.hi, other.hi_open
        if certainly(lo > hi) or (lo == hi and (lo_open or hi_open)):
            raise MajorantError(f"hypotheses contradict each other: {self} and {other}")
        return Range(lo, hi, lo_open, hi_open)

    def union(self, other: Range) -> Range:
        """The smallest range that contains both."""
        lo, lo_open = _least([(self.lo, self.lo_open), (other.lo, other.lo_open)])
        hi, hi_open = _least([(-self.hi, self.hi_open), (-other.hi, other.hi_open)])
        return Range(lo, -hi, lo_open, hi_open)


def _least(ends: list[tuple[sp.Expr, bool]]) -> tuple[sp.Expr, bool]:
    """The least end; a closed end wins a tie; an undecided comparison gives -oo."""
    value, is_open = ends[0]
    for other, other_open in ends[1:]:
        if certainly(other < value):
            value, is_open = other, other_open
        elif certainly(sp.Eq(other, value)):
            is_open = is_open and other_open
        elif not certainly(other > value):
            return -sp.oo, True
    return value, is_open
