"""Chains with a known law, and networks of the class pushed to the largest deviation.

`Z' = rho Z + (1 - rho) U` with `U` uniform on the unit cube, or on its corners, contracts by
exactly `rho`; one step has a support of diameter `(1 - rho) sqrt(d)`. Its stationary law is the
law of the sum of `(1 - rho) rho^k U_k`, which can be sampled directly (corners and `rho = 1/2`:
the uniform law on the cube).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import torch
from torch import Tensor

from majorant.experiments.networks.residual import ResidualScore
from majorant.numerics.pathwise.block import StateClass
from majorant.numerics.pathwise.chain import Chain, check_states
from majorant.numerics.pathwise.guarantee import pathwise_guarantee
from majorant.numerics.pathwise.trajectory import largest_distance

Noise = Literal["cube", "corners"]
#: Draws of the stationary law on which a deviation is maximized, and on which it is measured.
FIT, CHECK = 4_000, 40_000


def _draw(noise: Noise, count: int, dimension: int, generator: torch.Generator) -> Tensor:
    uniform = torch.rand(count, dimension, generator=generator, dtype=torch.float64)
    return uniform if noise == "cube" else uniform.round()


def simulate(rho: float, dimension: int, steps: int, seed: int, start: float = 0.0,
             noise: Noise = "cube") -> Tensor:
    """One trajectory `Z_1..Z_n` from `start` in every coordinate, shape (steps, dimension).

    >>> bool((simulate(0.5, 2, 100, 0) <= 1).all())
    True
    """
    generator = torch.Generator().manual_seed(seed)
    moves = _draw(noise, steps, dimension, generator)
    state = torch.full((dimension,), start, dtype=torch.float64)
    path = torch.empty_like(moves)
    for step in range(steps):
        state = rho * state + (1 - rho) * moves[step]
        path[step] = state
    return path


def stationary(rho: float, dimension: int, count: int, seed: int,
               noise: Noise = "cube") -> Tensor:
    """Independent draws of the stationary law, truncated where `rho^k` is below 1e-15."""
    generator = torch.Generator().manual_seed(seed)
    terms = 1 if rho == 0 else math.ceil(math.log(1e-15) / math.log(rho))
    total = torch.zeros(count, dimension, dtype=torch.float64)
    for power in range(terms):
        total += (1 - rho) * rho**power * _draw(noise, count, dimension, generator)
    return total


@dataclass(frozen=True)
class Deviation:
    """The largest deviation found, its standard error, and what the guarantee allows."""

    found: float
    standard_error: float
    allowed: float
    route: str

    @property
    def ratio(self) -> float:
        """Allowed over found."""
        return self.allowed / self.found


def uniform_chain(rho: Fraction, dimension: int) -> Chain:
    """The chain above as the guarantee sees it; diameters rounded up to rationals."""
    diameter = Fraction(math.isqrt(dimension * 10**12), 10**6)
    while diameter**2 < dimension:
        diameter += Fraction(1, 10**6)
    if diameter**2 > dimension:
        # The declared diameter may not exceed the cube's; take the largest rational below, and
        # correct by shrinking the cube the chain lives in.
        diameter -= Fraction(1, 10**6)
    return Chain(rho, diameter, dimension, (1 - rho) * diameter)


def largest_deviation(members: StateClass, rho: Fraction, steps: int, *, seed: int = 0,
                      ascents: int = 3, iterations: int = 150, start: float = 0.0,
                      noise: Noise = "cube",
                      failure: Fraction = Fraction(1, 20)) -> Deviation:
    """Push networks of the class to the largest `|pi(g) - pi_n(g)|` by projected gradient ascent.

    Changing the sign of the readout changes that of the deviation (the loss is a sigmoid), so
    both signs are equal. The deviation is maximized on one sample of the stationary law and
    measured on another, so the figure is honest up to its standard error. All states are shrunk
    by 1e-5 so that the declared diameter is an upper bound, which is checked on the trajectory.
    """
    dimension = members.dimension
    chain = uniform_chain(rho, dimension)
    shrink = 1 - 1e-5
    path = shrink * simulate(float(rho), dimension, steps, seed, start, noise)
    check_states(chain, float(path.min()), float(path.max()), largest_distance(path.numpy()))
    fit = shrink * stationary(float(rho), dimension, FIT, seed + 10**6, noise)
    check = shrink * stationary(float(rho), dimension, CHECK, seed + 2 * 10**6, noise)
    best, error = -math.inf, 0.0
    for attempt in range(ascents):
        network = ResidualScore(members, seed=seed * 1000 + attempt)
        optimizer = torch.optim.Adam(network.parameters(), lr=0.05)
        for _ in range(iterations):
            optimizer.zero_grad()
            loss = network(path).mean() - network(fit).mean()
            loss.backward()
            optimizer.step()
            network.project()
        with torch.no_grad():
            values = network(check)
            deviation = abs(float(values.mean() - network(path).mean()))
        if deviation > best:
            best, error = deviation, float(values.std()) / math.sqrt(len(values))
    # Risk at the end of the sample, empirical risk 0 and no bias: expected supremum plus
    # concentration.
    found = pathwise_guarantee(chain, members, steps, steps, failure=failure)
    allowed = float((found.expected_supremum + found.concentration).upper())
    return Deviation(best, error, allowed, found.route)
