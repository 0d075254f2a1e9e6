"""Newton's method on the gap at high precision: near misses lie far below float rounding."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from flint import arb, arb_mat

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers.domain import Domain
from majorant.proofs.provers.enclosure import Precision, evaluate
from majorant.proofs.provers.interval import Interval, to_rational
from majorant.proofs.provers.problem import Problem
from majorant.proofs.provers.program import Program

Values = dict[sympy.Symbol, sympy.Rational]
_BITS = 320
_STEPS = 12
_MAX_OPERATIONS = 150


def _inside(domain: Domain, values: Values) -> Values:
    """The point moved into the constant ends of each variable."""
    moved = dict(values)
    for variable, value in values.items():
        low, high = domain.lower(variable), domain.upper(variable)
        if low is not None and low.value.is_Rational and value < low.value:
            moved[variable] = low.value
        if high is not None and high.value.is_Rational and value > high.value:
            moved[variable] = high.value
    return moved


def polish(problem: Problem, start: Values) -> Iterator[Values]:
    """Stationary points of the gap near a start, in free coordinates; the start's ends stay.

    Yields rational points with 12, 25 and 50 digits.
    """
    gap = problem.gap
    free = [v for v in start if gap.has(v) and not _at_end(problem.domain, v, start[v])]
    if not free or len(free) > 4 or sympy.count_ops(gap) > _MAX_OPERATIONS:
        return
    slopes = [sympy.diff(gap, v) for v in free]
    outputs = slopes + [sympy.diff(s, v) for s in slopes for v in free]
    symbols = list(start)
    try:
        program = Program(outputs, symbols)
    except UnsupportedExpression:
        return
    values = dict(start)
    with Precision(_BITS):
        for _ in range(_STEPS):
            moved = _newton(program, symbols, free, values)
            if moved is None:
                return
            values = _inside(problem.domain, moved)
        rounded = [
            {
                s: to_rational(arb(int(v.p)) / int(v.q), digits) if s in free else v
                for s, v in values.items()
            }
            for digits in (12, 25, 50)
        ]
    yield from rounded


def stationary_point(
    expr: sympy.Expr, variables: list[sympy.Symbol], start: list[arb]
) -> list[arb] | None:
    """Where the gradient vanishes near a start, to about 45 digits; None if it is not seen."""
    slopes = [sympy.diff(expr, v) for v in variables]
    outputs = slopes + [sympy.diff(s, v) for s in slopes for v in variables]
    try:
        program = Program(outputs, variables)
    except UnsupportedExpression:
        return None
    values = {v: to_rational(x, 20) for v, x in zip(variables, start, strict=True)}
    before = values
    with Precision(_BITS):
        for _ in range(_STEPS):
            moved = _newton(program, variables, variables, values)
            if moved is None:
                return None
            before, values = values, moved
        if any(abs(values[v] - before[v]) > sympy.Rational(1, 10**42) for v in variables):
            return None
        return [arb(int(values[v].p)) / int(values[v].q) for v in variables]


def _newton(
    program: Program, symbols: list[sympy.Symbol], free: list[sympy.Symbol], values: Values
) -> Values | None:
    box = [Interval.ball(arb(int(values[s].p)) / int(values[s].q)) for s in symbols]
    entries = [Interval(e.lo, e.hi) for e in evaluate(program, box)]
    if not all(e.bounded for e in entries):
        return None
    mid = [((e.lo + e.hi) / 2).mid() for e in entries]
    size = len(free)
    slope = arb_mat(size, 1, mid[:size])
    curvature = arb_mat(size, size, mid[size:])
    try:
        move = curvature.solve(slope)
    except (ZeroDivisionError, ValueError):
        return None
    moved = dict(values)
    for row, variable in enumerate(free):
        step = move[row, 0]
        if not step.is_finite():
            return None
        old = arb(int(values[variable].p)) / int(values[variable].q)
        moved[variable] = to_rational(old - step, 80)
    return moved


def _at_end(domain: Domain, variable: sympy.Symbol, value: sympy.Rational) -> bool:
    return any(
        bound is not None and bound.value.is_Rational and abs(bound.value - value) < 1e-12
        for bound in (domain.lower(variable), domain.upper(variable))
    )
