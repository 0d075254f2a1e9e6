"""P4 as numbers: the guarantee at a future time, its terms, and the sample that a target needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb

from majorant.derivation.errors import UnusableInput
from majorant.derivation.pathwise.bias import bias
from majorant.derivation.pathwise.concentration import concentration
from majorant.derivation.pathwise.guarantee import guarantee
from majorant.derivation.symbols import (
    R_1,
    D,
    D_step,
    delta,
    n,
    rho,
    risk_empirical,
    sup_expected,
    t_after,
)
from majorant.numerics.lowering.balls import ball_function
from majorant.numerics.pathwise.block import StateClass
from majorant.numerics.pathwise.chain import Chain
from majorant.numerics.pathwise.class_radii import state_radii
from majorant.numerics.pathwise.smooth_class import (
    MOST_SMOOTHNESS,
    WIDTHS,
    required_smoothness,
    smooth_supremum,
)
from majorant.numerics.pathwise.weight_cover import weight_supremum


@dataclass(frozen=True)
class PathwiseGuarantee:
    """The guarantee and its terms as balls; `route` is `P3` or `P5`, whichever is smaller."""

    total: arb
    empirical: arb
    bias: arb
    expected_supremum: arb
    concentration: arb
    route: str
    routes: dict[str, arb | str]
    lipschitz: arb
    detail: dict[str, Any]


@lru_cache(maxsize=1)
def _formulas() -> dict[str, Any]:
    return {
        "bias": ball_function(bias, [R_1, D, rho, t_after]),
        "concentration": ball_function(concentration, [R_1, D_step, rho, delta, n]),
        "total": ball_function(
            guarantee, [risk_empirical, sup_expected, R_1, D, D_step, rho, t_after, delta, n]),
    }


def validate(chain: Chain, members: StateClass, steps: int, time: int, delta_: Fraction,
             empirical: Fraction) -> None:
    """Refuse what the guarantee cannot be stated for; each message says what would be possible."""
    if steps < 1:
        raise UnusableInput(f"n={steps}: the trajectory needs at least one step")
    if time < steps:
        raise UnusableInput(
            f"t={time} lies before the end of the trajectory (n={steps}): the guarantee is about "
            f"times from n on; give t >= {steps} or a shorter trajectory")
    if not 0 < delta_ < 1:
        raise UnusableInput(f"delta={float(delta_):g}: expected 0 < delta < 1")
    if not 0 <= empirical <= 1:
        raise UnusableInput(
            f"empirical risk {float(empirical):g}: losses lie in [0, 1], so does their mean")
    if members.dimension != chain.dimension:
        raise UnusableInput(
            f"the chain has dimension {chain.dimension}, but {members.tokens} tokens of width "
            f"{members.width} have {members.dimension} entries; make them equal")


def pathwise_guarantee(
    chain: Chain, members: StateClass, steps: int, time: int, *,
    failure: Fraction = Fraction(1, 20), empirical: Fraction = Fraction(0),
    order: int | None = None, widths: Sequence[Fraction] = WIDTHS,
) -> PathwiseGuarantee:
    """P4 with the smaller of P3 (smoothness) and P5 (covers of the weights).

    `order` is the largest smoothness that P3 may use (by default two above the least).
    Raises `UnusableInput` as `validate` does, and when neither route is possible.

    >>> from majorant.numerics.pathwise.block import parse_block
    >>> from majorant.numerics.pathwise.chain import parse_chain
    >>> found = pathwise_guarantee(parse_chain("rho=0.5,diameter=1,dim=2"),
    ...                            parse_block("norm=0.5"), 10**6, 10**6 + 100)
    >>> found.route in ("P3", "P5"), bool(found.total > 0)
    (True, True)
    """
    validate(chain, members, steps, time, failure, empirical)
    least = required_smoothness(chain.dimension)
    highest = least + 2 if order is None else order
    lipschitz = state_radii(members, 1)(Fraction(0))[1]
    routes: dict[str, arb | str] = {}
    detail: dict[str, Any] = {}
    try:
        radii = state_radii(members, max(1, min(highest, MOST_SMOOTHNESS + 2)))
        smooth = smooth_supremum(chain, steps, radii, widths=widths)
        routes["P3"] = smooth.value
        detail["P3"] = {"smoothness": smooth.smoothness, "cut_off_width": str(smooth.width)}
    except UnusableInput as error:
        routes["P3"] = str(error)
    try:
        cover = weight_supremum(chain, members, steps)
        routes["P5"] = cover.value
        detail["P5"] = {"scales": [str(x) for x in cover.scales], "entropy": cover.entropies}
    except UnusableInput as error:
        routes["P5"] = str(error)
    values = {name: value for name, value in routes.items() if isinstance(value, arb)}
    if not values:
        raise UnusableInput("no route is possible. " + " ".join(
            f"{name}: {why}" for name, why in routes.items()))
    route = min(values, key=lambda name: float(values[name].upper()))
    formulas = _formulas()
    rest = (lipschitz, chain.diameter, chain.step_diameter, chain.rho, time - steps, failure, steps)
    return PathwiseGuarantee(
        total=formulas["total"](empirical, values[route], *rest),
        empirical=arb(empirical.numerator) / empirical.denominator,
        bias=formulas["bias"](lipschitz, chain.diameter, chain.rho, time - steps),
        expected_supremum=values[route],
        concentration=formulas["concentration"](
            lipschitz, chain.step_diameter, chain.rho, failure, steps),
        route=route, routes=routes, lipschitz=lipschitz, detail=detail)


def steps_for(chain: Chain, members: StateClass, target: Fraction, *, after: int,
              failure: Fraction = Fraction(1, 20), order: int | None = None) -> int | None:
    """The least `n`, to a thousandth, whose guarantee is below `target`, or None beyond 2^80.

    The guarantee is evaluated `after` steps past the end of the sample, at empirical risk 0.
    """
    first = pathwise_guarantee(chain, members, 10**6, 10**6 + after, failure=failure, order=order)
    # The best cut-off hardly depends on n; any choice gives a true bound.
    widths = [Fraction(first.detail["P3"]["cut_off_width"])] if "P3" in first.detail else WIDTHS

    def value(steps: int) -> float:
        found = pathwise_guarantee(chain, members, steps, steps + after, failure=failure,
                                   order=order, widths=widths)
        return float(found.total.upper())

    high = 1
    while value(high) > target:
        high *= 4
        if high > 2**80:
            return None
    low = high // 4
    while high - low > max(1, high // 1000):
        middle = math.isqrt(max(low, 1) * high) if low * 2 < high else (low + high) // 2
        middle = min(max(middle, low + 1), high - 1)
        if value(middle) > target:
            low = middle
        else:
            high = middle
    return high
