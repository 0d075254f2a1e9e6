"""The published contribution of one matrix: its leading factor at Schatten index `p`."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import PositivePower
from majorant.derivation.symbols import N, S, a, i, kappa, p, r, sigma


def published_contribution(
    S: sp.Expr = S, kappa: sp.Expr = kappa, N: sp.Expr = N, p: sp.Expr = p
) -> sp.Expr:
    """`S_p^{1/(p+2)} kappa^{p/(p+2)} N^{(p+1)/(p+2)}`, a leading factor without constants.

    A proxy, not a bound: constants, logarithms and `1/sqrt(n)` are left out. Domain:
    `0 <= p <= 2`, `S, kappa >= 0`. Not monotone in `p`.
    Source: Sakai, Imaizumi 2026 (arXiv 2605.07297); docs/theory 4.2.

    >>> published_contribution(p=sp.Integer(0))
    sqrt(N)*sqrt(S)
    """
    return S ** (1 / (p + 2)) * kappa ** (p / (p + 2)) * N ** ((p + 1) / (p + 2))


def schatten_quantity(matrix: sp.Expr = a, index: sp.Expr = p, rank: sp.Expr = r) -> sp.Expr:
    """`S_p(W_a)`: the sum of `sigma^p` over the positive singular values (the rank at `p = 0`).

    Rows of `sigma` may be padded with zeros up to `rank`: zeros do not count at any `p`.

    >>> schatten_quantity(index=sp.Integer(1)).doit().has(sigma)
    True
    """
    return sp.Sum(PositivePower(sigma[matrix, i], index), (i, 1, rank))
