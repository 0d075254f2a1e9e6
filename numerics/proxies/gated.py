"""Sensitivities of matrices of rotary, gated blocks: by the network calculus, not published."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from majorant.derivation.network import propagate
from majorant.derivation.network.families import normalized_gated
from majorant.derivation.published.head_constant import Constants
from majorant.numerics.checkpoints.facts import activation_name
from majorant.numerics.checkpoints.families import FAMILIES
from majorant.numerics.proxies.sensitivities import log_sensitivities
from majorant.numerics.rings import LogFloatRing
from majorant.numerics.spectra import SpectrumSet

ROLES = frozenset({"Q", "K", "V", "M_in", "M_out", "M_gate"})


def gated_activation(spectra: SpectrumSet) -> str:
    """The activation of the family: a table of spectra does not say the model's own."""
    family = next(f for f in FAMILIES if f.name == spectra.origin.family)
    return activation_name(str(family.defaults["activation"]))


def gated_log_sensitivities(spectra: SpectrumSet, constants: Constants = "crude") -> Tensor:
    """`log kappa_a` of every matrix in the order of `spectra`, shape `(K,)`.

    The network is the twin without residuals, normalizations and biases, its rows projected on
    the unit ball (`normalized_gated`), the logits without `1/sqrt(d_h)` as in the published
    proxies. The sensitivities are upper bounds (A3-A5) and larger or smaller than the published
    closed form would be: compare such models among each other only.
    """
    sizes = spectra.origin.dimensions
    network = normalized_gated(sizes.layers, sizes.heads, sizes.kv_heads, sizes.width,
                               sizes.head_width, sizes.ff_width, gated_activation(spectra))
    ids = [_identity(name) for name in spectra.names]
    norms = {key: math.log(found.spectral_norm) if found.spectral_norm > 0 else -math.inf
             for key, found in zip(ids, spectra, strict=True)}
    flow = propagate(network, norms | {"input": 0.0}, LogFloatRing(), constants)
    return torch.tensor([flow.kappa[key] for key in ids], dtype=torch.float64)


def _identity(name: str) -> str:
    """The parameter's id in the network of a spectrum's name.

    >>> _identity("blocks.3.kv_heads.1.K"), _identity("blocks.0.M_gate")
    ('block3.group1.K', 'block0.M_gate')
    """
    return (name.replace("blocks.", "block", 1).replace(".kv_heads.", ".group")
            .replace(".heads.", ".head"))


def factor_log_sensitivities(spectra: SpectrumSet, constants: Constants = "crude") -> Tensor:
    """The published sensitivities of plain blocks, `gated_log_sensitivities` of gated ones.

    Raises `UnusableInput` for other blocks.
    """
    gated = {found.role for found in spectra} == ROLES
    return (gated_log_sensitivities if gated else log_sensitivities)(spectra, constants)
