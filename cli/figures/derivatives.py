"""Bounds on derivatives against the order, one curve an activation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from majorant.cli.figures.canvas import new_figure, save


def derivative_figure(rows: Sequence[Mapping[str, Any]], subject: str, path: Path) -> Path:
    """Write the figure and return its path; `rows` as in `compare_activations`."""
    figure, (axis,) = new_figure(1, f"Bounds on D_k: {subject}")
    orders: set[int] = set()
    for row in rows:
        curve = [(entry["k"], entry["log10_upper"]) for entry in row["orders"]]
        orders |= {k for k, _ in curve}
        axis.plot([k for k, _ in curve], [y for _, y in curve], marker="o",
                  label=row["activation"] or "as trained")
    axis.set_xticks(sorted(orders))
    axis.set_xlabel("order k")
    axis.set_ylabel("log10 of the bound on D_k")
    axis.legend(fontsize=8)
    return save(figure, path)
