"""Bound on the gap against measured gap, one point a model and bound; optional (matplotlib)."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def draw(records: list[dict[str, Any]], file: Path) -> bool:
    """Write the scatter plot; `False`, and no file, where matplotlib is not installed.

    Points below the curve `bound = gap` would be violations.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(7, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    names = sorted({name for record in records for name in record["bounds"]})
    reach = 0.0
    for name, marker in zip(names, "osD+x^v*", strict=False):
        rows = [record["bounds"][name] for record in records
                if record["bounds"].get(name, {}).get("value") is not None]
        gaps = [row["gap"] for row in rows]
        reach = max([reach, *gaps])
        axes.scatter(gaps, [row["value"] - row["train_error"] for row in rows], s=20,
                     marker=marker, label=name)
    line = [1e-2 + k / 100 * max(reach, 0.02) for k in range(101)]  # a curve on these axes
    axes.plot(line, line, color="black", linewidth=1, label="bound = gap")
    axes.set(xlabel="measured gap (test error - training error)",
             ylabel="bound - training error", yscale="log")
    figure.legend(fontsize=8, loc="outside right upper")
    figure.savefig(file, dpi=150)
    return True
