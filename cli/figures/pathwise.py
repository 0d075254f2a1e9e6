"""The one-trajectory guarantee against the length of the trajectory and the future time."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from majorant.cli.figures.canvas import new_figure, save
from majorant.numerics.pathwise.block import StateClass
from majorant.numerics.pathwise.chain import Chain
from majorant.numerics.pathwise.guarantee import pathwise_guarantee

DECADES = range(-2, 5)


def pathwise_figures(chain: Chain, members: StateClass, n: int, after: int, failure: Fraction,
                     empirical: Fraction, order: int | None, folder: Path) -> list[Path]:
    """Write both figures into `folder` and return their paths."""
    figure, (axis,) = new_figure(1, "Guarantee against the length of the trajectory")
    lengths = sorted({max(1, round(n * 10.0**k)) for k in DECADES})
    totals, parts = [], []
    for length in lengths:
        found = pathwise_guarantee(chain, members, length, length + after, failure=failure,
                                   empirical=empirical, order=order)
        totals.append(float(found.total.upper()))
        parts.append(float(found.expected_supremum.upper()))
    axis.loglog(lengths, totals, marker="o", label="guarantee")
    axis.loglog(lengths, parts, marker=".", label="expected supremum")
    axis.set_xlabel("n")
    axis.legend(fontsize=8)
    first = save(figure, folder / "pathwise-n.png")
    figure, (axis,) = new_figure(1, "Guarantee against the future time")
    times = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    axis.plot(times, [float(pathwise_guarantee(
        chain, members, n, n + later, failure=failure, empirical=empirical,
        order=order).total.upper()) for later in times], marker="o")
    axis.set_xlabel("t - n")
    axis.set_ylabel("guarantee")
    return [first, save(figure, folder / "pathwise-t.png")]
