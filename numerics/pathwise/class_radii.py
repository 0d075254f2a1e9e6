"""Bounds `R_0..R_s` on the derivatives of a class, on the cube and on enlarged cubes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from flint import arb

from majorant.derivation.network.series import propagate_series
from majorant.numerics.pathwise.block import StateClass
from majorant.numerics.rings import BallRing


def state_radii(members: StateClass, order: int) -> Callable[[Fraction], list[arb]]:
    """A function of the enlargement `w`: enclosures of `R_0..R_order` on `(-w, 1 + w)^d`.

    `R_0` is one half: the loss lies in [0, 1] and a constant may be subtracted. A direction of
    Euclidean norm 1 moves every row by at most 1, so bounds in the (2, inf) norm serve.
    Raises `UnusableInput` for order >= 2 through ReLU or a projection.

    >>> from majorant.numerics.pathwise.block import parse_block
    >>> radii = state_radii(parse_block("width=2, norm=0.5"), 2)(Fraction(0))
    >>> len(radii), bool(radii[1] < 1)
    (3, True)
    """
    def radii(enlargement: Fraction) -> list[arb]:
        return list(_radii(members, order, enlargement))

    return radii


@lru_cache(maxsize=256)
def _radii(members: StateClass, order: int, enlargement: Fraction) -> tuple[arb, ...]:
    ring = BallRing()
    norms = {name: ring.fraction(norm) for name, norm in members.norms.items()}
    width = ring.fraction(Fraction(members.width))
    norms["input"] = ring.mul(ring.fraction(1 + enlargement), ring.sqrt(width))
    series = propagate_series(members.network, norms, ring, order)
    return (ring.fraction(Fraction(1, 2)), *(series.bound(k) for k in range(1, order + 1)))
