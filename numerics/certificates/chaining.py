"""The envelope bound: spectral covers at several scales, chained on a tree (G3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from majorant.numerics.certificates.covering import Plan, cover_json, plan
from majorant.numerics.certificates.prepared import Prepared, log_rademacher_bound
from majorant.numerics.certificates.problem import Problem, grid_price
from majorant.numerics.optimize.covers import Row, rows_of

_FINEST = 12  # scales 1/4, 1/8, ..., 2^-13
_REFERENCE = 3.0  # classes are chosen for the scale 1/16


@dataclass(frozen=True)
class Chained(Prepared):
    """Plans at dyadic scales `e_j = 2^-(j+1)`; any decreasing subset of them is a chain."""

    plans: tuple[Plan, ...]

    @property
    def paid(self) -> float:
        """Prices and `log(1/delta)`."""
        classes = math.fsum(row.price for row in self.plans[0].rows)
        return classes + grid_price(self.grid) + self.log_one_over_delta

    def entropy(self, j: int) -> float:
        """`H(e_j)` of the network at scale `j = 1, 2, ...`, without prices."""
        found = self.plans[j - 1]
        return max(0.0, found.total - math.fsum(row.price for row in found.rows))

    def chain(self, log_n: float) -> tuple[list[int], float]:
        """The best subset of the scales (a shortest path) and the complexity that it gives."""
        count = len(self.plans)
        best: list[tuple[float, int]] = [(0.0, 0)]
        links = [0.0] + [math.sqrt(2 * self.entropy(j)) * math.exp(-log_n / 2)
                         for j in range(1, count + 1)]
        for j in range(1, count + 1):
            best.append(min((best[i][0] + 2.0 ** -(i + 1) * links[j], i) for i in range(j)))
        value, last = min((best[j][0] + 2.0 ** -(j + 1), j) for j in range(1, count + 1))
        path = [last]
        while best[path[-1]][1]:
            path.append(best[path[-1]][1])
        return path[::-1], value

    def log_value(self, log_n: float, error: float) -> float:
        return log_rademacher_bound(error, math.log(self.chain(log_n)[1]), self.paid, log_n)

    def choices(self, log_n: float) -> dict[str, Any]:
        ids = [p.id for p in self.problem.trained]
        scales = []
        for j in self.chain(log_n)[0]:
            found = self.plans[j - 1]
            covers = {name: cover_json(row, log_eps) for name, row, log_eps
                      in zip(ids, found.rows, found.log_eps, strict=True)}
            scales.append({"e": 2.0 ** -(j + 1), "covers": covers})
        families = {name: row.family
                    for name, row in zip(ids, self.plans[0].rows, strict=True)}
        return {"classes": families, "scales": scales}


def _internal(row: Row) -> bool:
    """Whether the cover's centres lie in the class (then G3 has its smaller links)."""
    if row.method["method"] == "C3":
        return row.family["kind"] != "staircase" and row.method["rank"] == row.family["rank"]
    return row.method["method"] != "C1"


def prepare_chained(problem: Problem, *, fineness: int | None = None, constants: str = "sharp",
                    split: str = "best") -> Chained:
    """Choose classes at one scale, then cover them at every dyadic scale."""
    first = plan(problem, fineness=fineness, constants=constants, split=split,
                 log_scale=-_REFERENCE * math.log(2))
    options = []
    for parameter, row in zip(problem.trained, first.rows, strict=True):
        rows = rows_of(parameter, first.grid.fineness)
        options.append([r for r in rows if r.family == row.family and _internal(r)])
    plans = tuple(
        plan(problem, fineness=first.grid.fineness, constants=constants, split=split,
             fixed=options, log_scale=-j * math.log(2)) for j in range(1, _FINEST + 1))
    return Chained(problem, "envelope", first.grid, constants, plans)
