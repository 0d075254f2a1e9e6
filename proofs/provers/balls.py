"""Several variables: branch and bound over boxes in ball arithmetic.

Each box is tried with the plain enclosure, with the mean value form, with the signs of partial
derivatives (the box collapses onto a face), and near an exact isolated zero with the Hessian.
"""

from __future__ import annotations

import heapq
import itertools

import sympy
from flint import arb

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers.domain import Domain, slope_in
from majorant.proofs.provers.enclosure import Precision, evaluate
from majorant.proofs.provers.engine import Engine, box_of
from majorant.proofs.provers.interval import Interval
from majorant.proofs.provers.outcome import Clock, OutOfTime, Proof
from majorant.proofs.provers.program import Program
from majorant.proofs.provers.zeros import exact_zeros

Box = tuple[Interval, ...]
_BITS = 80
_MAX_OPERATIONS = 200
_MAX_BOXES = 6000
_SMOOTH_BREAKERS = (sympy.floor, sympy.ceiling, sympy.sign)


def box_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """Boxes around the domain; boxes outside of it are discarded."""
    if depth > 3 or engine.limit < 3:
        return None
    if sympy.count_ops(expr) > _MAX_OPERATIONS or expr.has(*_SMOOTH_BREAKERS):
        return None
    variables = sorted(domain.variables, key=str)
    if len(variables) > 4:
        return None
    goal = (expr, strict, domain)
    return engine.once("boxes", goal, lambda: _search(engine, expr, strict, domain, depth))


def _search(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    variables = sorted(domain.variables, key=str)
    share = engine.clock.part(3.0 if depth == 0 else 0.8)
    with Precision(_BITS):
        try:
            search = _Boxes(expr, strict, domain, variables, share)
            start = tuple(box_of(domain, v) for v in variables)
            return search.run(start)
        except (UnsupportedExpression, OutOfTime):
            engine.clock.check()
            return None


class _Boxes:
    """One search."""

    def __init__(
        self,
        expr: sympy.Expr,
        strict: bool,
        domain: Domain,
        variables: list[sympy.Symbol],
        clock: Clock,
    ) -> None:
        self.expr, self.strict, self.clock = expr, strict, clock
        self.variables = variables
        self.value = Program([expr], variables)
        slopes = [sympy.diff(expr, v) for v in variables]
        smooth = not any(s.has(sympy.Derivative, sympy.Subs) for s in slopes)
        self.slopes = Program(slopes, variables) if smooth else None
        self.constraints = domain.constraints
        self.limits = Program([c.expr for c in domain.constraints], variables)
        self.zeros = exact_zeros(expr, slopes, domain, clock) if smooth and not strict else []
        self.pure = all(
            len(c.expr.free_symbols) == 1 and slope_in(c.expr, *c.expr.free_symbols) is not None
            for c in domain.constraints
        )
        self.lines: list[str] = []

    def run(self, start: Box) -> Proof | None:
        counter = itertools.count()
        queue: list[tuple[float, int, int, Box]] = [(0.0, next(counter), 0, start)]
        done = 0
        while queue:
            self.clock.check()
            _, _, level, box = heapq.heappop(queue)
            done += 1
            if done > _MAX_BOXES or level > 90:
                return None
            if self._settled(box):
                continue
            if self._hopeless(box):
                return None
            for half in _halves(box, level):
                heapq.heappush(queue, (-float(level), next(counter), level + 1, half))
        return Proof("balls", (*self.lines, f"{done} boxes in ball arithmetic"))

    def _enough(self, low: arb) -> bool:
        return bool(low > 0) if self.strict else bool(low >= 0)

    def _outside(self, box: Box) -> bool:
        for constraint, value in zip(self.constraints, evaluate(self.limits, box), strict=True):
            if value.hi < 0 or (constraint.strict and value.hi <= 0):
                return True
        return False

    def _inside(self, box: Box) -> bool:
        """Derivatives are only used where the whole box belongs to the domain."""
        return all(
            v.lo > 0 or (v.lo >= 0 and not c.strict)
            for c, v in zip(self.constraints, evaluate(self.limits, box), strict=True)
        )

    def _settled(self, box: Box) -> bool:
        if self._enough(evaluate(self.value, box)[0].lo):
            return True
        if self._outside(box):
            return True
        if self.slopes is None or not all(side.bounded for side in box):
            return False
        if not self.pure and not self._inside(box):
            return False
        slopes = evaluate(self.slopes, box)
        if any(zero.covers(box) for zero in self.zeros):
            return True
        face, moved = [], False
        for side, slope in zip(box, slopes, strict=True):
            if slope.lo >= 0:
                face.append(Interval(side.lo, side.lo))
                moved = True
            elif slope.hi <= 0:
                face.append(Interval(side.hi, side.hi))
                moved = True
            else:
                face.append(side)
        if moved and self._enough(evaluate(self.value, face)[0].lo):
            return True
        middle = [_centre(side) for side in face]
        total = evaluate(self.value, middle)[0]
        for side, centre, slope in zip(face, middle, slopes, strict=True):
            if not side.lo == side.hi:
                total = total + slope * (side - centre)
        return self._enough(total.lo)

    def _hopeless(self, box: Box) -> bool:
        """A point inside the domain at which the expression is certainly negative."""
        if not all(side.bounded for side in box):
            return False
        middle = [_centre(side) for side in box]
        if not evaluate(self.value, middle)[0].hi < 0:
            return False
        limits = evaluate(self.limits, middle)
        return all(v.lo > 0 for v in limits)


def _centre(side: Interval) -> Interval:
    middle = side.lo if side.lo == side.hi else ((side.lo + side.hi) / 2).mid()
    return Interval(middle, middle)


def _halves(box: Box, level: int) -> list[Box]:
    """Split the widest side; unbounded sides are cut at growing distances."""
    widths = []
    for side in box:
        if not side.bounded:
            widths.append(1e6 / (1 + level))
        else:
            size = max(abs(float(side.lo)), abs(float(side.hi)), 1.0)
            widths.append(float(side.hi - side.lo) / size ** 0.5)
    k = max(range(len(box)), key=lambda i: widths[i])
    side = box[k]
    if side.bounded:
        cut = ((side.lo + side.hi) / 2).mid()
    elif side.lo.is_finite():
        cut = (side.lo + 1 if side.lo < 1 else side.lo * 4).mid()
    elif side.hi.is_finite():
        cut = (side.hi - 1 if side.hi > -1 else side.hi * 4).mid()
    else:
        cut = arb(0)
    left = (*box[:k], Interval(side.lo, cut), *box[k + 1 :])
    right = (*box[:k], Interval(cut, side.hi), *box[k + 1 :])
    return [left, right]
