"""P5 as a number: chaining over covers of the weights in the Lipschitz norm, enclosed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb

from majorant.derivation.covering.ball import ball_entropy
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import parameters
from majorant.derivation.pathwise.weight_chaining import weight_chaining
from majorant.derivation.symbols import R_1, D, H_of, J, d_dim, eps, n, radius, rho, scale_of
from majorant.numerics.derivatives.sensitivity import lipschitz_sensitivities
from majorant.numerics.lowering.balls import ball_function
from majorant.numerics.pathwise.block import StateClass
from majorant.numerics.pathwise.chain import Chain
from majorant.numerics.pathwise.class_radii import state_radii
from majorant.numerics.pathwise.rational import rational_above
from majorant.numerics.rings import BallRing

# Ratios of consecutive chaining scales that are tried; every choice gives a true bound.
RATIOS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 5))
MOST_SCALES = 40


@dataclass(frozen=True)
class WeightSupremum:
    """`value` encloses P5's bound; scales from the coarsest, entropies in nats from the second."""

    value: arb
    scales: tuple[Fraction, ...]
    entropies: tuple[float, ...]


@lru_cache(maxsize=1)
def _formulas() -> tuple[Any, Any]:
    return (ball_function(weight_chaining(internal=True),
                          [R_1, D, rho, n, J, scale_of, H_of]),
            ball_function(ball_entropy(), [d_dim, radius, eps]))


@dataclass(frozen=True)
class _Ball:
    """One trained parameter: its dimension, radius, and movement of `D_1` per unit (all upper)."""

    dimension: int
    radius: Fraction
    sensitivity: Fraction


@lru_cache(maxsize=16)
def _balls(members: StateClass) -> tuple[_Ball, ...]:
    ring = BallRing()
    norms: dict[str, Any] = {key: ring.fraction(v) for key, v in members.norms.items()}
    norms["input"] = ring.sqrt(ring.fraction(Fraction(members.width)))
    moves: Mapping[str, arb] = lipschitz_sensitivities(members.network, norms, ring)
    found: list[_Ball] = []
    for key, parameter in parameters(members.network).items():
        if members.norms[key] == 0 or key not in moves:
            continue
        if not moves[key].is_finite():
            raise UnusableInput(f"{key}: its effect on the Lipschitz constant is not finite")
        found.append(_Ball(parameter.rows * parameter.cols, members.norms[key],
                           rational_above(moves[key])))
    return tuple(found)


def entropy_at(balls: tuple[_Ball, ...], scale: Fraction) -> arb:
    """Entropy of the class at `scale` in the Lipschitz norm (C1 with C7).

    Each ball gets a share of the radius proportional to its dimension, which is optimal up to
    lower order when every radius is small against its ball.
    """
    total = sum(ball.dimension for ball in balls)
    entropy = _formulas()[1]
    result = arb(0)
    for ball in balls:
        if ball.sensitivity > 0:
            share = scale * Fraction(ball.dimension, total) / ball.sensitivity
            if share < ball.radius:
                result += entropy(ball.dimension, ball.radius, share)
    return result


def weight_supremum(chain: Chain, members: StateClass, steps: int) -> WeightSupremum:
    """The smallest P5 bound over geometric scales.

    Needs a network that is twice differentiable (the Lipschitz constant must move smoothly with
    the weights) and spectral balls of weights, which are convex.
    Raises `UnusableInput` for ReLU and projections.

    >>> from majorant.numerics.pathwise.block import parse_block
    >>> from majorant.numerics.pathwise.chain import parse_chain
    >>> found = weight_supremum(parse_chain("rho=0.5,diameter=1,dim=2"),
    ...                         parse_block("norm=0.5"), 10**8)
    >>> bool(found.value < 1)
    True
    """
    balls = _balls(members)
    lipschitz = state_radii(members, 1)(Fraction(0))[1]
    top = rational_above(lipschitz)
    if top == 0 or not balls:
        return WeightSupremum(arb(0), (), ())
    best: WeightSupremum | None = None
    for ratio in RATIOS:
        scales, entropies = [top], []
        for _ in range(MOST_SCALES):
            scales.append(scales[-1] * ratio)
            entropies.append(entropy_at(balls, scales[-1]))
            value = _formulas()[0](lipschitz, chain.diameter, chain.rho, steps, len(entropies),
                                   scales, entropies)
            if value.is_finite() and (
                best is None or float(value.upper()) < float(best.value.upper())
            ):
                best = WeightSupremum(value, tuple(scales),
                                      tuple(float(h.mid()) for h in entropies))
            if float(scales[-1]) < float(top) / math.sqrt(steps) / 100:
                break
    if best is None:
        raise UnusableInput("P5: no finite bound; the norms of the class are too large")
    return best
