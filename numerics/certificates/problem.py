"""What is to be certified, and the sensitivities that a choice of grid gives (in logarithms)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from majorant.derivation.certificate import NumberRole, exact_fraction, number_roles
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network, parameters, propagate
from majorant.derivation.network.json_form import to_json
from majorant.numerics.optimize.grids import index_down, index_up, log_ratio
from majorant.numerics.optimize.parameters import Parameter
from majorant.numerics.optimize.prices import fineness_price, real_price
from majorant.numerics.rings import LogFloatRing


@dataclass(frozen=True)
class Empirical:
    """The sample's side: `errors` of the `n` examples have margin at most `margin` (ties count).

    With `variances` (G7), `errors` counts the examples that are not (margin, v)-good.
    """

    margin: float
    errors: int
    variances: Mapping[str, float] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """The certificate's entry."""
        return {"margin": self.margin, "errors": self.errors, "variances": dict(self.variances)}


@dataclass(frozen=True)
class Problem:
    """A network with verified sizes, a sample size, a failure probability and a margin error.

    `numbers` gives the input radius and the norms of products that the description names.
    """

    network: Network
    parameters: tuple[Parameter, ...]
    numbers: Mapping[str, float]
    n: int
    delta: float | str
    empirical: Empirical
    seq_len: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.n, bool) or not isinstance(self.n, int) or self.n < 1:
            raise UnusableInput(f"n: expected a positive number of sequences, got {self.n!r}")
        if not 0 < exact_fraction(self.delta, "delta") < 1:
            raise UnusableInput(f"delta: expected 0 < delta < 1, got {self.delta!r}")
        if not 0 <= self.empirical.errors <= self.n:
            raise UnusableInput(
                f"margin error: {self.empirical.errors} of {self.n} examples is not a fraction")
        if not (math.isfinite(self.empirical.margin) and self.empirical.margin > 0):
            raise UnusableInput(f"margin: expected a positive number, got {self.empirical.margin}")
        described = parameters(self.network)
        given = {p.id: p for p in self.parameters}
        if missing := sorted(described.keys() - given.keys()):
            raise UnusableInput(f"{missing[0]}: the network has this parameter, but its size is "
                                f"not given ({len(missing)} missing)")
        if extra := sorted(given.keys() - described.keys()):
            raise UnusableInput(f"{extra[0]}: not a parameter of the network")
        for name, part in described.items():
            shape = (part.rows, part.cols) if part.kind == "matrix" else (part.cols,)
            if (given[name].kind, given[name].shape) != (part.kind, shape):
                raise UnusableInput(f"{name}: the network has a {part.kind} of shape {shape}, got "
                                    f"a {given[name].kind} of shape {given[name].shape}")
        roles = number_roles(self.network)
        for name, role in roles.items():
            if role.role != "floor" and name not in self.numbers:
                raise UnusableInput(f"{name}: the network needs this number")
            if role.role == "floor" and role.probe not in self.empirical.variances:
                raise UnusableInput(f"{role.probe}: this normalization has a variance floor, but "
                                    "no threshold was measured")

    @property
    def trained(self) -> tuple[Parameter, ...]:
        """The parameters that the class ranges over."""
        return tuple(p for p in self.parameters if p.trained)

    def inputs(self) -> dict[str, Any]:
        """The certificate's inputs: what the digest protects and the checker reads."""
        return {
            "network": to_json(self.network),
            "parameters": {p.id: p.json() for p in self.parameters},
            "numbers": dict(self.numbers),
            "n": self.n, "delta": self.delta, "seq_len": self.seq_len,
            "empirical": self.empirical.json(),
        }


@dataclass(frozen=True)
class Gridded:
    """Grid indices of everything that enters the sensitivities, at one fineness."""

    fineness: int
    margin: int
    norms: dict[str, int]
    own: dict[str, int]
    numbers: dict[str, int]
    variances: dict[str, int]

    def json(self) -> dict[str, Any]:
        """The proposal's fields (class norms are inside the classes)."""
        return {"fineness": self.fineness, "margin": self.margin, "own": self.own,
                "numbers": self.numbers, "variances": self.variances}


def grid_price(grid: Gridded) -> float:
    """Price of everything on the grid but the classes, in nats (floats, untrusted)."""
    indices = [grid.margin, *grid.own.values(), *grid.numbers.values(), *grid.variances.values()]
    return fineness_price(grid.fineness) + math.fsum(real_price(j) for j in indices)


def on_grid(problem: Problem, fineness: int) -> Gridded:
    """Round every norm up, the margin and the variance thresholds down."""
    positive = [p for p in problem.trained if p.size > 0]
    referenced = [p for p in problem.trained if p.reference_norm is not None]
    roles = number_roles(problem.network)
    return Gridded(
        fineness, index_down(problem.empirical.margin, fineness),
        {p.id: index_up(p.size, fineness) for p in positive},
        {p.id: index_up(p.own_norm, fineness) for p in referenced if p.own_norm},
        {name: index_up(problem.numbers[name], fineness) for name, role in roles.items()
         if role.role == "norm" and problem.numbers[name] > 0},
        {name: index_down(value, fineness)
         for name, value in problem.empirical.variances.items()})


@dataclass(frozen=True)
class Sensitivities:
    """Log kappas of the trained parameters: to the output, and to each probed normalization."""

    output: NDArray[np.float64]
    probes: dict[str, NDArray[np.float64]]

    def weights(self, log_eps: float, log_rooms: Mapping[str, float]) -> NDArray[np.float64]:
        """Log of the largest `kappa / room` over all constraints (shares of the tightest)."""
        parts = [self.output - log_eps]
        parts += [self.probes[name] - room for name, room in log_rooms.items()]
        return np.max(parts, axis=0)


def norms_of(problem: Problem, grid: Gridded) -> tuple[dict[str, float], dict[str, float]]:
    """Log norms for `propagate`: of the network itself, and of the centres where they differ."""
    step = log_ratio(grid.fineness)
    own: dict[str, float] = {}
    centres: dict[str, float] = {}
    for p in problem.parameters:
        if not p.trained:
            own[p.id] = _log(p.size if p.reference_norm is None else (p.own_norm or 0.0))
            continue
        moved = grid.norms[p.id] * step if p.id in grid.norms else -math.inf
        if p.reference_norm is None:
            own[p.id] = moved
        else:
            own[p.id] = grid.own[p.id] * step if p.id in grid.own else -math.inf
            centres[p.id] = float(np.logaddexp(_log(p.reference_norm), moved))
    for name, role in number_roles(problem.network).items():
        own[name] = _number(problem, grid, role, step)
    return own, centres


def _number(problem: Problem, grid: Gridded, role: NumberRole, step: float) -> float:
    if role.role == "input":
        return _log(problem.numbers[role.id])
    if role.role == "floor":
        return grid.variances[role.probe] * step - math.log(4)
    return grid.numbers[role.id] * step if role.id in grid.numbers else -math.inf


def sensitivities(problem: Problem, grid: Gridded, constants: str = "sharp") -> Sensitivities:
    """Propagate the gridded norms through the network, in logarithms of floats."""
    own, centres = norms_of(problem, grid)
    flow = propagate(problem.network, own, LogFloatRing(), constants,  # type: ignore[arg-type]
                     centres=centres)
    ids = [p.id for p in problem.trained]
    kappa = flow.kappa
    probed = flow.norm_kappas if problem.empirical.variances else {}
    return Sensitivities(
        np.array([kappa[name] for name in ids]),
        {name: np.array([probed[name].get(key, -math.inf) for key in ids])
         for name in problem.empirical.variances})


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf
