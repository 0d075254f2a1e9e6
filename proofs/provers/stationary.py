"""Where a slope vanishes exactly: candidates that are then confirmed by algebra."""

from __future__ import annotations

import sympy
from flint import fmpq

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers.domain import Domain
from majorant.proofs.provers.enclosure import evaluate
from majorant.proofs.provers.exact import is_formally_zero
from majorant.proofs.provers.interval import Interval
from majorant.proofs.provers.inversion import inverted
from majorant.proofs.provers.program import Program


def stationary_points(
    parts: list[tuple[sympy.Expr, int]], variable: sympy.Symbol, domain: Domain
) -> list[sympy.Expr]:
    """Exact zeros of a slope, given by its factors: roots of the simple ones, likely contacts.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> slope = sympy.log(1 - x - y) - sympy.log(x)
    >>> stationary_points([(slope, 1)], x, Domain((x, y), ()))
    [1/2 - y/2]
    """
    found: list[sympy.Expr] = []
    slope = sympy.Mul(*(b**e for b, e in parts))
    for base, exponent in parts:
        if exponent < 0 or not base.has(variable):
            continue
        if base.is_polynomial(variable) and sympy.degree(base, variable) <= 2:
            for root in sympy.roots(base, variable):
                found.append(root)
    likely = [v for v in domain.variables if v != variable]
    likely += [sympy.Integer(0), sympy.Integer(1), sympy.Rational(1, 2), sympy.Integer(-1)]
    others = [v for v in domain.variables if v != variable]
    likely += [1 / v for v in others if v.is_positive] + [1 - v for v in others]
    likely += _matched(slope, variable)
    for candidate in likely:
        if _surely_steep(slope, variable, candidate):
            continue
        value = slope.subs(variable, candidate)
        if candidate not in found and not value.has(sympy.nan, sympy.zoo):
            if value == 0 or (sympy.count_ops(value) < 60 and is_formally_zero(value)):
                found.append(candidate)
    if not found:
        found = _solved(parts, variable)
    return [f for f in found if not f.has(sympy.I)]


def _matched(slope: sympy.Expr, variable: sympy.Symbol) -> list[sympy.Expr]:
    """Where two terms g(u) and g(v) of one kind cancel: u = v, linear in the variable."""
    groups: dict[object, list[sympy.Expr]] = {}
    for node in sympy.preorder_traversal(slope):
        if not node.has(variable):
            continue
        if isinstance(node, sympy.Function) and len(node.args) == 1:
            groups.setdefault(type(node), []).append(node.args[0])
        elif isinstance(node, sympy.Pow):
            groups.setdefault(node.exp, []).append(node.base)
    found: dict[sympy.Expr, None] = {}
    for kind, arguments in groups.items():
        distinct = list(dict.fromkeys(arguments))[:6]
        pairs = [(u, v) for i, u in enumerate(distinct) for v in distinct[i + 1 :]]
        gaps = [u - v for u, v in pairs]
        if kind is sympy.cos:
            gaps += [u + v for u, v in pairs] + [u + v - sympy.pi for u, v in pairs]
        if kind is sympy.log:
            gaps += [u - 1 for u in distinct] + [u * v - 1 for u, v in pairs]
        for gap in gaps:
            top = sympy.numer(sympy.together(gap))
            slope_of = sympy.expand(top).coeff(variable, 1)
            root = None
            if slope_of != 0 and not (sympy.expand(top) - slope_of * variable).has(variable):
                root = variable - sympy.expand(top) / slope_of
            if root is not None and not slope_of.has(variable):
                found[sympy.expand(sympy.cancel(root))] = None
    return list(found)[:12]


def _surely_steep(
    slope: sympy.Expr, variable: sympy.Symbol, candidate: sympy.Expr
) -> bool:
    """Whether balls show that the slope is not 0 at a candidate, without substituting."""
    symbols = sorted((slope.free_symbols | candidate.free_symbols) - {variable}, key=str)
    try:
        inner = Program([candidate], symbols)
        outer = Program([slope], [*symbols, variable])
    except UnsupportedExpression:
        return False
    for first, step, below in ((37, 19, 101), (113, 41, 59)):
        point = [Interval.rational(fmpq(first + step * k, below)) for k in range(len(symbols))]
        value = evaluate(outer, [*point, evaluate(inner, point)[0]])[0]
        if value.bounded and (value.lo > 0 or value.hi < 0):
            return True
    return False


def _solved(parts: list[tuple[sympy.Expr, int]], variable: sympy.Symbol) -> list[sympy.Expr]:
    found: list[sympy.Expr] = []
    for base, exponent in parts:
        if exponent > 0 and base.has(variable):
            root = inverted(base, variable)
            if root is not None:
                found.append(root)
    return found
