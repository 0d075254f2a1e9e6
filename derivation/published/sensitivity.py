"""Sensitivity of a block to one of its matrices, as the published proxy takes it (theory 4.2)."""

from __future__ import annotations

from typing import Literal

import sympy as sp

from majorant.derivation.attention.head_sensitivity import LOGITS_CRUDE
from majorant.derivation.errors import UnusableInput
from majorant.derivation.published.alpha import alpha_after
from majorant.derivation.published.head_constant import Constants
from majorant.derivation.symbols import C_V, C_in_of, C_out_of, C_V_of, L, b, h, l

Role = Literal["QK", "V", "M_in", "M_out"]

ROLES: tuple[Role, ...] = ("QK", "V", "M_in", "M_out")


def published_gamma(role: Role, block: sp.Expr = l, head: sp.Expr = h) -> sp.Expr:
    """The block factor `gamma` of a matrix; `QK` carries the factor 2 that A4 removes.

    >>> published_gamma("M_out")
    1
    """
    if role == "QK":
        logits = LOGITS_CRUDE.rhs.xreplace({C_V: C_V_of[block, head], b: sp.S.One})
        return logits * C_out_of[block] * C_in_of[block]
    if role == "V":
        return C_out_of[block] * C_in_of[block]
    if role == "M_in":
        return C_out_of[block]
    if role == "M_out":
        return sp.Integer(1)
    raise UnusableInput(f"role {role!r}: expected one of {', '.join(ROLES)}")


def published_sensitivity(
    role: Role, block: sp.Expr = l, head: sp.Expr = h, constants: Constants = "crude"
) -> sp.Expr:
    """`gamma * alpha_l * L`: what takes the place of `kappa` in the published contribution.

    The factor `L` is the equal split of the accuracy over the blocks.

    >>> published_sensitivity("M_out", L).doit()
    L
    """
    return published_gamma(role, block, head) * alpha_after(block, constants) * L
