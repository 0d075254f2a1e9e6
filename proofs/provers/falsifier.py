"""The falsifier: sampling, local descent, Newton at high precision, gradient ascent in torch.

It only proposes points; `witness.confirm` decides in ball arithmetic.
"""

from __future__ import annotations

import itertools
import time
from fractions import Fraction

import numpy as np
import sympy
from flint import arb

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.verdict import Witness
from majorant.proofs.provers.contact import recognise
from majorant.proofs.provers.enclosure import Precision
from majorant.proofs.provers.newton import polish
from majorant.proofs.provers.problem import Problem
from majorant.proofs.provers.program import Program
from majorant.proofs.provers.sampling import Array, candidates, float_values
from majorant.proofs.provers.witness import Point, confirm, feasible

_ROUND = 3000
_SHOTS = 24


class Falsifier:
    """Searches one case of a claim.

    `step` runs one round of work and returns a witness or None; rounds become deeper.
    """

    def __init__(self, claim: Claim, problem: Problem) -> None:
        self.claim, self.problem = claim, problem
        self.variables = list(problem.domain.variables)
        outputs = [problem.left, problem.right, *(c.expr for c in problem.domain.constraints)]
        self.program = Program(outputs, self.variables)
        self.round = 0
        self.best: Array = np.zeros((0, len(self.variables)))
        self.tried: set[tuple[str, ...]] = set()

    def scores(self, points: Array) -> Array:
        """Relative gap (negative: violated), infinite outside of the domain."""
        left, right, *constraints = float_values(self.program, points)
        with np.errstate(all="ignore"):
            scale = np.abs(left) + np.abs(right) + 1e-300
            gap = (right - left) / scale
            if self.problem.equality:
                gap = -np.abs(gap)
            inside = np.ones(len(points), dtype=bool)
            for constraint, value in zip(
                self.problem.domain.constraints, constraints, strict=True
            ):
                inside &= (value > 0) if constraint.strict else (value >= 0)
        return np.where(inside & np.isfinite(gap), gap, np.inf)

    def step(self) -> Witness | None:
        """One round: sample, descend from the best points, confirm what looks false."""
        points = candidates(self.problem.domain, _ROUND, self.round)
        scores = self.scores(points)
        order = np.argsort(scores)[:40]
        start = points[order[np.isfinite(scores[order])]]
        witness = self._shoot(start[:_SHOTS])
        if witness is None and len(start) and self.round > 0:
            pool = np.concatenate([start[:16], self.best[:16]])
            refined = self._descend(pool, 40)
            witness = self._shoot(refined[:_SHOTS]) or self._polish(refined)
            self.best = refined
        elif len(start):
            self.best = start
        if witness is None and self.round % 3 == 1:
            witness = self._spread(points[np.isfinite(scores)])
        self.round += 1
        return witness

    def feasible_point(self) -> Point | None:
        """A rational point at which all hypotheses certainly hold."""
        for seed in range(6):
            points = candidates(self.problem.domain, 400, 1000 + seed)
            scores = self.scores(points)
            inside = points[np.isfinite(scores)][:12]
            for row in [*inside, *points[:12]]:
                for values in self._rational_points(row):
                    if feasible(self.claim, values):
                        return values
        return None

    def sample_points(self, number: int) -> list[Point]:
        """Rational points of the variables' ranges, in the claim's own variables."""
        found: list[Point] = []
        for row in candidates(self.problem.domain, number, 4242):
            found += self._rational_points(row)
        return found

    def _shoot(self, points: Array) -> Witness | None:
        scores = self.scores(points) if len(points) else np.zeros(0)
        for row, score in zip(points, scores, strict=True):
            if score < 1e-9 or self.problem.strict or self.problem.equality:
                witness = self._confirm(row)
                if witness is not None:
                    return witness
        return None

    def _spread(self, points: Array) -> Witness | None:
        """Balls see what floats round away: try some points whatever their score."""
        for row in points[:60]:
            witness = self._confirm(row)
            if witness is not None:
                return witness
        return None

    def _confirm(self, row: Array) -> Witness | None:
        for values in self._rational_points(row):
            key = tuple(map(str, values.values()))
            if key in self.tried:
                continue
            self.tried.add(key)
            witness = confirm(self.claim, values)
            if witness is not None:
                return self._simpler(row) or witness
        return None

    def _simpler(self, row: Array) -> Witness | None:
        """A counterexample nearby that is easier to read."""
        for digits in (1, 2, 3, 5):
            numbers = [_short(float(v), digits) for v in row]
            point = self.restore(dict(zip(self.variables, numbers, strict=True)))
            witness = None if point is None else confirm(self.claim, point)
            if witness is not None:
                return witness
        return None

    def _rational_points(self, row: Array) -> list[Point]:
        found: list[Point] = []
        for simple in (True, False):
            numbers = [_rational(float(v), simple) for v in row]
            restored = self.restore(dict(zip(self.variables, numbers, strict=True)))
            if restored is not None and restored not in found:
                found.append(restored)
        return found

    def restore(self, values: dict[sympy.Symbol, sympy.Rational]) -> Point | None:
        """The point in the claim's own variables, None if it is not real.

        Equalities such as `x + y = pi` may make a coordinate an irrational constant.
        """
        point: Point = {}
        for variable, expr in self.problem.restore.items():
            value = expr.subs(values)
            if not value.is_Rational and not (value.is_number and value.is_real):
                return None
            point[variable] = value
        return point

    def _descend(self, points: Array, steps: int) -> Array:
        """Random local search, all points at once, with a step size for each."""
        random = np.random.default_rng(self.round)
        scores = self.scores(points)
        size = np.full(len(points), 0.3)
        for _ in range(steps):
            direction = random.normal(size=points.shape)
            mask = random.random(points.shape) < 0.7
            relative = np.maximum(np.abs(points), 1e-3 if self.round % 2 else 1e-12)
            moved = points + direction * mask * relative * size[:, None]
            for column, variable in enumerate(self.variables):
                if variable in self.problem.domain.integers:
                    moved[:, column] = np.round(moved[:, column])
            new = self.scores(moved)
            better = new < scores
            points = np.where(better[:, None], moved, points)
            scores = np.where(better, new, scores)
            size = np.where(better, size * 1.6, size * 0.8)
        order = np.argsort(scores)
        return points[order]

    def _polish(self, points: Array) -> Witness | None:
        if self.problem.domain.integers or not len(points):
            return None
        for row in points[:2]:
            numbers = [_rational(float(v), False) for v in row]
            start = dict(zip(self.variables, numbers, strict=True))
            last: dict[sympy.Symbol, sympy.Rational] = {}
            for values in polish(self.problem, start):
                last = values
                restored = self.restore(values)
                witness = None if restored is None else confirm(self.claim, restored)
                if witness is not None:
                    return witness
            if self.problem.strict and last:
                witness = self._recognised(last)
                if witness is not None:
                    return witness
        return None

    def _recognised(self, values: dict[sympy.Symbol, sympy.Rational]) -> Witness | None:
        """Both sides of a strict claim may agree at an irrational constant only."""
        with Precision(256):
            names = [
                list(itertools.islice(recognise(arb(int(v.p)) / int(v.q), 40), 2))
                for v in values.values()
            ]
        for constants in itertools.product(*names):
            restored = self.restore(dict(zip(values, constants, strict=True)))
            witness = None if restored is None else confirm(self.claim, restored)
            if witness is not None:
                return witness
        return None


