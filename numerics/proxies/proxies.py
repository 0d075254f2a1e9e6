"""`B_spectrum` and `B_norm` of a checkpoint's spectra: proxies, not bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch

from majorant.derivation.errors import UnusableInput
from majorant.derivation.published.grid import grid_resolution
from majorant.derivation.published.head_constant import Constants
from majorant.derivation.published.norm_proxy import norm_proxy
from majorant.derivation.published.spectrum_proxy import spectrum_proxy
from majorant.derivation.symbols import (
    C_in_of,
    C_out_of,
    C_Q_of,
    C_V_of,
    H,
    K,
    L,
    L_phi,
    N,
    QK21_of,
    V21_of,
    in21_of,
    m_grid,
    out21_of,
    r,
    sigma,
)
from majorant.numerics.lowering import log_form, torch_kernel
from majorant.numerics.proxies.factors import LOG_KAPPA, contributing, with_log_sensitivity
from majorant.numerics.proxies.sensitivities import block_norms, log_sensitivities
from majorant.numerics.spectra import SpectrumSet


@dataclass(frozen=True)
class Proxies:
    """Natural logarithms of the proxies, and the resolution of the grid of indices."""

    log_spectrum: float
    log_norm: float
    resolution: int


def reason_without(spectra: SpectrumSet) -> str | None:
    """Why the proxies are not defined for this model, or None if they are."""
    roles = {found.role for found in spectra}
    if roles - {"QK", "V", "M_in", "M_out"}:
        return ("the published proxies are defined for plain blocks (query-key and value-output "
                "products and two feed-forward matrices); this model has "
                + ", ".join(sorted(roles)))
    if not spectra.origin.bert_like:
        return f"the published proxies are defined for BERT-like encoders, not for " \
               f"{spectra.origin.family}"
    return None


def resolution(spectra: SpectrumSet) -> int:
    """`m = ceil(L + log N)`, the published resolution of the grid."""
    sizes = spectra.origin.dimensions
    return int(grid_resolution(sizes.layers, sizes.width))


@lru_cache(maxsize=4)
def _spectrum_kernel() -> Any:
    expr = log_form(with_log_sensitivity(spectrum_proxy()))
    return torch_kernel(expr, [sigma, LOG_KAPPA, N, L, m_grid, K, r])


@lru_cache(maxsize=4)
def _norm_kernel(constants: Constants) -> Any:
    return torch_kernel(log_form(norm_proxy(constants)),
                        [C_Q_of, C_V_of, C_in_of, C_out_of, L, H, L_phi,
                         QK21_of, V21_of, in21_of, out21_of])


def published_proxies(spectra: SpectrumSet, constants: Constants = "crude") -> Proxies:
    """The two proxies of a BERT-like model; `constants` chooses the Lipschitz constant of a head.

    Raises `UnusableInput` with the reason where they are not defined.
    Source: Sakai, Imaizumi 2026 (arXiv 2605.07297).

    >>> import math
    >>> from majorant.numerics.spectra import spectra
    >>> found = published_proxies(spectra("demo"))
    >>> round(math.exp(found.log_spectrum), 6), found.resolution
    (20573.029732, 12)
    """
    why = reason_without(spectra)
    if why is not None:
        raise UnusableInput(f"{spectra.origin.label}: {why}")
    sizes = spectra.origin.dimensions
    steps = resolution(spectra)
    values, log_kappa = contributing(torch.from_numpy(spectra.padded()[0]),
                                     log_sensitivities(spectra, constants))
    log_spectrum = math.log(sizes.layers) / 2 if not len(values) else _spectrum_kernel()(
        values, log_kappa, sizes.width, sizes.layers, steps, *values.shape)

    def norms(role: Any) -> torch.Tensor:
        return torch.from_numpy(spectra.norms_21(role))

    log_norm = _norm_kernel(constants)(
        *block_norms(spectra), norms("QK"), norms("V"), norms("M_in")[:, 0],
        norms("M_out")[:, 0])
    return Proxies(float(log_spectrum), float(log_norm), steps)
