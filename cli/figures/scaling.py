"""Factors against width and depth, when several models are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from majorant.cli.figures.canvas import name_curves, new_figure, save

CURVES = ("B_spectrum", "B_norm", "schatten", "envelope")


def scaling_figure(rows: Sequence[Mapping[str, Any]], path: Path) -> Path:
    """Write the figure and return its path; `rows` are those of `majorant compare`."""
    figure, axes = new_figure(2, "Proxies and leading factors (not bounds)")
    for axis, key in zip(axes, ("width", "layers"), strict=True):
        for name in CURVES:
            points = sorted((row[key], row[f"log10_{name}"]) for row in rows
                            if row.get(f"log10_{name}") is not None)
            if points:
                axis.plot([x for x, _ in points], [y for _, y in points], marker="o",
                          linestyle="-" if len(points) > 1 else "none", label=name)
        axis.set_xlabel({"width": "hidden width N", "layers": "blocks L"}[key])
    axes[0].set_ylabel("log10 of the factor")
    name_curves(axes[0])
    return save(figure, path)
