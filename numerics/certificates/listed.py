"""Bounds by a finite list of networks (G5, G7): `occam` and `parameter-count`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from majorant.numerics.certificates.covering import Plan, candidates, cover_json
from majorant.numerics.certificates.leverage import Pull, plan_pulls
from majorant.numerics.certificates.prepared import Prepared
from majorant.numerics.certificates.problem import Problem, grid_price
from majorant.numerics.optimize.covers import COUNTING_KINDS, MATRIX_KINDS
from majorant.numerics.optimize.kl import kl_inverse


@dataclass(frozen=True)
class Listed(Prepared):
    """One cover at the radius `gamma/(2 Rho)`."""

    found: Plan

    @property
    def nats(self) -> float:
        """Entropy, prices and `log(1/delta)`."""
        return self.found.total + grid_price(self.grid) + self.log_one_over_delta

    def log_value(self, log_n: float, error: float) -> float:
        level = math.exp(min(700.0, math.log(self.nats) - log_n))
        value = kl_inverse(error, level) if error > 0 else -math.expm1(-level)
        return math.log(value) if value > 0 else -math.inf

    def log_n_star(self) -> float:
        """With no error the bound is `1 - exp(-nats/n)`, below 1/2 from `nats/log 2` on."""
        return math.log(self.nats) - math.log(math.log(2))

    def pulls(self, log_n: float) -> dict[str, Pull]:
        """`n*` is proportional to the nats."""
        return {name: pull.scaled(1 / self.nats)
                for name, pull in plan_pulls(self.problem, self.found).items()}

    def choices(self, log_n: float) -> dict[str, Any]:
        ids = [p.id for p in self.problem.trained]
        chosen = list(zip(ids, self.found.rows, self.found.log_eps, strict=True))
        return {"classes": {name: row.family for name, row, _ in chosen},
                "scales": [{"covers": {name: cover_json(row, log_eps)
                                       for name, row, log_eps in chosen}}]}


def prepare_listed(problem: Problem, bound: str, *, fineness: int | None = None,
                   constants: str = "sharp", split: str = "best") -> Listed:
    """Search the classes and covers of `occam`, or count parameters at an equal split."""
    counting = bound == "parameter-count"
    found = candidates(problem, fineness=fineness, constants=constants,
                       kinds=COUNTING_KINDS if counting else MATRIX_KINDS,
                       split="equal" if counting else split).cover()
    return Listed(problem, bound, found.grid, constants, found)