def _rational(value: float, simple: bool) -> sympy.Rational:
    fraction = Fraction(value)
    if simple and value != 0:
        if 1e-3 < abs(value) < 1e4:
            fraction = fraction.limit_denominator(200)
        else:
            fraction = Fraction(f"{value:.2g}")
    return sympy.Rational(fraction.numerator, fraction.denominator)


def _short(value: float, digits: int) -> sympy.Rational:
    """A number of few digits: of the value, or of its distance from 1 or -1 where that is small."""
    for end in (1.0, -1.0):
        if 0 < abs(value - end) < 0.1:
            return sympy.Rational(int(end)) + sympy.Rational(f"{value - end:.{digits}g}")
    return sympy.Rational(f"{value:.{digits}g}")


def falsify(claim: Claim, problems: list[Problem], deadline: float) -> Witness | None:
    """Search all cases in turn until the deadline (`time.monotonic`)."""
    searches = []
    for problem in problems:
        try:
            searches.append(Falsifier(claim, problem))
        except UnsupportedExpression:
            continue
    climbed = False
    while searches and time.monotonic() < deadline:
        for search in searches:
            witness = search.step()
            if witness is not None:
                return witness
            if not search.variables:
                searches.remove(search)
                break
            if time.monotonic() > deadline:
                return None
        if not climbed and searches and searches[0].round >= 6 and deadline - time.monotonic() > 3:
            climbed = True
            from majorant.proofs.provers.ascent import climb

            for search in searches:
                ends = climb(search.problem, search.best, deadline)
                witness = search._shoot(ends) or search._polish(ends)
                if witness is not None:
                    return witness
        if searches and searches[0].round > 60:
            return None
    return None
