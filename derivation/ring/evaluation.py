"""Evaluate an algebraic SymPy expression over a ring: one small table, compiled once.

This is how a lemma's expression becomes a number in the propagation through a network; the
formula itself lives in the lemma only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.ring.protocol import Ring, power

Program = Callable[[Ring[Any], Mapping[sp.Basic, Any]], Any]


def evaluate(expr: sp.Expr, values: Mapping[sp.Basic, Any], ring: Ring[Any]) -> Any:
    """The value of `expr` at `values`, computed in `ring`.

    Domain: sums, products, integer and half-integer powers, `Max`, `Min` and non-negative
    rationals over non-negative symbols. Raises `UnsupportedExpression` for any other node, and
    for a symbol without a value.

    >>> from majorant.derivation.ring import ExactRing
    >>> x, y = sp.symbols("x y", positive=True)
    >>> evaluate(sp.sqrt(1 + x**2) / y, {x: sp.Integer(3), y: sp.Integer(2)}, ExactRing())
    sqrt(10)/2
    """
    return _compile(expr)(ring, values)


@lru_cache(maxsize=1024)
def _compile(expr: sp.Expr) -> Program:
    if isinstance(expr, sp.Rational):
        if expr < 0:
            raise UnsupportedExpression(f"{expr}: a negative number has no place in this ring")
        constant = Fraction(int(expr.p), int(expr.q))
        return lambda ring, values: ring.fraction(constant)
    if isinstance(expr, sp.Symbol | sp.Indexed):
        return _symbol(expr)
    if isinstance(expr, sp.Add):
        return _fold(expr.args, "add")
    if isinstance(expr, sp.Mul):
        return _product(expr)
    if isinstance(expr, sp.Max):
        return _fold(expr.args, "maximum")
    if isinstance(expr, sp.Min):
        return _fold(expr.args, "minimum")
    if isinstance(expr, sp.Pow):
        return _power(expr)
    raise UnsupportedExpression(
        f"{type(expr).__name__} in {expr}: only sums, products, powers n/2, Max and Min of "
        "non-negative terms can be evaluated over a ring"
    )


def _symbol(symbol: sp.Basic) -> Program:
    def run(ring: Ring[Any], values: Mapping[sp.Basic, Any]) -> Any:
        if symbol not in values:
            raise UnsupportedExpression(f"{symbol}: has no value in this evaluation")
        return values[symbol]

    return run


def _fold(args: tuple[sp.Expr, ...], operation: str) -> Program:
    first, *rest = [_compile(arg) for arg in args]

    def run(ring: Ring[Any], values: Mapping[sp.Basic, Any]) -> Any:
        combine = getattr(ring, operation)
        result = first(ring, values)
        for part in rest:
            result = combine(result, part(ring, values))
        return result

    return run


def _product(expr: sp.Mul) -> Program:
    upper, lower = [], []
    for factor in expr.args:
        base, exponent = factor.as_base_exp()
        if exponent.is_Rational and exponent < 0:
            lower.append(sp.Pow(base, -exponent))
        else:
            upper.append(factor)
    if not lower:
        return _fold(tuple(upper), "mul")
    numerator = _compile(sp.Mul(*upper))
    denominator = _compile(sp.Mul(*lower))
    return lambda ring, values: ring.div(numerator(ring, values), denominator(ring, values))


def _power(expr: sp.Pow) -> Program:
    base, exponent = expr.args
    if not (exponent.is_Rational and (2 * exponent).is_Integer):
        raise UnsupportedExpression(f"{expr}: only integer and half-integer exponents")
    inner = _compile(base)
    halves, negative = abs(int(2 * exponent)), bool(exponent < 0)

    def run(ring: Ring[Any], values: Mapping[sp.Basic, Any]) -> Any:
        x = inner(ring, values)
        x = power(ring, ring.sqrt(x), halves) if halves % 2 else power(ring, x, halves // 2)
        return ring.div(ring.fraction(Fraction(1)), x) if negative else x

    return run
