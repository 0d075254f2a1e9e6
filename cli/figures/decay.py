"""Spectral decay per role: singular values relative to the largest, first, middle, last block."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from majorant.cli.figures.canvas import name_curves, new_figure, save
from majorant.numerics.spectra import SpectrumSet


def decay_figure(spectra: SpectrumSet, path: Path) -> Path:
    """Write the figure and return its path; one panel a role, the median and the range of it."""
    roles = list(dict.fromkeys(found.role for found in spectra))
    figure, axes = new_figure(len(roles), f"Spectral decay, {spectra.origin.label}")
    layers = spectra.origin.dimensions.layers
    shown = sorted({0, layers // 2, layers - 1})
    for axis, role in zip(axes, roles, strict=True):
        for layer in shown:
            curves = [found.singular_values / found.spectral_norm
                      for found in spectra.of(role, layer) if found.spectral_norm > 0]
            if not curves:
                continue
            length = min(len(curve) for curve in curves)
            stack = np.stack([curve[:length] for curve in curves])
            rank = np.arange(1, length + 1)
            line, = axis.plot(rank, np.median(stack, axis=0), label=f"block {layer}")
            axis.fill_between(rank, stack.min(0), stack.max(0), alpha=0.15,
                              color=line.get_color())
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_title(role)
        axis.set_xlabel("index of the singular value")
    axes[0].set_ylabel("sigma_i / sigma_1")
    name_curves(axes[0])
    return save(figure, path)
