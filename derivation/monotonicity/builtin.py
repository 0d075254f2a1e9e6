"""Facts about SymPy's own functions: range of the value, direction in each argument.

Each row is stated for its own function and tested against samples; nothing is inherited.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sympy as sp

from majorant.derivation.ranges import Range

Ranges = Sequence[Range]
ZERO, ONE = sp.Integer(0), sp.Integer(1)


@dataclass(frozen=True)
class FunctionFacts:
    """`value(ranges)`, and +1, -1 or None for the direction in argument `i`."""

    value: Callable[[Ranges], Range]
    slope: Callable[[int, Ranges], int | None]


def image(function: type, x: Range, lowest: sp.Expr, highest: sp.Expr) -> Range:
    """Image of a range under an increasing function with limits `lowest`, `highest`."""
    lo = lowest if x.lo == -sp.oo else function(x.lo)
    hi = highest if x.hi == sp.oo else function(x.hi)
    return Range(lo, hi, x.lo_open or x.lo == -sp.oo, x.hi_open or x.hi == sp.oo)


def everywhere(
    function: type, lowest: sp.Expr = -sp.oo, highest: sp.Expr = sp.oo
) -> FunctionFacts:
    """An increasing function on the whole line."""
    return FunctionFacts(
        lambda ranges: image(function, ranges[0], lowest, highest), lambda i, ranges: 1
    )


def log_facts() -> FunctionFacts:
    """`log` increases on `x > 0`, and is undefined elsewhere."""

    def value(ranges: Ranges) -> Range:
        x = ranges[0]
        if not x.at_least(0):
            return Range.unknown()
        lo = -sp.oo if x.lo == 0 else sp.log(x.lo)
        hi = sp.oo if x.hi == sp.oo else sp.log(x.hi)
        return Range(lo, hi, x.lo_open or x.lo == 0, x.hi_open or x.hi == sp.oo)

    return FunctionFacts(
        value, lambda i, ranges: 1 if ranges[0].at_least(0, strict=True) else None
    )


def steps(function: type) -> FunctionFacts:
    """`floor` and `ceiling`: non-decreasing, ends attained even where the argument's are not."""

    def value(ranges: Ranges) -> Range:
        x = ranges[0]
        below = -sp.oo if x.lo == -sp.oo else sp.floor(x.lo)
        above = sp.oo if x.hi == sp.oo else sp.ceiling(x.hi)
        if function is sp.ceiling and x.lo != -sp.oo:
            below = sp.floor(x.lo) + 1 if x.lo_open else sp.ceiling(x.lo)
        if function is sp.floor and x.hi != sp.oo:
            above = sp.ceiling(x.hi) - 1 if x.hi_open else sp.floor(x.hi)
        return Range(below, above, below == -sp.oo, above == sp.oo)

    return FunctionFacts(value, lambda i, ranges: 1)


def by_sign(value: Callable[[Ranges], Range]) -> FunctionFacts:
    """Even functions that increase on `x >= 0`: `Abs`, `cosh`."""

    def slope(i: int, ranges: Ranges) -> int | None:
        if ranges[0].at_least(0):
            return 1
        return -1 if ranges[0].at_most(0) else None

    return FunctionFacts(value, slope)


def absolute(ranges: Ranges) -> Range:
    """Range of `|x|`."""
    x = ranges[0]
    if x.at_least(0):
        return x
    return -x if x.at_most(0) else Range.above(0)


def cosh_value(ranges: Ranges) -> Range:
    """Range of `cosh x`."""
    x = absolute(ranges)
    lo = sp.cosh(x.lo)
    return Range(lo, sp.oo if x.hi == sp.oo else sp.cosh(x.hi), x.lo_open,
                 x.hi_open or x.hi == sp.oo)


def on_piece(function: type, left: sp.Expr, right: sp.Expr, direction: int,
             value: Range) -> FunctionFacts:
    """Monotone on `[left, right]` only (`tan`, `sin`, `cos`, `asin`, `acos`, `atanh`)."""

    def slope(i: int, ranges: Ranges) -> int | None:
        strict = function in (sp.tan, sp.atanh)
        inside = ranges[0].at_least(left, strict) and ranges[0].at_most(right, strict)
        return direction if inside else None

    return FunctionFacts(lambda ranges: value, slope)


