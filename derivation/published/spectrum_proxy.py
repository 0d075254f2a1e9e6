"""`B_spectrum`: the published spectrum-adaptive proxy of a whole network (theory 4.2)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import MinOver
from majorant.derivation.published.contribution import published_contribution, schatten_quantity
from majorant.derivation.published.grid import grid_index
from majorant.derivation.symbols import K, L, N, a, kappa_of, m_grid, step


def best_contribution(matrix: sp.Expr = a) -> sp.Expr:
    """Least published contribution of one matrix over the grid of Schatten indices.

    >>> best_contribution().has(MinOver)
    True
    """
    index = grid_index()
    value = published_contribution(schatten_quantity(matrix, index), kappa_of[matrix], N, index)
    return MinOver(value, (step, 0, 2 * m_grid))


def spectrum_proxy() -> sp.Expr:
    """Sum over matrices of the least contribution, plus `sqrt(L)`.

    `sigma[a, i]` are the singular values of matrix `a` (padded with zeros to `r` columns),
    `kappa_of[a]` its `published_sensitivity`, `N` the hidden width for every matrix, `m_grid`
    the resolution. A proxy for the leading factor, not a bound.
    Source: Sakai, Imaizumi 2026 (arXiv 2605.07297); docs/theory 4.2.

    >>> sorted(map(str, spectrum_proxy().free_symbols - {sp.Symbol("sigma")}))  # doctest: +ELLIPSIS
    [...'K', 'L', 'N', ...]
    """
    return sp.Sum(best_contribution(), (a, 1, K)) + sp.sqrt(L)


B_SPECTRUM = spectrum_proxy()
"""The published proxy over `K` matrices."""
