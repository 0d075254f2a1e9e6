"""Figures written by `--plot DIR` (matplotlib, the extra `majorant[plot]`)."""

from majorant.cli.figures.contributions import contribution_figure as contribution_figure
from majorant.cli.figures.decay import decay_figure as decay_figure
from majorant.cli.figures.scaling import scaling_figure as scaling_figure
