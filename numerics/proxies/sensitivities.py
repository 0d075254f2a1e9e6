"""`alpha_l` and `kappa_a` of the published proxies, as natural logarithms."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, get_args

import torch
from torch import Tensor

from majorant.derivation.errors import UnusableInput
from majorant.derivation.published.alpha import L_PHI_PUBLISHED, alpha_after
from majorant.derivation.published.head_constant import Constants
from majorant.derivation.published.sensitivity import Role, published_sensitivity
from majorant.derivation.symbols import (
    C_in_of,
    C_out_of,
    C_Q_of,
    C_V_of,
    H,
    L,
    L_phi,
    h,
    l,
)
from majorant.numerics.lowering import log_form, torch_kernel
from majorant.numerics.spectra import SpectrumSet

ROLES: tuple[Role, ...] = get_args(Role)
_ARGUMENTS = [C_Q_of, C_V_of, C_in_of, C_out_of, L, H, L_phi]


def published_l_phi() -> float:
    """The Lipschitz constant of GELU that the published proxies use, 1.13."""
    return float(L_PHI_PUBLISHED)


def block_norms(spectra: SpectrumSet) -> list[Any]:
    """Values of `C_Q_of, C_V_of, C_in_of, C_out_of, L, H, L_phi` for plain blocks.

    Raises `UnusableInput` when a role is missing (rotary or gated blocks have no such form).
    """
    def norms(role: Role) -> Tensor:
        return torch.from_numpy(spectra.spectral_norms(role)).to(torch.float64)

    sizes = spectra.origin.dimensions
    return [norms("QK"), norms("V"), norms("M_in")[:, 0], norms("M_out")[:, 0],
            sizes.layers, sizes.heads, published_l_phi()]


@lru_cache(maxsize=16)
def _kernel(what: str, constants: Constants) -> Any:
    expr = (alpha_after(l, constants) if what == "alpha"
            else published_sensitivity(_role(what), l, h, constants))
    return torch_kernel(log_form(expr), [*_ARGUMENTS, l, h])


def _role(name: str) -> Role:
    for role in ROLES:
        if role == name:
            return role
    raise UnusableInput(f"role {name!r}: expected one of {', '.join(ROLES)}")


def log_alphas(spectra: SpectrumSet, constants: Constants = "crude") -> Tensor:
    """`log alpha_l` for every block, shape `(L,)`; 0 for the last block.

    >>> from majorant.numerics.spectra import spectra
    >>> round(float(log_alphas(spectra("demo"))[0]), 6)
    51.696848
    """
    blocks = torch.arange(1, spectra.origin.dimensions.layers + 1)
    result: Tensor = _kernel("alpha", constants)(*block_norms(spectra), blocks, 1)
    return result


def log_sensitivities(spectra: SpectrumSet, constants: Constants = "crude") -> Tensor:
    """`log kappa_a` of every matrix in the order of `spectra`, shape `(K,)`."""
    norms = block_norms(spectra)
    result = torch.empty(len(spectra), dtype=torch.float64)
    for role in ROLES:
        where = [number for number, found in enumerate(spectra) if found.role == role]
        chosen = [spectra.spectra[number] for number in where]
        blocks = torch.tensor([found.layer + 1 for found in chosen])
        heads = torch.tensor([max(found.head, 0) + 1 for found in chosen])
        result[where] = _kernel(role, constants)(*norms, blocks, heads)
    others = {found.role for found in spectra} - set(ROLES)
    if others:
        raise UnusableInput(
            f"{spectra.origin.label}: roles {', '.join(sorted(others))} have no place in the "
            "published proxies, which are defined for plain blocks")
    return result
