"""The one place that knows matplotlib: an off-screen figure, saved whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from majorant.cli.destination import require_folder
from majorant.derivation.errors import UnusableInput
from majorant.numerics.whole_file import whole_file


def new_figure(columns: int, title: str) -> tuple[Any, list[Any]]:
    """A figure with `columns` axes side by side, drawn without a display.

    Raises `UnusableInput` when matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UnusableInput("--plot needs matplotlib: pip install 'majorant[plot]'") from error
    figure = Figure(figsize=(4.2 * columns, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=11)
    axes = [figure.add_subplot(1, columns, number + 1) for number in range(columns)]
    for axis in axes:
        axis.grid(visible=True, alpha=0.3)
    return figure, axes


def name_curves(axis: Any) -> None:
    """A legend, where anything was drawn."""
    if axis.get_legend_handles_labels()[0]:
        axis.legend(fontsize=8)


def save(figure: Any, path: Path) -> Path:
    """Write a PNG through a temporary file."""
    require_folder(path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as part:
        figure.savefig(part, format="png", dpi=130)
    return path
