"""The guarantee itself as a curve: against the length of the trajectory and the future time."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from majorant.numerics.pathwise.block import parse_block
from majorant.numerics.pathwise.chain import parse_chain
from majorant.numerics.pathwise.guarantee import pathwise_guarantee, steps_for

CHAIN, BLOCK = "rho=0.5,diameter=1,dim=2", "norm=0.5"
LENGTHS = tuple(10**k for k in range(3, 10))
LATER = (0, 1, 2, 3, 5, 8, 13, 21)
AT = 10**6
TARGET = Fraction(1, 10)


def curves() -> dict[str, Any]:
    """Guarantee (empirical risk 0) over `LENGTHS` and over `LATER`, and the slope in `n`.

    The slope is that of a least-squares line through the logarithms of expected supremum plus
    concentration, for lengths from 10^5 on (shorter ones also show the start of the chain).
    """
    chain, members = parse_chain(CHAIN), parse_block(BLOCK)
    lengths = []
    for n in LENGTHS:
        found = pathwise_guarantee(chain, members, n, n + 40)
        lengths.append({"n": n, "total": float(found.total.upper()), "route": found.route,
                        "statistical": float((found.expected_supremum
                                              + found.concentration).upper())})
    times = [{"later": later, "total": float(
        pathwise_guarantee(chain, members, AT, AT + later).total.upper())} for later in LATER]
    points = [(math.log(row["n"]), math.log(row["statistical"])) for row in lengths
              if row["n"] >= 10**5]
    return {"chain": CHAIN, "block": BLOCK, "lengths": lengths, "times": times, "at": AT,
            "slope": slope(points), "target": str(TARGET),
            "n_star": steps_for(chain, members, TARGET, after=40)}


def slope(points: list[tuple[float, float]]) -> float:
    """Slope of the least-squares line.

    >>> slope([(0.0, 1.0), (2.0, 0.0)])
    -0.5
    """
    x0 = sum(x for x, _ in points) / len(points)
    y0 = sum(y for _, y in points) / len(points)
    return (sum((x - x0) * (y - y0) for x, y in points)
            / sum((x - x0) ** 2 for x, _ in points))
