"""`x^p` for positive `x`, with value 0 elsewhere, also for `p = 0`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from majorant.derivation.functions.facts import OwnFunction
from majorant.derivation.ranges import Range


class PositivePower(OwnFunction):
    """`x^p` for `x > 0`, and 0 for `x <= 0`, whatever `p >= 0` is.

    With this convention `Sum(PositivePower(sigma[i], p), (i, 1, r))` is the Schatten quantity for
    every `p`: at `p = 0` it counts the singular values that are not 0 (the rank).

    >>> x = sp.Symbol("x", positive=True)
    >>> PositivePower(x, sp.Rational(1, 2)), PositivePower(0, 0), PositivePower(7, 0)
    (sqrt(x), 0, 1)
    """

    domain = "real x, p >= 0"
    nargs = 2

    @classmethod
    def eval(cls, x: sp.Expr, p: sp.Expr) -> sp.Expr | None:
        """Exact values: 0 up to 0, the ordinary power where `x` is known to be positive."""
        if x.is_nonpositive:
            return sp.Integer(0)
        return x**p if x.is_positive else None

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """Non-negative; positive where `x` is; at most 1 where `x` is."""
        x, p = ranges
        lo = Range.above(0, strict=x.at_least(0, strict=True))
        if not p.at_least(0):
            return lo
        if x.at_most(1):
            return Range(sp.Integer(0), sp.Integer(1), lo_open=lo.lo_open)
        return Range.above(1) if x.at_least(1) else lo

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """In `x` for `p >= 0`; in `p` where `x >= 1` or `x <= 0`."""
        x, p = ranges
        return p.at_least(0) and (i == 0 or x.at_least(1) or x.at_most(0))

    def is_decr(self, i: int, ranges: Sequence[Range]) -> bool:
        """In `p` where `x <= 1`."""
        x, p = ranges
        return i == 1 and x.at_most(1) and p.at_least(0)

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Derivative on `x > 0`."""
        x, p = self.args
        return p * x ** (p - 1) if argindex == 1 else PositivePower(x, p) * sp.log(x)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        x, p = self.args
        base = printer.parenthesize(x, 1000) if not x.is_Atom else printer._print(x)
        body = rf"{{{base}}}_{{+}}^{{{printer._print(p)}}}"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"
