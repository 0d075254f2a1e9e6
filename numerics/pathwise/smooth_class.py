"""P3 as a number: the expected largest deviation of a smooth class, enclosed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from flint import arb

from majorant.derivation.errors import UnusableInput
from majorant.derivation.pathwise.expected_supremum import expected_supremum, smoothness_radius
from majorant.derivation.pathwise.lattice import lattice_counts
from majorant.derivation.symbols import (
    A_period,
    D,
    Gamma_s,
    Q_cut,
    R_of,
    chi_of,
    count_of,
    cut_of,
    d,
    n,
    rho,
    s,
)
from majorant.numerics.lowering.balls import ball_function, to_ball
from majorant.numerics.pathwise.chain import Chain
from majorant.numerics.pathwise.cutoff import cutoff_derivatives

# Widths of the cut-off that are tried; every width gives a true bound.
WIDTHS = tuple(Fraction(2) ** k for k in range(-4, 6))
TERMS = 400
MOST_SMOOTHNESS = 12


@dataclass(frozen=True)
class ExpectedSupremum:
    """`value` encloses P3's bound; `smoothness` and `width` are the best that were found."""

    value: arb
    smoothness: int
    width: Fraction
    gamma: arb


def required_smoothness(dimension: int) -> int:
    """The least `s` with `2 s > d`.

    >>> [required_smoothness(k) for k in (1, 2, 3, 8)]
    [1, 2, 2, 5]
    """
    return dimension // 2 + 1


def best_cut(q: int, period: Fraction, chain: Chain) -> int:
    """The lag at which the two bounds on a correlation cross; any lag gives a true bound."""
    spread = 2 * math.pi * math.sqrt(q) * float(chain.diameter / period) / math.sqrt(2)
    rho_ = float(chain.positive_rho)
    return max(0, math.floor(math.log(spread) / math.log(1 / rho_))) if spread > 1 else 0


@lru_cache(maxsize=16)
def _gamma(order: int) -> Callable[..., arb]:
    expr = smoothness_radius.subs(s, order).doit()
    names: dict[sp.Basic, sp.Symbol] = {}
    for j in range(order + 1):
        names[R_of[j]] = sp.Symbol(f"R_{j}", nonnegative=True)
        names[chi_of[j]] = sp.Symbol(f"chi_{j}", nonnegative=True)
    radii = [names[R_of[j]] for j in range(order + 1)]
    cutoffs = [names[chi_of[j]] for j in range(order + 1)]
    return ball_function(expr.xreplace(names), [d, *radii, *cutoffs])


@lru_cache(maxsize=1)
def _supremum() -> Callable[..., arb]:
    return ball_function(
        expected_supremum,
        [Gamma_s, s, d, n, rho, D, A_period, Q_cut, count_of, cut_of])


def lattice_terms(dimension: int) -> int:
    """Squared length up to which the lattice is summed exactly: well beyond `d`."""
    return max(TERMS, 16 * dimension * dimension)


def smooth_supremum(
    chain: Chain, steps: int, radii: Callable[[Fraction], Sequence[arb]] | Sequence[arb],
    orders: Sequence[int] | None = None, widths: Sequence[Fraction] = WIDTHS,
) -> ExpectedSupremum:
    """The smallest P3 bound over smoothness orders and widths of the cut-off.

    `radii[k]` bounds the derivatives of order `k = 0..s` on the enlarged cube (`radii[0]` is half
    the range of the loss); a function of the width is called for each width that is tried.
    Raises `UnusableInput` when no order in `orders` exceeds `d/2` or radii are missing.

    >>> from majorant.numerics.pathwise.chain import parse_chain
    >>> chain = parse_chain("rho=0.5,diameter=1,dim=1")
    >>> found = smooth_supremum(chain, 10_000, [arb(1) / 2, arb(1), arb(1)])
    >>> bool(found.value < arb("0.1"))
    True
    """
    if steps < 1:
        raise UnusableInput(f"n={steps}: the trajectory needs at least one step")
    least = required_smoothness(chain.dimension)
    if least > MOST_SMOOTHNESS:
        raise UnusableInput(
            f"P3 needs 2 s > d = {chain.dimension}: {least} derivatives, and bounds on that many "
            "are hopeless; use the cover of the weights (P5), which does not depend on d")
    best: ExpectedSupremum | None = None
    counts = lattice_counts(chain.dimension, lattice_terms(chain.dimension))[1:]
    for width in widths:
        given = list(radii(width) if callable(radii) else radii)
        allowed = range(least, len(given)) if orders is None else orders
        usable = [order for order in allowed if least <= order < len(given)]
        if not usable:
            raise UnusableInput(
                f"P3 needs 2 s > d = {chain.dimension}: at least {least} derivatives, "
                f"{len(given) - 1} are given; raise --order to {least}, lower the dimension, or "
                "use the cover of the weights (P5)")
        period = 1 + 2 * width
        cuts = [best_cut(q, period, chain) for q in range(1, len(counts) + 1)]
        for order in usable:
            chi = cutoff_derivatives(order, chain.dimension, width)
            gamma = _gamma(order)(chain.dimension, *given[: order + 1], *chi)
            value = _supremum()(
                gamma, order, chain.dimension, steps, chain.positive_rho, chain.diameter, period,
                len(counts), counts, cuts)
            if not value.is_finite():
                continue
            if best is None or to_ball(value).upper() < best.value.upper():
                best = ExpectedSupremum(value, order, width, gamma)
    if best is None:
        raise UnusableInput("P3: every width gave an infinite value; the radii are not finite")
    return best
