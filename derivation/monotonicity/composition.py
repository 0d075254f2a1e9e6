"""Range and direction of a whole expression, composed from the facts on its nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import sympy as sp

from majorant.derivation.functions import CountingFunction, MaxOver, MinOver, Over
from majorant.derivation.functions.facts import OwnFunction, assumed_range
from majorant.derivation.monotonicity.builtin import BUILTIN
from majorant.derivation.monotonicity.domains import Facts
from majorant.derivation.ranges import Range, Sign

Trend = Literal["increasing", "decreasing", "constant", "unknown"]


@dataclass(frozen=True)
class Monotonicity:
    """Direction in one variable (non-strict); where unknown, the sub-expression to blame."""

    direction: Trend
    blame: sp.Basic | None = None
    reason: str = ""


CONSTANT, UP, DOWN = (
    Monotonicity("constant"), Monotonicity("increasing"), Monotonicity("decreasing")
)


def unknown(node: sp.Basic, reason: str) -> Monotonicity:
    """No direction, because of `node`."""
    return Monotonicity("unknown", node, reason)


def times(trend: Monotonicity, sign: int | None, node: sp.Basic, reason: str) -> Monotonicity:
    """`trend` seen through a factor of the given sign (+1, -1, 0; None: not known)."""
    if trend.direction in ("constant", "unknown") or sign == 1:
        return trend
    if sign == 0:
        return CONSTANT
    if sign is None:
        return unknown(node, reason)
    return DOWN if trend is UP else UP


def together(trends: Iterable[Monotonicity], node: sp.Basic) -> Monotonicity:
    """Direction of a sum of contributions."""
    moving = [trend for trend in trends if trend.direction != "constant"]
    for trend in moving:
        if trend.direction == "unknown":
            return trend
    if not moving:
        return CONSTANT
    if all(trend is moving[0] for trend in moving):
        return moving[0]
    return unknown(node, "one part increases, another decreases")


def direction_of_sign(sign: Sign) -> int | None:
    """+1 for `>= 0`, -1 for `<= 0`, 0 for zero, None where the sign is not known."""
    return {"positive": 1, "nonnegative": 1, "zero": 0, "nonpositive": -1, "negative": -1}.get(sign)


class Composer:
    """Facts about every node of an expression, under hypotheses; results are remembered."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.ranges: dict[sp.Basic, Range] = {}

    # ranges

    def range(self, expr: sp.Basic) -> Range:
        """A range of `expr` that follows from assumptions, hypotheses and composition."""
        if expr not in self.ranges:
            found = assumed_range(expr)
            known = self.facts[expr]
            if known is not None:
                found = found.intersect(known)
            if not expr.is_number:
                found = found.intersect(self.composed(expr))
            self.ranges[expr] = found
        return self.ranges[expr]

    def composed(self, expr: sp.Basic) -> Range:
        """The range by the rule of the node's class."""
        if isinstance(expr, sp.Add):
            return self.sum_range(expr)
        if isinstance(expr, sp.Mul):
            result = Range.point(1)
            for factor in expr.args:
                result = result * self.range(factor)
            return result
        if isinstance(expr, sp.Pow):
            return self.power_range(expr)
        if isinstance(expr, sp.Sum | sp.Product | Over):
            return self.binder_range(expr)
        if isinstance(expr, sp.Piecewise):
            parts = [self.under([cond]).range(value) for value, cond in expr.args]
            result = parts[0]
            for part in parts[1:]:
                result = result.union(part)
            return result
        if isinstance(expr, OwnFunction):
            return expr.range_from([self.range(arg) for arg in expr.args])
        if type(expr) in BUILTIN:
            return BUILTIN[type(expr)].value([self.range(arg) for arg in expr.args])
        return Range.unknown()

    def sum_range(self, expr: sp.Add) -> Range:
        """Sum of the ranges, sharpened by every hypothesis `u < v` that the sum contains."""
        result = Range.point(0)
        for term in expr.args:
            result = result + self.range(term)
        for core, bound in self.facts.known.items():
            if not core.is_Add:
                continue
            for scale in (1, -1):
                rest = expr - scale * core  # like terms cancel; nothing is expanded
                if len(sp.Add.make_args(rest)) < len(expr.args):
                    side = bound if scale == 1 else -bound
                    result = result.intersect(side + self.plain_sum(rest))
        return result

    def plain_sum(self, expr: sp.Expr) -> Range:
        result = Range.point(0)
        for term in sp.Add.make_args(expr):
            result = result + self.range(term)
        return result

    def power_range(self, expr: sp.Pow) -> Range:
        base, exponent = self.range(expr.base), self.range(expr.exp)
        if expr.exp.is_Rational:
            return number_power(base, expr.exp)
        if not base.at_least(0):
            return Range.unknown()
        positive = base.at_least(0, strict=True)
        large = base.at_least(1) and exponent.at_least(0)
        small = base.at_most(1) and exponent.at_most(0)
        if large or (small and positive):
            return Range.above(1)
        if (base.at_most(1) and exponent.at_least(0)) or (base.at_least(1)
                                                          and exponent.at_most(0)):
            return Range(sp.Integer(0), sp.Integer(1), positive)
        return Range.above(0, strict=positive)

    def binder_range(self, expr: sp.Expr) -> Range:
        body = self.inside(expr).range(expr.function)
        if isinstance(expr, Over):
            return expr.range_from([body])
        filled = all(self.range(hi - lo).at_least(0) for _, lo, hi in expr.limits)
        if isinstance(expr, sp.Sum):
            if body.at_least(0):
                lo = body.lo if filled else sp.Integer(0)
                return Range.above(lo, strict=filled and body.lo_open)
            return Range.unknown() if not body.at_most(0) else -Range.above(0)
        if body.at_least(1):
            return Range.above(1)
        if body.at_least(0):
            positive = body.at_least(0, strict=True)
            if body.at_most(1):
                return Range(sp.Integer(0), sp.Integer(1), positive)
            return Range.above(0, strict=positive)
        return Range.unknown()

    def under(self, conditions: Iterable[sp.Basic]) -> Composer:
        """The same facts and more (a branch of a case distinction, the body of a sum)."""
        return Composer(self.facts.extended(conditions))

    def inside(self, binder: sp.Expr) -> Composer:
        """Inside a sum: the index lies between its limits."""
        within = []
        for index, lo, hi in binder.limits:
            within += [sp.Le(lo, index, evaluate=False), sp.Le(index, hi, evaluate=False)]
        return self.under(within)

    # directions

    def direction(self, expr: sp.Basic, x: sp.Basic) -> Monotonicity:
        """Direction of `expr` in `x` by composition."""
        if not expr.has(x):
            return CONSTANT
        if expr == x:
            return UP
        if isinstance(expr, sp.Indexed):
            if any(index.has(x) for index in expr.indices):
                return unknown(expr, "the variable is used as an index")
            return UP  # every entry of the family x
        if isinstance(expr, sp.Add):
            return together((self.direction(term, x) for term in expr.args), expr)
        if isinstance(expr, sp.Mul):
            return self.product(expr, x)
        if isinstance(expr, sp.Pow):
            return self.power(expr, x)
        if isinstance(expr, sp.Sum | sp.Product | Over):
            return self.binder(expr, x)
        if isinstance(expr, sp.Piecewise):
            return self.cases(expr, x)
        return self.function(expr, x)

    def product(self, expr: sp.Mul, x: sp.Basic) -> Monotonicity:
        contributions = []
        for position, factor in enumerate(expr.args):
            rest = sp.Mul(*(f for at, f in enumerate(expr.args) if at != position))
            sign = direction_of_sign(self.range(rest).sign)
            trend = self.direction(factor, x)
            contributions.append(times(trend, sign, rest, "its sign is not known"))
        return together(contributions, expr)

    def power(self, expr: sp.Pow, x: sp.Basic) -> Monotonicity:
        base, exponent = expr.base, expr.exp
        by_base, by_exponent = self.direction(base, x), self.direction(exponent, x)
        sign = self.power_slope(self.range(base), self.range(exponent), exponent)
        first = times(by_base, sign, expr, "the sign of its base or exponent is not known")
        bounds, level = self.range(base), None
        if bounds.at_least(1):
            level = 1
        elif bounds.at_most(1) and bounds.at_least(0):
            level = -1
        second = times(by_exponent, level, expr, "its base may be on both sides of 1")
        return together((first, second), expr)

    @staticmethod
    def power_slope(base: Range, exponent: Range, written: sp.Expr) -> int | None:
        """Sign of the slope of `base**exponent` in the base."""
        sign = direction_of_sign(exponent.sign)
        if sign is None or sign == 0:
            return sign
        definite = base.at_least(0, strict=True) or base.at_most(0, strict=True)
        if written.is_Integer:
            if sign < 0 and not definite:
                return None
            if written % 2:
                return sign
            side = direction_of_sign(base.sign)
            return None if side is None else sign * side
        return sign if base.at_least(0, strict=sign < 0) else None

    def function(self, expr: sp.Basic, x: sp.Basic) -> Monotonicity:
        ranges = [self.range(arg) for arg in expr.args]
        contributions = []
        for i, arg in enumerate(expr.args):
            slope = None
            if isinstance(expr, OwnFunction):
                slope = 1 if expr.is_incr(i, ranges) else -1 if expr.is_decr(i, ranges) else None
            elif type(expr) in BUILTIN:
                slope = BUILTIN[type(expr)].slope(i, ranges)
            trend = self.direction(arg, x)
            contributions.append(times(trend, slope, expr, "not monotone on the whole domain"))
        return together(contributions, expr)

    def binder(self, expr: sp.Expr, x: sp.Basic) -> Monotonicity:
        inner = self.inside(expr)
        body = inner.direction(expr.function, x)
        contributions = [body]
        if isinstance(expr, sp.Product):
            sign = 1 if inner.range(expr.function).at_least(0) else None
            contributions = [times(body, sign, expr.function, "a factor may be negative")]
        growth = self.growth(expr, inner)
        for _, lo, hi in expr.limits:
            for end, side in ((lo, -1), (hi, 1)):
                effect = None if growth is None else side * growth
                trend = self.direction(end, x)
                contributions.append(times(trend, effect, expr, "more members may go either way"))
        return together(contributions, expr)

    def growth(self, expr: sp.Expr, inner: Composer) -> int | None:
        """How the value moves when members are added."""
        body = inner.range(expr.function)
        if isinstance(expr, MinOver):
            return -1
        if isinstance(expr, MaxOver | CountingFunction):
            return 1
        if isinstance(expr, sp.Sum):
            return direction_of_sign(body.sign)
        if isinstance(expr, sp.Product):
            if body.at_least(1):
                return 1
            return -1 if body.at_least(0) and body.at_most(1) else None
        return 1

    def cases(self, expr: sp.Piecewise, x: sp.Basic) -> Monotonicity:
        if any(condition.has(x) for _, condition in expr.args):
            return unknown(expr, "a condition depends on the variable")
        return together(
            (self.under([cond]).direction(value, x) for value, cond in expr.args), expr
        )


def number_power(base: Range, exponent: sp.Rational) -> Range:
    """Range of `x**q` for a rational number `q`."""
    if exponent < 0:
        return number_power(base, -exponent).reciprocal()
    if exponent.is_Integer and exponent % 2 == 0 and not base.at_least(0):
        if base.at_most(0):
            return number_power(-base, exponent)
        return Range.above(0)
    if not (base.at_least(0) or (exponent.is_Integer and exponent % 2)):
        return Range.unknown()
    lo = -sp.oo if base.lo == -sp.oo else base.lo**exponent
    hi = sp.oo if base.hi == sp.oo else base.hi**exponent
    return Range(lo, hi, base.lo_open, base.hi_open)
