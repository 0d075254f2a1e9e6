"""Factors against width and depth, when several models are compared."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from majorant.cli.figures.canvas import name_curves, new_figure, save

# hollow markers of falling size: equal values lie around each other instead of hiding
CURVES = {"B_norm": ("s", 13), "B_spectrum": ("o", 11), "published": ("D", 8),
          "schatten": ("^", 6), "envelope": ("x", 5)}


def scaling_figure(rows: Sequence[Mapping[str, Any]], path: Path) -> Path:
    """Write the figure and return its path; `rows` are those of `majorant compare`.

    Models are named, and lines join models of one family only.
    """
    figure, axes = new_figure(2, "Proxies and leading factors (not bounds)")
    for axis, key in zip(axes, ("width", "layers"), strict=True):
        tops: dict[str, tuple[float, float]] = {}
        for number, (name, (marker, size)) in enumerate(CURVES.items()):
            for place, points in enumerate(families(rows, key, name)):
                joined = len({x for x, _, _ in points}) > 1
                axis.plot([x for x, _, _ in points], [y for _, y, _ in points], marker=marker,
                          markersize=size, markerfacecolor="none", color=f"C{number}",
                          linestyle="-" if joined else "none", label="" if place else name)
                for x, y, model in points:
                    tops[model] = max(tops.get(model, (x, y)), (x, y))
        above: Counter[float] = Counter()
        for model, (x, y) in tops.items():
            axis.annotate(model, (x, y), xytext=(4, 9 + 9 * above[x]), fontsize=7,
                          textcoords="offset points", ha="center")
            above[x] += 1
        axis.set_xticks(sorted({x for x, _ in tops.values()}))
        axis.margins(0.2)
        axis.set_xlabel({"width": "hidden width N", "layers": "blocks L"}[key])
    axes[0].set_ylabel("log10 of the factor")
    name_curves(axes[0])
    return save(figure, path)


def families(rows: Sequence[Mapping[str, Any]], key: str,
             name: str) -> list[list[tuple[float, float, str]]]:
    """Points `(x, log10, model)` of one curve, in order, a list for each family of models."""
    found: dict[str, list[tuple[float, float, str]]] = {}
    for row in rows:
        log = row.get(f"log10_{name}")
        if log is not None and math.isfinite(log):
            found.setdefault(row["family"], []).append(
                (row[key], log, Path(row["checkpoint"]).name))
    return [sorted(points) for points in found.values()]
