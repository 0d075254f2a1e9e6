"""Solving `f(y) = 0` for a variable that can be isolated by peeling off functions."""

from __future__ import annotations

import sympy


def inverted(expr: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr | None:
    """A solution y of `expr = 0`, exact, None if the variable cannot be isolated.

    Two terms that both contain the variable are first divided by each other. The result is a
    candidate: whether the expression vanishes there is for the caller to check.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> inverted(x**3 - y, x)
    y**(1/3)
    """
    terms = [sympy.powsimp(t) for t in sympy.Add.make_args(sympy.expand(expr))]
    inside = [t for t in terms if t.has(variable)]
    rest = sympy.Add(*(t for t in terms if not t.has(variable)))
    if len(inside) == 2 and rest == 0:
        ratio = sympy.powsimp(sympy.cancel(inside[0] / inside[1]))
        return _peeled(ratio, sympy.Integer(-1), variable)
    if len(inside) != 1:
        return _peeled(sympy.Add(*terms), sympy.Integer(0), variable)
    return _peeled(inside[0], -rest, variable)


def _peeled(
    left: sympy.Expr, right: sympy.Expr, variable: sympy.Symbol
) -> sympy.Expr | None:
    """Solve left = right where the variable sits in one argument at every level."""
    for _ in range(12):
        if left == variable:
            return None if right.has(sympy.nan, sympy.zoo, sympy.oo, sympy.I) else right
        carrying = [a for a in left.args if a.has(variable)]
        if len(carrying) != 1:
            return None
        inner = carrying[0]
        others = [a for a in left.args if not a.has(variable)]
        if left.is_Add:
            right = right - sympy.Add(*others)
        elif left.is_Mul:
            right = sympy.powsimp(sympy.cancel(right / sympy.Mul(*others)))
        elif isinstance(left, sympy.exp):
            if right.is_nonpositive:
                return None
            right = sympy.expand_log(sympy.log(right), force=True)
        elif isinstance(left, sympy.log):
            right = sympy.exp(right)
        elif isinstance(left, sympy.Pow) and inner == left.base:
            if right.is_nonpositive:
                return None
            right = sympy.powdenest(right ** (1 / left.exp), force=True)
        elif isinstance(left, sympy.Pow):
            if right.is_nonpositive:
                return None
            right = sympy.log(right) / sympy.log(left.base)
        else:
            return None
        left = inner
    return None
