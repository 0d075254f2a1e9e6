"""The ring of SymPy expressions: closed forms in symbols, and exact algebraic numbers."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from majorant.derivation.ring.plain import PlainRing


class ExactRing(PlainRing):
    """Non-negative SymPy expressions.

    >>> ring = ExactRing()
    >>> C = sp.Symbol("C", positive=True)
    >>> ring.sqrt(ring.mul(C, C))
    C
    """

    def fraction(self, value: Fraction) -> sp.Expr:
        return sp.Rational(value.numerator, value.denominator)

    def interval(self, lower: Fraction, upper: Fraction) -> sp.Expr:
        """The upper end: an exact expression can only carry an upper bound."""
        return sp.Rational(upper.numerator, upper.denominator)

    def add(self, x: sp.Expr, y: sp.Expr) -> sp.Expr:
        return x + y

    def mul(self, x: sp.Expr, y: sp.Expr) -> sp.Expr:
        return x * y

    def div(self, x: sp.Expr, y: sp.Expr) -> sp.Expr:
        return x / y

    def sqrt(self, x: sp.Expr) -> sp.Expr:
        return sp.sqrt(x)

    def maximum(self, x: sp.Expr, y: sp.Expr) -> sp.Expr:
        return sp.Max(x, y)

    def minimum(self, x: sp.Expr, y: sp.Expr) -> sp.Expr:
        return sp.Min(x, y)

    def is_zero(self, x: sp.Expr) -> bool:
        return x == 0
