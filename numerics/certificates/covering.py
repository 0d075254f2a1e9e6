"""Choose classes and covers for a problem: the proposal of the `occam` family (C8 with prices)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from majorant.derivation.certificate import decimal_text, number_roles
from majorant.derivation.errors import UnusableInput
from majorant.numerics.certificates.problem import (
    Gridded,
    Problem,
    Sensitivities,
    on_grid,
    sensitivities,
)
from majorant.numerics.optimize.allocation import Allocation, Menu, allocate, equal_split
from majorant.numerics.optimize.covers import MATRIX_KINDS, Row, menu_of, rows_of
from majorant.numerics.optimize.grids import best_fineness, log_ratio


@dataclass(frozen=True)
class Plan:
    """Rows chosen for the trained parameters, their log radii, and the entropy with prices."""

    grid: Gridded
    constants: str
    rows: tuple[Row, ...]
    log_eps: tuple[float, ...]
    entropy: tuple[float, ...]

    @property
    def total(self) -> float:
        """Entropy and prices of the classes, in nats (floats, untrusted)."""
        return math.fsum(self.entropy)


def log_radius(problem: Problem, grid: Gridded) -> float:
    """Log of `gamma / (2 Rho)`, the radius that G5's margin form allows."""
    rho = 1.0 if problem.network.outputs in (None, 1) else math.sqrt(2.0)
    return grid.margin * log_ratio(grid.fineness) - math.log(2 * rho)


def log_rooms(problem: Problem, grid: Gridded) -> dict[str, float]:
    """G7: log of `sqrt(N v)/4`, how far the input of a normalization may move."""
    step = log_ratio(grid.fineness)
    return {role.probe: 0.5 * (math.log(role.width) + grid.variances[role.probe] * step)
            - math.log(4) for role in number_roles(problem.network).values()
            if role.role == "floor"}


def usual_fineness(problem: Problem) -> int:
    """A grid ratio that balances rounding against prices for this network."""
    dimension = sum(p.rank * (p.shape[0] + p.shape[1] - p.rank) if p.kind == "matrix"
                    else p.shape[0] for p in problem.trained)
    choices = sum(min(3, p.rank) if p.kind == "matrix" else 1 for p in problem.trained)
    return best_fineness(dimension, len(problem.trained), choices)


@dataclass(frozen=True)
class Candidates:
    """The rows that each trained parameter may use, and the sensitivities at one grid.

    Covers at several radii share everything here: only the allocation depends on the radius.
    """

    problem: Problem
    grid: Gridded
    constants: str
    split: str
    rows: tuple[tuple[Row, ...], ...]
    flow: Sensitivities

    def only(self, keep: Callable[[int, Row], bool]) -> Candidates:
        """The candidates `row` of parameter number `a` with `keep(a, row)`."""
        rows = tuple(tuple(row for row in options if keep(a, row))
                     for a, options in enumerate(self.rows))
        return replace(self, rows=rows)

    @cached_property
    def menu(self) -> Menu:
        """The rows as one flat menu, at sensitivity 1."""
        return menu_of(self.rows)

    def cover(self, log_scale: float = 0.0, split: str = "") -> Plan:
        """The plan with the least entropy at radius `gamma / (2 Rho)` times `exp(log_scale)`.

        `split` (default: the candidates' own): `"best"` (C8, never worse than the equal split
        because that is tried too) or `"equal"`, the published choice.
        """
        rooms = {k: v + log_scale for k, v in log_rooms(self.problem, self.grid).items()}
        weights = self.flow.weights(log_radius(self.problem, self.grid) + log_scale, rooms)
        found = _solve(self.menu.scaled(weights), split or self.split)
        # A matrix that is zero has share 0 and radius 0, also where its sensitivity is 0.
        log_eps = np.full_like(weights, -np.inf)
        np.subtract(found.log_share, weights, out=log_eps, where=found.log_share > -np.inf)
        flat = [row for options in self.rows for row in options]
        return Plan(self.grid, self.constants, tuple(flat[m] for m in found.rows),
                    tuple(log_eps.tolist()), tuple(found.entropy.tolist()))


def candidates(problem: Problem, *, fineness: int | None = None, constants: str = "sharp",
               kinds: Sequence[str] = MATRIX_KINDS, split: str = "best") -> Candidates:
    """Every class and method worth trying for the trained parameters of a problem."""
    grid = on_grid(problem, usual_fineness(problem) if fineness is None else fineness)
    rows = tuple(tuple(rows_of(p, grid.fineness, kinds)) for p in problem.trained)
    return Candidates(problem, grid, constants, split, rows,
                      sensitivities(problem, grid, constants))


def _solve(menu: Menu, split: str) -> Allocation:
    if split == "equal":
        return equal_split(menu)
    best = allocate(menu)
    try:
        even = equal_split(menu)
    except UnusableInput:  # a threshold may fit into a free share and not into an equal one
        return best
    return best if best.total <= even.total else even


def cover_json(row: Row, log_eps: float) -> dict[str, Any]:
    """One parameter's cover at one scale: method, radius as decimal text."""
    radius = "0" if math.isinf(log_eps) else decimal_text(log_eps, 15)
    return {**row.method, "eps": radius}
