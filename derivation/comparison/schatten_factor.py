"""Leading factor of the Schatten bound (C4p with G4), per matrix and over a network."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import MinOver
from majorant.derivation.published.contribution import schatten_quantity
from majorant.derivation.published.grid import grid_index
from majorant.derivation.published.spectrum_proxy import best_contribution
from majorant.derivation.symbols import K, N, S, a, kappa, kappa_of, m_grid, p, step


def schatten_contribution(
    S: sp.Expr = S, kappa: sp.Expr = kappa, N: sp.Expr = N, p: sp.Expr = p
) -> sp.Expr:
    """`sqrt(N S_p kappa^p)`, the leading factor of C4p at Schatten index `p`.

    Constants, logarithms and `1/sqrt(n)` are left out (a comparison of functional forms; the
    bound that keeps them is `schatten`). Source: docs/theory 4.4.

    >>> schatten_contribution(p=sp.Integer(2)).is_nonnegative
    True
    """
    return sp.sqrt(N * S * kappa**p)


def schatten_factor() -> sp.Expr:
    """Sum over matrices of the least `schatten_contribution` over the grid of indices.

    Arguments as in `spectrum_proxy`: `sigma[a, i]`, `kappa_of[a]`, `N`, `m_grid`, `K`, `r`.

    >>> schatten_factor().func
    <class 'sympy.concrete.summations.Sum'>
    """
    index = grid_index()
    value = schatten_contribution(schatten_quantity(a, index), kappa_of[a], N, index)
    return sp.Sum(MinOver(value, (step, 0, 2 * m_grid)), (a, 1, K))


def published_factor() -> sp.Expr:
    """Sum over matrices of the least published contribution (`B_spectrum` without `sqrt(L)`).

    >>> published_factor().func
    <class 'sympy.concrete.summations.Sum'>
    """
    return sp.Sum(best_contribution(), (a, 1, K))


SCHATTEN_FACTOR = schatten_factor()
PUBLISHED_FACTOR = published_factor()
