"""Isolated exact zeros in several variables: points of contact inside the domain.

A numerical minimum is refined by Newton's method, its coordinates are recognised as constants,
and algebra confirms that the function and its gradient vanish there. Where the Hessian is positive
definite on a box around the point, the function is not negative on that box.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import sympy
from flint import arb

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers.contact import recognise
from majorant.proofs.provers.domain import Domain
from majorant.proofs.provers.enclosure import Precision, evaluate, point
from majorant.proofs.provers.exact import is_formally_zero
from majorant.proofs.provers.interval import Interval
from majorant.proofs.provers.newton import stationary_point
from majorant.proofs.provers.outcome import Clock
from majorant.proofs.provers.program import Program
from majorant.proofs.provers.sampling import candidates, float_values

Box = tuple[Interval, ...]
_LIKELY = (sympy.Integer(0), sympy.Integer(1), sympy.Rational(1, 2))
_STARTS = 4


class Zero:
    """An exact zero with zero gradient, and a box on which the Hessian is positive definite."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def covers(self, other: Box) -> bool:
        """Whether a box lies inside."""
        return all(a.lo <= b.lo and b.hi <= a.hi for a, b in zip(self.box, other, strict=True))

    @classmethod
    def around(
        cls, expr: sympy.Expr, variables: list[sympy.Symbol], values: tuple[sympy.Expr, ...]
    ) -> Zero | None:
        """The neighbourhood of a zero of the function and its gradient, None if it is not seen."""
        entries = [sympy.diff(expr, a, b) for a in variables for b in variables]
        try:
            program = Program(entries, variables)
        except UnsupportedExpression:
            return None
        size = len(variables)
        radius = arb(1) / 4
        for _ in range(8):
            centres = [point(v) for v in values]
            box = tuple(Interval(c.lo - radius, c.hi + radius) for c in centres)
            hessian = evaluate(program, [Interval(b.lo.lower(), b.hi.upper()) for b in box])
            if _diagonally_dominant(hessian, size) or _definite(hessian, size):
                return cls(tuple(Interval(b.lo.upper(), b.hi.lower()) for b in box))
            radius = radius / 4
        return None


def _diagonally_dominant(entries: list[Interval], size: int) -> bool:
    for row in range(size):
        rest = arb(0)
        for column in range(size):
            if column != row:
                rest = rest + entries[row * size + column].absolute().hi
        if not entries[row * size + row].lo > rest:
            return False
    return True


def _definite(entries: list[Interval], size: int) -> bool:
    """Positive definite by elimination in intervals (symmetric Gauss steps)."""
    rows = [[entries[i * size + j] for j in range(size)] for i in range(size)]
    for k in range(size):
        pivot = rows[k][k]
        if not pivot.lo > 0:
            return False
        for i in range(k + 1, size):
            factor = rows[i][k] / pivot
            for j in range(k + 1, size):
                rows[i][j] = rows[i][j] - factor * rows[k][j]
    return True


def exact_zeros(
    expr: sympy.Expr, slopes: list[sympy.Expr], domain: Domain, clock: Clock
) -> list[Zero]:
    """The neighbourhoods of the zeros that were found."""
    variables = sorted(domain.variables, key=str)
    exprs = [expr, *slopes]
    program = Program(exprs, variables)
    found: list[Zero] = []
    seen: set[tuple[sympy.Expr, ...]] = set()
    guesses = itertools.chain(
        itertools.product(_LIKELY, repeat=len(variables)),
        _recognised(expr, variables, domain),
    )
    for values in guesses:
        clock.check()
        if values in seen:
            continue
        seen.add(values)
        numbers = evaluate(program, [point(v) for v in values])
        if any(n.lo > 0 or n.hi < 0 or not n.bounded for n in numbers):
            continue
        mapping = dict(zip(variables, values, strict=True))
        at = [e.subs(mapping) for e in exprs]
        if any(v.has(sympy.nan, sympy.zoo, sympy.oo) for v in at):
            continue
        if all(is_formally_zero(v) for v in at):
            zero = Zero.around(expr, variables, values)
            if zero is not None:
                found.append(zero)
    return found


def _recognised(
    expr: sympy.Expr, variables: list[sympy.Symbol], domain: Domain
) -> Iterator[tuple[sympy.Expr, ...]]:
    """Constants near the least values of a sample."""
    points = candidates(Domain(tuple(variables), domain.constraints), 600, 3)
    limits = [c.expr for c in domain.constraints]
    value, *sides = float_values(Program([expr, *limits], variables), points)
    with np.errstate(all="ignore"):
        inside = np.all([s > 0 for s in sides], axis=0) if sides else np.ones(len(points), bool)
        value = np.where(inside & np.isfinite(value), value, np.inf)
    for row in np.argsort(value)[:_STARTS]:
        if not np.isfinite(value[row]):
            return
        refined = stationary_point(expr, variables, [arb(float(v)) for v in points[row]])
        if refined is None:
            continue
        with Precision(256):
            names = [list(itertools.islice(recognise(v, 40), 2)) for v in refined]
        yield from itertools.product(*names)
