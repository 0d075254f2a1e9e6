"""The log domain: an expression for the logarithm of a positive expression.

Products over blocks leave the range of float64 for real models. `log_form` turns products into
sums, powers into multiples, sums of positive terms into `log(sum(exp))`, and does the same under
every logarithm that it meets, so that only logarithms of large numbers are ever formed.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.functions import (
    CountingFunction,
    ExtendedLog,
    LogAddExp,
    LogPlus,
    LogScaled,
    LogSumExpOver,
    MaxOver,
    MinOver,
    Over,
    PositivePower,
)
from majorant.derivation.monotonicity.composition import Composer
from majorant.derivation.monotonicity.domains import Facts


def log_form(expr: sp.Expr, hypotheses: Iterable[sp.Basic] = ()) -> sp.Expr:
    """An expression for `log(expr)`, for a non-negative `expr` (-oo where it is 0).

    Signs come from the symbols' assumptions and from `hypotheses`. Raises
    `UnsupportedExpression` naming the part whose sign is not known to be non-negative.

    >>> x, y = sp.symbols("x y", positive=True)
    >>> log_form(x**3 * y)
    3*log(x) + log(y)
    >>> log_form(1 + x*y)
    LogAddExp(0, log(x) + log(y))
    """
    return _LogForm(Composer(Facts(hypotheses))).log(sp.sympify(expr))


def stable_form(expr: sp.Expr, hypotheses: Iterable[sp.Basic] = ()) -> sp.Expr:
    """The same value as `expr`, with every logarithm inside taken in the log domain.

    >>> x, y = sp.symbols("x y", positive=True)
    >>> stable_form(y * sp.log(1 + 1000*x*y))
    y*LogAddExp(0, log(x) + log(y) + log(1000))
    """
    return _LogForm(Composer(Facts(hypotheses))).stable(sp.sympify(expr))


class _LogForm:
    """The rewriting rules; `composer` supplies the signs."""

    def __init__(self, composer: Composer) -> None:
        self.composer = composer
        self.logs: dict[sp.Expr, sp.Expr] = {}
        self.stables: dict[sp.Basic, sp.Basic] = {}

    def log(self, expr: sp.Expr) -> sp.Expr:
        """`log(expr)` for a non-negative `expr`."""
        if expr not in self.logs:
            self.logs[expr] = self.rewrite(expr)
        return self.logs[expr]

    def rewrite(self, expr: sp.Expr) -> sp.Expr:
        if expr.is_number:
            return sp.log(expr) if expr.is_positive else self.leaf(expr)
        if isinstance(expr, sp.exp):
            return self.stable(expr.args[0])
        if isinstance(expr, sp.Mul):
            return self.product(expr)
        if isinstance(expr, sp.Pow) and self.at_least_zero(expr.base):
            return self.power(expr)
        if isinstance(expr, PositivePower):
            x, p = expr.args
            return LogScaled(self.log(x), self.stable(p)) if self.at_least_zero(x) else self.leaf(
                expr
            )
        if isinstance(expr, sp.Add) and all(map(self.at_least_zero, expr.args)):
            return LogAddExp(*map(self.log, expr.args))
        if isinstance(expr, sp.Max | sp.Min) and all(map(self.at_least_zero, expr.args)):
            return type(expr)(*map(self.log, expr.args))
        if isinstance(expr, sp.Sum | sp.Product | MinOver | MaxOver):
            return self.binder(expr)
        if isinstance(expr, sp.gamma | sp.factorial):
            shift = 1 if isinstance(expr, sp.factorial) else 0
            return sp.loggamma(self.stable(expr.args[0]) + shift)
        if isinstance(expr, sp.Piecewise):
            return sp.Piecewise(*((self.log(value), cond) for value, cond in expr.args))
        return self.leaf(expr)

    def at_least_zero(self, expr: sp.Expr) -> bool:
        return self.composer.range(expr).at_least(0)

    def leaf(self, expr: sp.Expr) -> sp.Expr:
        """The logarithm of something that has no rule."""
        found = self.composer.range(expr)
        if found.at_least(0, strict=True):
            return sp.log(self.stable(expr))
        if found.at_least(0):
            return ExtendedLog(self.stable(expr))
        raise UnsupportedExpression(
            f"log_form: {expr} is not known to be non-negative; state the hypothesis (for example "
            "tau < eps) or give its symbols a sign"
        )

    def product(self, expr: sp.Mul) -> sp.Expr:
        """Sum of the logarithms; negative factors must come in pairs of known signs."""
        factors, negative = [], 0
        for factor in expr.args:
            if not self.at_least_zero(factor) and self.composer.range(factor).at_most(0):
                factor, negative = -factor, negative + 1
            factors.append(factor)
        if negative % 2 or not all(map(self.at_least_zero, factors)):
            return self.leaf(expr)
        return sp.Add(*map(self.log, factors))

    def power(self, expr: sp.Pow) -> sp.Expr:
        level, exponent = self.log(expr.base), self.stable(expr.exp)
        if self.composer.range(expr.base).at_least(0, strict=True) or expr.exp.is_Rational:
            return exponent * level
        if self.composer.range(expr.exp).at_least(0, strict=True):
            return LogScaled(level, exponent)
        return self.leaf(expr)

    def binder(self, expr: sp.Expr) -> sp.Expr:
        inner = _LogForm(self.composer.inside(expr))
        if not inner.at_least_zero(expr.function):
            return self.leaf(expr)
        kind = {sp.Sum: LogSumExpOver, sp.Product: sp.Sum}.get(type(expr), type(expr))
        limits = [
            (index, self.stable(lo), self.stable(hi)) for index, lo, hi in expr.limits
        ]
        return kind(inner.log(expr.function), *limits)

    def stable(self, expr: sp.Basic) -> sp.Basic:
        """The same value, logarithms inside expanded."""
        if expr not in self.stables:
            self.stables[expr] = self.rebuild(expr)
        return self.stables[expr]

    def rebuild(self, expr: sp.Basic) -> sp.Basic:
        if isinstance(expr, sp.Atom | sp.Indexed) or not expr.has(sp.log, LogPlus):
            return expr
        if isinstance(expr, sp.log) and len(expr.args) == 1 and self.worthwhile(expr.args[0]):
            return self.log(expr.args[0])
        if isinstance(expr, LogPlus) and self.worthwhile(expr.args[0]):
            return sp.Max(0, self.log(expr.args[0]))
        if isinstance(expr, sp.Sum | sp.Product | Over) and not isinstance(expr, CountingFunction):
            inner = _LogForm(self.composer.inside(expr))
            return expr.func(inner.stable(expr.function), *expr.limits)
        return expr.func(*(self.stable(arg) for arg in expr.args))

    def worthwhile(self, arg: sp.Expr) -> bool:
        """Whether a logarithm's argument can be large: it contains a product or a power."""
        if not self.at_least_zero(arg):
            return False
        return arg.has(sp.Mul, sp.Pow, sp.Product, PositivePower, sp.exp)


