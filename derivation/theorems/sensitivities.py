"""A4 and A5 for the normalized family: `kappa` of every matrix in closed form."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.attention.head_sensitivity import FORM, LOGITS, LOGITS_CRUDE
from majorant.derivation.blocks.feed_forward import (
    FEED_FORWARD_LIPSCHITZ,
    HIDDEN_RADIUS,
    M_IN_SENSITIVITY,
)
from majorant.derivation.blocks.normalization import (
    GAIN_SENSITIVITY,
    NORMALIZATION_LIPSCHITZ,
    NORMALIZATION_RADIUS,
)
from majorant.derivation.errors import UnusableInput
from majorant.derivation.published.alpha import alpha_after
from majorant.derivation.published.head_constant import Constants
from majorant.derivation.published.sensitivity import ROLES, Role
from majorant.derivation.symbols import (
    C_V,
    B_bias,
    C_in,
    C_in_of,
    C_out,
    C_out_of,
    C_V_of,
    b,
    h,
    l,
    phi_0,
)
from majorant.derivation.telescoping import sensitivity

SENSITIVITY_LEMMAS: dict[str, tuple[str, ...]] = {
    "normalized": ("A3", "B.ff", "B.hidden", "A4.z", "A4.Q", "A4.M_in", "A5"),
    "faithful": (
        "A3", "A3s", "A3c", "B.ff", "B.gated", "B.gate", "B.hidden", "B.affine",
        NORMALIZATION_LIPSCHITZ.id, NORMALIZATION_RADIUS.id, "A4.z", "A4.Q", "A4.c", "A4.Wq",
        "A4.Wk", "A4.bq", "A4.M_in", "A4.gate",
        "A4.up", GAIN_SENSITIVITY.id, "A5",
    ),
}  # fmt: skip
"""Lemmas behind `kappa`, by block family; `faithful` is the union over architectures."""

_NAMES = {"crude": ("A3.crude", "A4.z.crude"), "series": ("A3.series", "A4.z"), "sharp": ()}


def normalized_sensitivity(
    role: Role, block: sp.Expr = l, head: sp.Expr = h, constants: Constants = "sharp"
) -> sp.Expr:
    """`kappa`: output of the last block per unit of the matrix `role` of `block` (and `head`).

    Rows lie in the unit ball and `phi(0) = 0`; multiply by the Lipschitz constant of the
    read-out. Unlike the published sensitivity it has no factor `L` (the shares of the accuracy
    are separate) and no factor 2 in `QK` unless `constants="crude"`. Source: A3, A4, A5.

    >>> from majorant.derivation.symbols import L
    >>> normalized_sensitivity("M_in", L).doit()
    L_phi*C_out_of[L]
    """
    at = {C_in: C_in_of[block], C_out: C_out_of[block], C_V: C_V_of[block, head], b: sp.S.One,
          B_bias: sp.S.Zero, phi_0: sp.S.Zero}  # fmt: skip
    logits = LOGITS_CRUDE if constants == "crude" else LOGITS
    parts = {
        "QK": logits.rhs * FORM.rhs * FEED_FORWARD_LIPSCHITZ.rhs,
        "V": FEED_FORWARD_LIPSCHITZ.rhs,
        "M_in": M_IN_SENSITIVITY.rhs,
        "M_out": HIDDEN_RADIUS.rhs,
    }
    if role not in parts:
        raise UnusableInput(f"role {role!r}: expected one of {', '.join(ROLES)}")
    return sensitivity(alpha_after(block, constants), parts[role].xreplace(at), sp.S.One)


def sensitivity_lemmas(family: str, constants: Constants = "sharp") -> tuple[str, ...]:
    """Ids of the lemmas behind the sensitivities of a block family.

    >>> sensitivity_lemmas("normalized", "crude")[:1]
    ('A3.crude',)
    """
    if family not in SENSITIVITY_LEMMAS:
        known = ", ".join(SENSITIVITY_LEMMAS)
        raise UnusableInput(f"block {family!r}: expected one of {known}")
    kept = SENSITIVITY_LEMMAS[family]
    other = _NAMES[constants]
    return (*other, *(id for id in kept if not (other and id in ("A3", "A4.z"))))
