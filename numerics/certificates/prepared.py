"""What every bound's search returns: its value in floats at any `n`, and a proposal to check."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from majorant.derivation.certificate import exact_fraction
from majorant.numerics.certificates.leverage import Pull, leverage
from majorant.numerics.certificates.problem import Gridded, Problem

LOG_TARGET = math.log(0.5)


@dataclass(frozen=True)
class Prepared(ABC):
    """A searched bound. Floats here are untrusted; the checker evaluates the proposal."""

    problem: Problem
    bound: str
    grid: Gridded
    constants: str

    @abstractmethod
    def log_value(self, log_n: float, error: float) -> float:
        """Log of the bound at sample size `exp(log_n)` and margin error `error`."""

    @abstractmethod
    def choices(self, log_n: float) -> dict[str, Any]:
        """The proposal's classes and covers, for this sample size."""

    @abstractmethod
    def pulls(self, log_n: float) -> dict[str, Pull]:
        """Elasticity of the needed sample size in every `kappa_a` and size, at this `n`."""

    def parts(self, log_n: float) -> dict[str, float]:
        """Each parameter's fraction of a closed form; none where the checker's entropies say it."""
        return {}

    def leverage(self, log_n: float) -> dict[str, float]:
        """By how many per cent `n*` falls for one per cent off each norm, near `exp(log_n)`."""
        return leverage(self.problem, self.grid, self.constants, self.pulls(log_n))

    @property
    def log_one_over_delta(self) -> float:
        """`log(1/delta)`."""
        delta: Fraction = exact_fraction(self.problem.delta, "delta")
        return -math.log(delta)

    def proposal(self, n: int) -> dict[str, Any]:
        """The certificate's proposal at sample size `n`."""
        return {"bound": self.bound, "constants": self.constants, **self.grid.json(),
                **self.choices(math.log(n))}

    def log_n_star(self) -> float:
        """Log of the sample size at which the bound reaches 1/2 with no empirical error."""
        def excess(log_n: float) -> float:
            return self.log_value(log_n, 0.0) - LOG_TARGET

        low, above = 0.0, excess(0.0)
        high = 16.0
        while (below := excess(high)) >= 0:
            low, above, high = high, below, 2 * high
            if high > 2.0**20:
                return math.inf
        for _ in range(60):  # bounds fall like n^(-1/2), up to logarithms and a flat start
            if high - low < 1e-7 or -1e-7 < below < 0:
                break
            slope = (below - above) / (high - low)
            trial = high - (below - 5e-8) / slope if slope < -0.1 else (low + high) / 2
            trial = min(max(trial, low + 0.02 * (high - low)), high - 1e-9)
            found = excess(trial)
            if found >= 0:
                low, above = trial, found
            else:
                high, below = trial, found
        return high


def log_rademacher_bound(error: float, log_complexity: float, paid: float, log_n: float) -> float:
    """Log of `error + 2 r + sqrt(paid/(2n))` (G1), with `log r` given."""
    parts = [log_complexity + math.log(2), 0.5 * (math.log(paid) - math.log(2) - log_n)]
    if error > 0:
        parts.append(math.log(error))
    top = max(parts)
    return top + math.log(math.fsum(math.exp(x - top) for x in parts))
