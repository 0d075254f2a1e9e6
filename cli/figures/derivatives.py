"""Bounds on derivatives against the order, one curve an activation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from majorant.cli.figures.canvas import new_figure, save


def derivative_figure(rows: Sequence[Mapping[str, Any]], subject: str, path: Path) -> Path:
    """Write the figure and return its path; `rows` as in `compare_activations`.

    With several rows a second panel shows each bound over that of the first row with all orders.
    """
    several = len(rows) > 1
    figure, axes = new_figure(2 if several else 1, f"Bounds on D_k: {subject}")
    curves = {row["activation"] or "as trained": [
        entry["log10_upper"] for entry in row["orders"]] for row in rows}
    most = max(len(curve) for curve in curves.values())
    first = next(name for name, curve in curves.items() if len(curve) == most)
    for name, curve in curves.items():
        orders = range(1, len(curve) + 1)
        axes[0].plot(orders, curve, marker="o", markersize=4, label=name)
        if several:
            axes[1].plot(orders, [y - x for x, y in zip(curves[first], curve, strict=False)],
                         marker="o", markersize=4, label=name)
    for axis in axes:
        axis.set_xticks(range(1, most + 1))
        axis.set_xlabel("order k")
    axes[0].set_ylabel("log10 of the bound on D_k")
    if several:
        axes[1].set_ylabel(f"log10 of the ratio to {first}")
    axes[-1].legend(fontsize=7)
    return save(figure, path)
