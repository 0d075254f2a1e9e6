"""Contribution against the Schatten index, per role, with the grid and the chosen index."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from majorant.cli.figures.canvas import name_curves, new_figure, save
from majorant.numerics.proxies import log_contributions
from majorant.numerics.proxies.grid import grid
from majorant.numerics.spectra import SpectrumSet


def contribution_figure(spectra: SpectrumSet, log_kappa: torch.Tensor, resolution: int,
                        path: Path) -> Path:
    """Write the figure and return its path: the first head or matrix of three blocks a role."""
    roles = list(dict.fromkeys(found.role for found in spectra))
    figure, axes = new_figure(len(roles), f"Published contribution, {spectra.origin.label}")
    layers = spectra.origin.dimensions.layers
    indices = grid(resolution)
    table = log_contributions(torch.from_numpy(spectra.padded()[0]), log_kappa,
                              spectra.origin.dimensions.width, indices) / np.log(10)
    for axis, role in zip(axes, roles, strict=True):
        for layer in sorted({0, layers // 2, layers - 1}):
            rows = [number for number, found in enumerate(spectra)
                    if found.role == role and found.layer == layer]
            if not rows:
                continue
            curve = table[rows[0]].numpy()
            line, = axis.plot(indices.numpy(), curve, marker=".", markersize=3,
                              label=f"block {layer}")
            best = int(curve.argmin())
            axis.plot([float(indices[best])], [curve[best]], marker="o", markersize=8,
                      fillstyle="none", color=line.get_color())
        axis.set_title(role)
        axis.set_xlabel(f"Schatten index p (grid of {len(indices)})")
    axes[0].set_ylabel("log10 contribution (circle: chosen)")
    name_curves(axes[0])
    return save(figure, path)
