"""`alpha_l`: how much everything after block `l` can magnify a perturbation (theory 4.2, A5)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.blocks.feed_forward import FEED_FORWARD_LIPSCHITZ
from majorant.derivation.published.head_constant import Constants, head_constant
from majorant.derivation.symbols import (
    C_in,
    C_in_of,
    C_out,
    C_out_of,
    C_Q_of,
    C_V_of,
    H,
    L,
    h_after,
    l,
    l_after,
)

L_PHI_PUBLISHED = sp.Rational(113, 100)
"""The Lipschitz constant of GELU as the published proxies round it."""


def block_lipschitz(block: sp.Expr = l, constants: Constants = "crude") -> sp.Expr:
    """Lipschitz constant of block `block` of the normalized family, as a sum over its heads.

    Source: theory 1.5; with `crude` it is the factor of the published proxy (4.2).

    >>> block_lipschitz().has(sp.Sum)
    True
    """
    heads = sp.Sum(
        C_V_of[block, h_after] * head_constant(C_Q_of[block, h_after], constants), (h_after, 1, H)
    )
    feed_forward = FEED_FORWARD_LIPSCHITZ.rhs.xreplace(
        {C_in: C_in_of[block], C_out: C_out_of[block]}
    )
    return feed_forward * heads


def alpha_after(block: sp.Expr = l, constants: Constants = "crude") -> sp.Expr:
    """`alpha_l`, the product of the Lipschitz constants of the blocks after `block`.

    The empty product (last block) is 1. Grows exponentially with depth: evaluate in the log
    domain. Source: Sakai, Imaizumi 2026 (arXiv 2605.07297); docs/theory 4.2.

    >>> alpha_after(L).doit()
    1
    """
    return sp.Product(block_lipschitz(l_after, constants), (l_after, block + 1, L))


ALPHA = alpha_after()
"""The published `alpha_l` (head constant `1 + 4 C`)."""
