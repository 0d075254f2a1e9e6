"""Where an expression means in Coq what it means in mathematics.

Coq's functions are total: `ln 0 = 0`, `1 / 0 = 0`, `sqrt (-1) = 0`, `Rpower 0 p = 1`. A printed
statement therefore comes with the conditions under which no such value is used, and they are
proved too. Conditions that hold by SymPy's assumptions are not listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

Ranges = tuple[tuple[sp.Symbol, sp.Expr, sp.Expr], ...]


@dataclass(frozen=True)
class Need:
    """`condition` must hold for all `ranges` (index or variable, lower end, upper end)."""

    condition: sp.Basic
    ranges: Ranges = ()


def is_nonnegative(expr: sp.Basic) -> bool:
    """Whether assumptions give `expr >= 0`; sums and products over an index included.

    >>> s, i = sp.IndexedBase(sp.Symbol("s", nonnegative=True)), sp.Symbol("i", integer=True)
    >>> is_nonnegative(sp.Sum(s[i], (i, 1, 3)))
    True
    """
    if isinstance(expr, (sp.Sum, sp.Product)):
        return is_nonnegative(expr.function)
    if expr.is_nonnegative:
        return True
    return (expr.is_Add or expr.is_Mul) and all(is_nonnegative(arg) for arg in expr.args)


def is_positive(expr: sp.Basic) -> bool:
    """Whether assumptions give `expr > 0`; an empty sum is 0, so sums never qualify.

    >>> is_positive(1 + sp.Symbol("x", nonnegative=True) ** 2)
    True
    """
    if isinstance(expr, sp.Product):
        return is_positive(expr.function)
    if expr.is_positive:
        return True
    if expr.is_Add:
        return all(is_nonnegative(arg) for arg in expr.args) and any(map(is_positive, expr.args))
    return bool(expr.is_Mul) and all(is_positive(arg) for arg in expr.args)


def needs(expr: sp.Basic, ranges: Ranges = ()) -> list[Need]:
    """The conditions of `expr`, innermost first, without those that assumptions already give.

    >>> x = sp.Symbol("x", real=True)
    >>> [str(need.condition) for need in needs(sp.log(x) / (1 + sp.Symbol("p", positive=True)))]
    ['x > 0']
    """
    return list(dict.fromkeys(_walk(expr, ranges)))


def _walk(expr: sp.Basic, ranges: Ranges) -> Iterator[Need]:
    if isinstance(expr, ExprWithLimits):
        inner = ranges + tuple((limit[0], limit[1], limit[2]) for limit in reversed(expr.limits))
        yield from _walk(expr.function, inner)
        for limit in expr.limits:
            for end in limit[1:]:
                yield from _walk(end, ranges)
        return
    if isinstance(expr, sp.Indexed):
        return
    for argument in expr.args:
        yield from _walk(argument, ranges)
    condition = _own_condition(expr)
    if condition is not None and condition is not sp.true:
        used = {r[0] for r in ranges} & condition.free_symbols
        yield Need(condition, tuple(r for r in ranges if r[0] in used))


def _own_condition(expr: sp.Basic) -> sp.Basic | None:
    if isinstance(expr, sp.log):
        argument = expr.args[0]
        return None if is_positive(argument) else sp.Gt(argument, 0, evaluate=False)
    if isinstance(expr, sp.Pow) and expr.base is not sp.S.Exp1:
        base, exponent = expr.base, expr.exp
        if exponent.is_Integer:
            if exponent.is_nonnegative or base.is_nonzero or is_positive(base):
                return None
            return sp.Ne(base, 0, evaluate=False)
        if is_positive(base):
            return None
        if exponent.is_Rational and exponent.q == 2 and exponent.is_positive:
            return None if is_nonnegative(base) else sp.Ge(base, 0, evaluate=False)
        return sp.Gt(base, 0, evaluate=False)
    name = type(expr).__name__
    if name == "tan":
        return sp.Ne(sp.cos(expr.args[0]), 0, evaluate=False)
    if name == "BernoulliKL":
        q, r = expr.args
        inside = sp.And(q >= 0, q <= 1, r > 0, r < 1)
        return None if inside == sp.true else inside
    return None
