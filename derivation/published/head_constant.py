"""Lipschitz constant of one attention head per unit of its value norm, in three versions.

`crude` is the published one (Edelman, Goel, Kakade, Zhang 2022), `series` is A2 with the sharp
cumulants, `sharp` is A3. All three assume rows in the unit ball (`b = 1`).
"""

from __future__ import annotations

from typing import Literal

import sympy as sp

from majorant.derivation import symbols
from majorant.derivation.attention import HEAD_CRUDE, HEAD_SERIES, HEAD_SHARP
from majorant.derivation.errors import UnusableInput

Constants = Literal["crude", "series", "sharp"]

_HEADS = {"crude": HEAD_CRUDE, "series": HEAD_SERIES, "sharp": HEAD_SHARP}


def head_constant(C_Q: sp.Expr, constants: Constants = "crude") -> sp.Expr:
    """Lipschitz constant of a head divided by `C_V`, as a function of the query-key norm `C_Q`.

    Domain: `C_Q >= 0`, rows of norm at most 1. Raises `UnusableInput` for another name.
    Source: `crude` Edelman, Goel, Kakade, Zhang 2022 (arXiv 2110.10090); `series`, `sharp`: A2, A3.

    >>> import sympy as sp
    >>> [head_constant(sp.Integer(4), name) for name in ("crude", "series", "sharp")]
    [17, 9, 4 + sqrt(17)]
    """
    if constants not in _HEADS:
        raise UnusableInput(f"constants={constants!r}: expected 'crude', 'series' or 'sharp'")
    return _HEADS[constants].rhs.xreplace(
        {symbols.C_V: sp.S.One, symbols.b: sp.S.One, symbols.C_Q: C_Q}
    )
