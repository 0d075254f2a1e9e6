"""Choose classes and covers for a problem: the proposal of the `occam` family (C8 with prices)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from majorant.derivation.certificate import decimal_text, number_roles
from majorant.numerics.certificates.problem import Gridded, Problem, on_grid, sensitivities
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


def plan(problem: Problem, *, fineness: int | None = None, constants: str = "sharp",
         kinds: Sequence[str] = MATRIX_KINDS, split: str = "best",
         fixed: Sequence[Sequence[Row]] | None = None, log_scale: float = 0.0) -> Plan:
    """The plan with the least entropy at radius `gamma / (2 Rho)` times `exp(log_scale)`.

    `split`: `"best"` (C8, never worse than the equal split because that is tried too) or
    `"equal"`, the published choice. `fixed` restricts each parameter to given rows.
    """
    grid = on_grid(problem, usual_fineness(problem) if fineness is None else fineness)
    flow = sensitivities(problem, grid, constants)
    options = fixed or [rows_of(p, grid.fineness, kinds) for p in problem.trained]
    weights = flow.weights(log_radius(problem, grid) + log_scale,
                           {k: v + log_scale for k, v in log_rooms(problem, grid).items()})
    menu = menu_of(options).scaled(weights)
    flat = [row for rows in options for row in rows]
    found = _solve(menu, split)
    # A matrix that is zero has share 0 and radius 0, also where its sensitivity is 0.
    log_eps = np.full_like(weights, -np.inf)
    np.subtract(found.log_share, weights, out=log_eps, where=found.log_share > -np.inf)
    return Plan(grid, constants, tuple(flat[m] for m in found.rows), tuple(log_eps.tolist()),
                tuple(found.entropy.tolist()))


def _solve(menu: Menu, split: str) -> Allocation:
    even = equal_split(menu)
    if split == "equal":
        return even
    best = allocate(menu)
    return best if best.total <= even.total else even


def cover_json(row: Row, log_eps: float) -> dict[str, Any]:
    """One parameter's cover at one scale: method, radius as decimal text."""
    radius = "0" if math.isinf(log_eps) else decimal_text(log_eps, 15)
    return {**row.method, "eps": radius}
