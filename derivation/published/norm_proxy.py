"""`B_norm`: the norm-based proxy to compare with (theory 4.2)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.published.alpha import alpha_after
from majorant.derivation.published.head_constant import Constants
from majorant.derivation.symbols import (
    C_in_of,
    C_out_of,
    C_V_of,
    H,
    L,
    QK21_of,
    V21_of,
    h,
    in21_of,
    l,
    out21_of,
)

TWO_THIRDS = sp.Rational(2, 3)


def norm_term(block: sp.Expr = l) -> sp.Expr:
    """`xi_l`: the norm terms of one block, each to the power 2/3.

    >>> norm_term().has(QK21_of)
    True
    """
    feed_forward = C_out_of[block] * C_in_of[block]
    head = (feed_forward * C_V_of[block, h] * QK21_of[block, h]) ** TWO_THIRDS
    value = (feed_forward * V21_of[block, h]) ** TWO_THIRDS
    return (
        sp.Sum(head + value, (h, 1, H))
        + (C_out_of[block] * in21_of[block]) ** TWO_THIRDS
        + out21_of[block] ** TWO_THIRDS
    )


def norm_proxy(constants: Constants = "crude") -> sp.Expr:
    """`(1 + sum_l alpha_l^{2/3} xi_l)^{3/2}`, a proxy in the manner of Edelman et al. 2022.

    A proxy, not a bound. The exponents 2/3 and 3/2 come from the optimal allocation of the
    accuracy (C8 with `q = 2`). Source: Sakai, Imaizumi 2026; docs/theory 4.2.

    >>> norm_proxy().func
    <class 'sympy.core.power.Pow'>
    """
    total = sp.Sum(alpha_after(l, constants) ** TWO_THIRDS * norm_term(l), (l, 1, L))
    return (1 + total) ** sp.Rational(3, 2)


B_NORM = norm_proxy()
"""The published norm-based proxy."""
