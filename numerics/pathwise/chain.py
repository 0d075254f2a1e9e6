"""A contracting chain as the user states it: contraction, diameters, dimension."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from majorant.derivation.errors import UnusableInput

# rho = 0 is evaluated as this: a contraction constant may always be enlarged.
SMALLEST_RHO = Fraction(1, 2**20)


@dataclass(frozen=True)
class Chain:
    """What the guarantee assumes about the chain; all numbers are exact.

    `rho` the Wasserstein contraction, `diameter` of the state space (inside the unit cube),
    `dimension` of the state, `step_diameter` the largest diameter of the support of one step.

    >>> Chain(rho=Fraction(1, 2), diameter=Fraction(1), dimension=2).step_diameter
    Fraction(1, 1)
    """

    rho: Fraction
    diameter: Fraction
    dimension: int
    step: Fraction | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.rho < 1:
            raise UnusableInput(
                f"rho={float(self.rho):g}: expected 0 <= rho < 1. Without contraction one "
                "trajectory may never see most of the space; use several steps of the chain as one "
                "(its contraction is rho^steps), or independent samples")
        if self.diameter <= 0:
            raise UnusableInput(f"diameter={float(self.diameter):g}: expected a positive number")
        if self.dimension < 1:
            raise UnusableInput(f"dim={self.dimension}: expected a whole number from 1")
        if self.diameter**2 > self.dimension:
            raise UnusableInput(
                f"diameter={float(self.diameter):g}: the state space lies in the unit cube, whose "
                f"diameter is sqrt({self.dimension}); scale the states to [0, 1]^{self.dimension} "
                "and the diameter with them")
        if self.step is not None and not 0 < self.step <= self.diameter:
            raise UnusableInput(
                f"step={float(self.step):g}: the support of one step lies in the state space, so "
                f"expected 0 < step <= diameter={float(self.diameter):g}")

    @property
    def step_diameter(self) -> Fraction:
        """Largest diameter of the support of one step; the diameter where it is not known."""
        return self.diameter if self.step is None else self.step

    @property
    def positive_rho(self) -> Fraction:
        """`rho`, or a tiny larger number where it is 0 and a logarithm is needed."""
        return max(self.rho, SMALLEST_RHO)


def parse_chain(text: str) -> Chain:
    """A chain from `rho=0.5,diameter=1,dim=2[,step=0.5]`; numbers are read exactly.

    Raises `UnusableInput` naming the key that is missing, unknown or not a number.

    >>> parse_chain("rho=1/2, diameter=1, dim=2")
    Chain(rho=Fraction(1, 2), diameter=Fraction(1, 1), dimension=2, step=None)
    """
    known = {"rho", "diameter", "dim", "step"}
    given: dict[str, Fraction] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, _, value = part.partition("=")
        key = key.strip()
        if key not in known:
            raise UnusableInput(f"chain: unknown key {key!r}; expected {', '.join(sorted(known))}")
        if key in given:
            raise UnusableInput(f"chain: {key} is given twice")
        try:
            given[key] = Fraction(value.strip())
        except (ValueError, ZeroDivisionError):
            raise UnusableInput(f"chain: {key}={value.strip()!r} is not a number") from None
    missing = [key for key in ("rho", "diameter", "dim") if key not in given]
    if missing:
        raise UnusableInput(
            f"chain: {', '.join(missing)} missing; write rho=0.5,diameter=1,dim=2")
    if given["dim"].denominator != 1:
        raise UnusableInput(f"chain: dim={given['dim']} is not a whole number")
    return Chain(given["rho"], given["diameter"], int(given["dim"]), given.get("step"))


def check_states(chain: Chain, lowest: float, highest: float, largest_distance: float) -> None:
    """Refuse a chain whose stated diameter is exceeded by observed states.

    >>> check_states(parse_chain("rho=0.5,diameter=0.5,dim=1"), 0.0, 1.0, 0.9)
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.UnusableInput: the data have two states at distance 0.9, the chain \
was declared with diameter 0.5; declare at least 0.9
    """
    if lowest < 0 or highest > 1:
        raise UnusableInput(
            f"the data reach from {lowest:g} to {highest:g}; states must be scaled to [0, 1]")
    if Fraction(largest_distance) > chain.diameter:
        raise UnusableInput(
            f"the data have two states at distance {largest_distance:g}, the chain was declared "
            f"with diameter {float(chain.diameter):g}; declare at least {largest_distance:g}")
