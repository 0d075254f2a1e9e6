"""A differentiable penalty: the Schatten bound's leading factor, from a network's own spectra.

Minimizing a training loss plus a multiple of this penalty trades accuracy against what the bound
charges for. The factor is a proxy: constants, logarithms and `1/sqrt(n)` are left out of it.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
import torch
from torch import Tensor

from majorant.derivation import symbols as s
from majorant.derivation.comparison import schatten_contribution
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network, parameters, propagate
from majorant.derivation.network.context import Constants
from majorant.derivation.ring import evaluate
from majorant.numerics.rings.log_tensors import LogTensorRing

INDICES = (1, 2)


def log_leading_factor(network: Network, spectra: Mapping[str, Tensor], *, index: int = 1,
                       constants: Constants = "sharp", input_radius: float = 1.0) -> Tensor:
    """Natural logarithm of `sum_a sqrt((N1 + N2) S_p(W_a) kappa_a^p)`, with gradients.

    `spectra[id]` holds the singular values of the trained parameter `id` (one number, its norm,
    for a vector or a gain), in any order, zeros allowed; `index` is p, 1 or 2. The sensitivities
    `kappa_a` are propagated from the largest singular values (A3-A5), so the penalty sees what a
    large norm in one matrix costs all the others. The result is a float64 scalar; it is a proxy,
    not a bound. In a sum with a loss, a multiple `c` of it weighs every relative change of the
    factor by `c`, whatever the size of the network.

    Raises `UnusableInput` for another index, a missing or unknown parameter, or a spectrum that
    has an infinite, undefined or negative entry. Source: docs/theory 4.4 (C4p with G4) and A5.

    >>> from majorant.derivation.network import normalized
    >>> network = normalized(1, 1, 4, 4, "relu", 1)
    >>> spectra = {name: torch.tensor([2.0, 1.0]) for name in parameters(network)}
    >>> halved = {name: values / 2 for name, values in spectra.items()}
    >>> bool(log_leading_factor(network, halved) < log_leading_factor(network, spectra))
    True
    """
    if index not in INDICES:
        raise UnusableInput(f"index: expected one of {INDICES}, got {index!r}")
    known = parameters(network)
    if odd := sorted(known.keys() ^ spectra.keys()):
        raise UnusableInput(f"{odd[0]}: expected exactly one spectrum for each parameter of the "
                            f"network, {len(odd)} do not match")
    ring = LogTensorRing()
    sums: dict[str, Tensor] = {}
    norms: dict[str, Tensor] = {
        network.input_radius: torch.tensor(input_radius, dtype=torch.float64).log()}
    for name, values in spectra.items():
        values = values.double().reshape(-1)
        if not bool(torch.isfinite(values).all()) or bool((values < 0).any()):
            raise UnusableInput(f"{name}: expected finite, non-negative singular values")
        norms[name] = _log(values.amax())
        sums[name] = _log((values**index).sum())
    kappa = propagate(network, norms, ring, constants).kappa
    per_matrix = schatten_contribution(s.S, s.kappa, s.N, sp.Integer(index))
    terms = []
    for name, part in known.items():
        size = torch.tensor(float(part.rows + part.cols), dtype=torch.float64).log()
        terms.append(evaluate(per_matrix, {s.N: size, s.S: sums[name], s.kappa: kappa[name]}, ring))
    return torch.logsumexp(torch.stack(terms), dim=0)


def _log(value: Tensor) -> Tensor:
    """`log`, with gradient 0 at 0: a matrix that has vanished pulls on nothing."""
    safe = torch.where(value > 0, value, torch.ones_like(value))
    return torch.where(value > 0, safe.log(), torch.full_like(value, -torch.inf))
