"""The grid of Schatten indices `P_m = {0, 1/m, ..., 2}` (theory 4.2, U1)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.symbols import L, N, m_grid, step


def grid_resolution(depth: sp.Expr = L, width: sp.Expr = N) -> sp.Expr:
    """`m = ceil(L + log N)`, the published resolution.

    >>> grid_resolution(sp.Integer(6), sp.Integer(384))
    12
    """
    return sp.ceiling(depth + sp.log(width))


def grid_index(step: sp.Expr = step, resolution: sp.Expr = m_grid) -> sp.Expr:
    """The `step`-th Schatten index `step / m`; steps run from 0 to `2m`.

    >>> grid_index(sp.Integer(3), sp.Integer(12))
    1/4
    """
    return step / resolution
