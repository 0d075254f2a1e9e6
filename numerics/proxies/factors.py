"""The three leading factors side by side: published, Schatten, envelope."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from majorant.derivation.comparison.envelope_factor import envelope_factor
from majorant.derivation.comparison.schatten_factor import published_factor, schatten_factor
from majorant.derivation.symbols import K, N, i, kappa_of, m_grid, r, sigma
from majorant.numerics.lowering import log_form, torch_kernel
from majorant.numerics.spectra import SpectrumSet

LOG_KAPPA = sp.IndexedBase("log_kappa_of", real=True)
EXPRESSIONS = {
    "published": published_factor,
    "schatten": schatten_factor,
    "envelope": envelope_factor,
}

# The weight of a singular value in the envelope factor is positive.
POSITIVE_WEIGHTS = (sp.Gt(sp.sqrt(i), sp.sqrt(i - 1)),)


@dataclass(frozen=True)
class Factors:
    """Natural logarithms of the leading factors over all matrices. Proxies, not bounds."""

    published: float
    schatten: float
    envelope: float


def with_log_sensitivity(expr: sp.Expr) -> sp.Expr:
    """`expr` with `kappa_of[a]` given by its logarithm `log_kappa_of[a]`.

    >>> from majorant.derivation.symbols import a
    >>> with_log_sensitivity(kappa_of[a])
    exp(log_kappa_of[a])
    """
    entries = {entry: sp.exp(LOG_KAPPA[entry.indices])
               for entry in expr.atoms(sp.Indexed) if entry.base == kappa_of}
    return expr.xreplace(entries)


@lru_cache(maxsize=8)
def _kernel(name: str) -> Any:
    expr = log_form(with_log_sensitivity(EXPRESSIONS[name]()), POSITIVE_WEIGHTS)
    return torch_kernel(expr, [sigma, LOG_KAPPA, N, m_grid, K, r])


def contributing(values: Tensor, log_kappa: Tensor) -> tuple[Tensor, Tensor]:
    """The rows of `values` (K, R) and of `log_kappa` (K,) whose matrices are not without effect.

    A zero matrix contributes 0 at index 0 (its rank), and one with sensitivity 0 contributes 0 at
    index 2: neither changes a sum of least contributions.

    >>> contributing(torch.tensor([[1.0], [0.0], [2.0]]), torch.tensor([0.0, 1.0, -torch.inf]))
    (tensor([[1.]]), tensor([0.]))
    """
    kept = (values != 0).any(1) & (log_kappa > -math.inf)
    return values[kept], log_kappa[kept]


def leading_factors(spectra: SpectrumSet, log_kappa: Tensor, resolution: int) -> Factors:
    """The leading factors of all matrices of `spectra` with sensitivities `log_kappa` (K,).

    The logarithm of a factor that is 0 (no matrix contributes) is `-inf`.

    >>> from majorant.numerics.proxies.sensitivities import log_sensitivities
    >>> from majorant.numerics.spectra import spectra
    >>> demo = spectra("demo")
    >>> found = leading_factors(demo, log_sensitivities(demo), 12)
    >>> found.envelope < found.schatten <= found.published + 1e-12
    True
    """
    width = spectra.origin.dimensions.width
    values, log_kappa = contributing(torch.from_numpy(spectra.padded()[0]), log_kappa)
    if not len(values):
        return Factors(-math.inf, -math.inf, -math.inf)
    logs = {
        name: float(_kernel(name)(values, log_kappa, width, resolution, *values.shape))
        for name in EXPRESSIONS
    }
    return Factors(logs["published"], logs["schatten"], logs["envelope"])
