"""F6: derivatives 1 to 3 of `L` blocks in those of one block, with the depth explicit.

Block `l` has derivatives at most `lambda_l, beta_l, gamma_l` on its own ball. The chain rule of
majorants (M4), one block after another, telescopes: the derivative that is taken in block `l` is
carried on by the Lipschitz constants after it, and fed by those before it.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.errors import MajorantError
from majorant.derivation.symbols import L, i, j, l

#: Bounds on derivatives 1, 2, 3 of block l, and of every block where all are alike.
LAMBDA, BETA, GAMMA = (sp.IndexedBase(name) for name in ("lambda", "beta", "gamma"))
SAME = sp.symbols("lambda beta gamma", positive=True)

_m = sp.Symbol("m", integer=True, positive=True)  # the block of an earlier derivative


def _lipschitz(first: sp.Expr, last: sp.Expr, index: sp.Symbol) -> sp.Expr:
    return sp.Product(LAMBDA[index], (index, first, last))


def network_derivative(k: int) -> sp.Expr:
    """`D_k`, `k` = 1, 2, 3, of `L` blocks as sums over the blocks.

    Raises `MajorantError` for another order (numbers of any order: `propagate_series`).

    >>> network_derivative(2).subs(L, 2).doit()
    beta[1]*lambda[2] + beta[2]*lambda[1]**2
    """
    below = _lipschitz(1, l - 1, j)
    above = _lipschitz(l + 1, L, i)
    if k == 1:
        return _lipschitz(1, L, l)
    if k == 2:
        return sp.Sum(above * BETA[l] * below**2, (l, 1, L))
    if k == 3:
        # second derivative of the blocks before l
        earlier = sp.Sum(_lipschitz(_m + 1, l - 1, i) * BETA[_m] * _lipschitz(1, _m - 1, j)**2,
                         (_m, 1, l - 1))
        return sp.Sum(above * (GAMMA[l] * below**3 + 3 * BETA[l] * below * earlier), (l, 1, L))
    raise MajorantError(f"order {k}: closed forms are shipped for orders 1 to 3")


def alike_blocks(k: int) -> sp.Expr:
    """`D_k` of `L` blocks with the same `lambda` > 1, `beta`, `gamma`: geometric sums.

    >>> alike_blocks(2)
    beta*lambda**(L - 1)*(lambda**L - 1)/(lambda - 1)
    """
    first, second, third = SAME
    if k == 1:
        return first**L
    if k == 2:
        return second * first ** (L - 1) * (first**L - 1) / (first - 1)
    if k == 3:
        cubes = first ** (L - 1) * (first ** (2 * L) - 1) / (first**2 - 1)
        pairs = (first ** (L - 2) * (first**L - 1) * (first**L - first)
                 / ((first - 1) * (first**2 - 1)))
        return third * cubes + 3 * second**2 * pairs
    raise MajorantError(f"order {k}: closed forms are shipped for orders 1 to 3")
