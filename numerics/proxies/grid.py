"""The contribution of every matrix at every index of the grid, and the index that is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import sympy as sp
import torch
from torch import Tensor

from majorant.derivation.comparison.schatten_factor import schatten_contribution
from majorant.derivation.published.contribution import published_contribution, schatten_quantity
from majorant.derivation.symbols import N, p, r, sigma
from majorant.numerics.lowering import log_form, torch_kernel
from majorant.numerics.spectra import SpectrumSet

Form = Literal["published", "schatten"]
_LOG_KAPPA = sp.Symbol("log_kappa", real=True)


@dataclass(frozen=True)
class GridChoice:
    """The index that minimizes one matrix's contribution, and the logarithm of that minimum."""

    name: str
    index: float
    log_contribution: float


@lru_cache(maxsize=4)
def _kernel(form: Form) -> Any:
    contribution = {"published": published_contribution, "schatten": schatten_contribution}[form]
    quantity = schatten_quantity(sp.Integer(1), p, r)
    expr = contribution(quantity, sp.exp(_LOG_KAPPA), N, p)
    return torch_kernel(log_form(expr), [sigma, _LOG_KAPPA, N, p, r])


def log_contributions(values: Tensor, log_kappa: Tensor, width: int, indices: Tensor,
                      form: Form = "published") -> Tensor:
    """Natural logs of contributions: matrices x indices.

    `values` (K, R) singular values padded with zeros, `log_kappa` (K,), `indices` (P,) Schatten
    indices. Differentiable in both tensors.

    >>> sigma_ = torch.tensor([[2.0, 1.0, 0.0]], dtype=torch.float64)
    >>> grid = torch.tensor([0.0, 2.0], dtype=torch.float64)
    >>> zero = torch.zeros(1, dtype=torch.float64)
    >>> log_contributions(sigma_, zero, 1, grid).exp().round(decimals=4)
    tensor([[1.4142, 1.4953]], dtype=torch.float64)
    """
    # The index axes of the family come first: one matrix, its singular values, then the batch.
    family = values.T.contiguous()[None, :, :, None]
    result: Tensor = _kernel(form)(family, log_kappa[:, None], width, indices, values.shape[1])
    return result


def grid(resolution: int) -> Tensor:
    """The grid `0, 1/m, ..., 2` of Schatten indices.

    >>> len(grid(12))
    25
    """
    return torch.arange(2 * resolution + 1, dtype=torch.float64) / resolution


def grid_choices(spectra: SpectrumSet, log_kappa: Tensor, resolution: int,
                 form: Form = "published") -> list[GridChoice]:
    """The chosen index of every matrix, in the order of `spectra`."""
    values = torch.from_numpy(spectra.padded()[0])
    indices = grid(resolution)
    table = log_contributions(values, log_kappa, spectra.origin.dimensions.width, indices, form)
    best, where = table.min(1)
    return [GridChoice(found.name, float(indices[k]), float(log))
            for found, k, log in zip(spectra, where, best, strict=True)]
