"""Shapes that lose digits when they are evaluated literally: `log(1 + u)` and `exp(u) - 1`."""

from __future__ import annotations

import sympy as sp


def log1p_argument(arg: sp.Expr) -> sp.Expr | None:
    """`u` if `arg` is `1 + u`, else None.

    >>> x = sp.Symbol("x")
    >>> log1p_argument(1 + 2*x), log1p_argument(2*x)
    (2*x, None)
    """
    if arg.is_Add and sp.S.One in arg.args:
        return sp.Add(*(term for term in arg.args if term is not sp.S.One))
    return None


def expm1_terms(add: sp.Add) -> tuple[list[tuple[sp.Expr, sp.Expr]], list[sp.Expr]] | None:
    """Splits a sum into `c * expm1(u)` pairs `(c, u)` and the other terms; None without a pair.

    >>> x, y = sp.symbols("x y")
    >>> expm1_terms(3*sp.exp(x) - 3 + y)
    ([(3, x)], [y])
    """
    constant = sp.Add(*(term for term in add.args if term.is_Rational))
    if not constant:
        return None
    for term in add.args:
        coefficient, rest = term.as_coeff_Mul()
        if isinstance(rest, sp.exp) and coefficient == -constant:
            others = [t for t in add.args if t is not term and not t.is_Rational]
            return [(coefficient, rest.args[0])], others
    return None