def gamma_slope(i: int, ranges: Ranges) -> int | None:
    """`gamma` and `loggamma` decrease on `(0, 1.46]` and increase from there on."""
    x = ranges[0]
    if x.at_least(sp.Rational(1462, 1000)):
        return 1
    return -1 if x.at_least(0, strict=True) and x.at_most(sp.Rational(1461, 1000)) else None


def positive_from(end: object) -> Callable[[int, Ranges], int | None]:
    """Increasing on `x > end` (or `>=`: the functions here are continuous there)."""
    return lambda i, ranges: 1 if ranges[0].at_least(end, strict=True) else None


def extreme(pick_larger: bool) -> FunctionFacts:
    """`Max` and `Min` of any number of arguments."""

    def value(ranges: Ranges) -> Range:
        result = ranges[0]
        for other in ranges[1:]:
            both = result.union(other)
            if pick_larger:
                larger = -((-result).union(-other))
                lo = sp.Max(result.lo, other.lo)
                is_open = (result if lo == result.lo else other).lo_open
                result = Range(lo, larger.hi, is_open, larger.hi_open)
            else:
                hi = sp.Min(result.hi, other.hi)
                is_open = (result if hi == result.hi else other).hi_open
                result = Range(both.lo, hi, both.lo_open, is_open)
        return result

    return FunctionFacts(value, lambda i, ranges: 1)


def nothing(ranges: Ranges) -> Range:
    """No information on the value."""
    return Range.unknown()


UNIT = Range(-ONE, ONE)

BUILTIN: dict[type, FunctionFacts] = {
    sp.exp: everywhere(sp.exp, ZERO),
    sp.log: log_facts(),
    sp.tanh: everywhere(sp.tanh, -ONE, ONE),
    sp.sinh: everywhere(sp.sinh),
    sp.asinh: everywhere(sp.asinh),
    sp.atan: everywhere(sp.atan, -sp.pi / 2, sp.pi / 2),
    sp.erf: everywhere(sp.erf, -ONE, ONE),
    sp.erfc: FunctionFacts(lambda ranges: Range(ZERO, sp.Integer(2), True, True),
                           lambda i, ranges: -1),
    sp.cosh: by_sign(cosh_value),
    sp.Abs: by_sign(absolute),
    sp.floor: steps(sp.floor),
    sp.ceiling: steps(sp.ceiling),
    sp.sign: FunctionFacts(lambda ranges: UNIT, lambda i, ranges: 1),
    sp.Max: extreme(True),
    sp.Min: extreme(False),
    sp.tan: on_piece(sp.tan, -sp.pi / 2, sp.pi / 2, 1, Range.unknown()),
    sp.sin: on_piece(sp.sin, -sp.pi / 2, sp.pi / 2, 1, UNIT),
    sp.cos: on_piece(sp.cos, ZERO, sp.pi, -1, UNIT),
    sp.asin: on_piece(sp.asin, -ONE, ONE, 1, Range(-sp.pi / 2, sp.pi / 2)),
    sp.acos: on_piece(sp.acos, -ONE, ONE, -1, Range(ZERO, sp.pi)),
    sp.atanh: on_piece(sp.atanh, -ONE, ONE, 1, Range.unknown()),
    sp.acosh: FunctionFacts(lambda ranges: Range.above(0),
                            lambda i, ranges: 1 if ranges[0].at_least(1) else None),
    sp.LambertW: FunctionFacts(
        lambda ranges: Range.above(0) if ranges[0].at_least(0) else Range.unknown(),
        lambda i, ranges: 1 if i == 0 and len(ranges) == 1 and ranges[0].at_least(0) else None,
    ),
    sp.gamma: FunctionFacts(
        lambda ranges: Range.above(0, True) if ranges[0].at_least(0, True) else Range.unknown(),
        gamma_slope,
    ),
    sp.loggamma: FunctionFacts(
        lambda ranges: Range.above(0) if ranges[0].at_least(2) else Range.unknown(), gamma_slope
    ),
    sp.digamma: FunctionFacts(nothing, positive_from(0)),
    sp.factorial: FunctionFacts(
        lambda ranges: Range.above(sp.Rational(4, 5)) if ranges[0].at_least(0) else Range.unknown(),
        lambda i, ranges: 1 if ranges[0].at_least(sp.Rational(1, 2)) else None,
    ),
}
