"""A slow, obvious evaluator: walks an expression with mpmath, binding indices in a dictionary.

It shares no code with the lowering, so that a formula is tested against the definition of its
parts and not against the pass that will evaluate it in production.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath
import pytest
import sympy as sp

from majorant.derivation.functions import (
    Above,
    BernoulliKL,
    CountingFunction,
    KLInverse,
    LogPlus,
    MinOver,
    PositivePower,
)

PLAIN: dict[type, Callable[..., Any]] = {
    sp.log: mpmath.log,
    sp.exp: mpmath.exp,
    sp.loggamma: mpmath.loggamma,
    sp.ceiling: mpmath.ceil,
    sp.Abs: abs,
    sp.cosh: mpmath.cosh,
    sp.Min: min,
    sp.Max: max,
    Above: lambda x, tau: 1 if x > tau else 0,
    PositivePower: lambda x, p: mpmath.mpf(x) ** p if x > 0 else mpmath.mpf(0),
    LogPlus: lambda x: mpmath.log(x) if x > 1 else mpmath.mpf(0),
}


def kl_inverse(q: Any, c: Any) -> Any:
    """Bisection on the definition."""
    low, high = mpmath.mpf(q), mpmath.mpf(1)
    for _ in range(140):
        mid = (low + high) / 2
        kl = (q * mpmath.log(q / mid) if q > 0 else mpmath.mpf(0)) + (
            (1 - q) * mpmath.log((1 - q) / (1 - mid)) if mid < 1 else mpmath.inf
        )
        low, high = (mid, high) if kl <= c else (low, mid)
    return low


def bernoulli_kl(q: Any, r: Any) -> Any:
    """The definition, with `0 log 0 = 0`; infinite where it is."""
    terms = ((q, r), (1 - q, 1 - r))
    if any(x > 0 and y <= 0 for x, y in terms):
        return mpmath.inf
    return mpmath.fsum(x * mpmath.log(x / y) for x, y in terms if x > 0)


PLAIN[KLInverse] = kl_inverse
PLAIN[BernoulliKL] = bernoulli_kl


def plain_value(expr: sp.Expr, values: Mapping[Any, Any]) -> Any:
    """Value of `expr`; `values` maps symbols to numbers and families to tables (from 1)."""
    if expr in values:
        return values[expr]
    if isinstance(expr, sp.Indexed):
        entry = values[expr.base]
        for index in expr.indices:
            entry = entry[int(plain_value(index, values)) - 1]
        return mpmath.mpf(float(entry)) if not isinstance(entry, (int, mpmath.mpf)) else entry
    if isinstance(expr, (sp.Sum, sp.Product, MinOver, CountingFunction)):
        *inner, (index, low, high) = expr.limits
        body = expr.func(expr.function, *inner) if inner else expr.function
        steps = range(int(plain_value(low, values)), int(plain_value(high, values)) + 1)
        terms = [plain_value(body, {**values, index: step}) for step in steps]
        if isinstance(expr, (sp.Sum, CountingFunction)):
            return mpmath.fsum(terms)
        return mpmath.fprod(terms) if isinstance(expr, sp.Product) else min(terms)
    if isinstance(expr, sp.Integral):
        if len(expr.limits) > 1:
            return plain_value(expr.doit(), values)
        variable, low, high = expr.limits[0]
        top = plain_value(high, values)
        if low != 0:
            bottom = plain_value(low, values)
            return mpmath.quad(
                lambda at: plain_value(expr.function, {**values, variable: at}), [bottom, top]
            )
        # a decaying substitution tames the powers at 0

        def decayed(at: Any) -> Any:
            point = top * mpmath.exp(-at)
            return plain_value(expr.function, {**values, variable: point}) * point

        return mpmath.quad(decayed, [0, *(10**power for power in range(7))])
    if expr.is_Rational:
        return mpmath.mpf(expr.p) / expr.q
    if expr.is_number and expr.is_Atom:
        return mpmath.mpf(str(expr.evalf(40)))
    args = [plain_value(arg, values) for arg in expr.args]
    if expr.is_Add:
        return mpmath.fsum(args)
    if expr.is_Mul:
        return mpmath.fprod(args)
    if expr.is_Pow:
        return mpmath.mpf(args[0]) ** args[1]
    return PLAIN[expr.func](*args)


@pytest.fixture
def value() -> Callable[[sp.Expr, Mapping[Any, Any]], Any]:
    """The slow evaluator, at 40 digits."""

    def evaluate(expr: sp.Expr, values: Mapping[Any, Any]) -> Any:
        with mpmath.workdps(40):
            return plain_value(expr, values)

    return evaluate
