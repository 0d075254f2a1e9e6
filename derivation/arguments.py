"""The arguments of an expression: its free symbols and its indexed families."""

from __future__ import annotations

import sympy as sp


def arguments_of(*exprs: sp.Basic) -> list[sp.Basic]:
    """Free Symbols and IndexedBases of expressions, by name: what their evaluation needs.

    >>> x, i = sp.symbols("x i")
    >>> arguments_of(sp.Sum(sp.IndexedBase("sigma")[i]**x, (i, 1, 3)))
    [sigma, x]
    """
    families = {entry.base for expr in exprs for entry in expr.atoms(sp.Indexed)}
    labels = {family.label for family in families}
    symbols = {
        symbol
        for expr in exprs
        for symbol in expr.free_symbols
        if isinstance(symbol, sp.Symbol) and symbol not in labels
    }
    return sorted(families | symbols, key=str)
