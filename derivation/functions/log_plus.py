"""Logarithms that are defined at 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from majorant.derivation.functions.facts import OwnFunction
from majorant.derivation.ranges import Range


class LogPlus(OwnFunction):
    """`log+ x = max(0, log x)`, 0 for all `x <= 1`.

    >>> LogPlus(0), LogPlus(sp.Rational(1, 2)), LogPlus(3)
    (0, 0, log(3))
    """

    domain = "real x"
    nargs = 1

    @classmethod
    def eval(cls, x: sp.Expr) -> sp.Expr | None:
        """0 up to 1, the logarithm above 1, where that is decided."""
        if (1 - x).is_nonnegative:
            return sp.Integer(0)
        return sp.log(x) if (x - 1).is_nonnegative else None

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """Non-negative; positive above 1."""
        return Range.above(0, strict=ranges[0].at_least(1, strict=True))

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Non-decreasing."""
        return True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\log_{{+}}{power}\left({printer._print(self.args[0])}\right)"


class ExtendedLog(OwnFunction):
    """`log x` for `x > 0`, and -oo at `x = 0`: the leaf of the log domain for quantities that may
    vanish (a zero matrix).

    >>> ExtendedLog(0), ExtendedLog(sp.E)
    (-oo, 1)
    """

    domain = "x >= 0"
    nargs = 1

    @classmethod
    def eval(cls, x: sp.Expr) -> sp.Expr | None:
        """-oo at 0, the logarithm of what is positive."""
        if x.is_zero:
            return -sp.oo
        return sp.log(x) if x.is_positive else None

    def _eval_is_finite(self) -> bool | None:
        return True if self.args[0].is_positive and self.args[0].is_finite else None

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Increasing on `x >= 0`."""
        return ranges[0].at_least(0)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\log{power}\left({printer._print(self.args[0])}\right)"


class LogAddExp(OwnFunction):
    """`log(exp(u_1) + ... + exp(u_n))`: a sum of positive terms in the log domain; -oo allowed.

    >>> u = sp.Symbol("u", real=True)
    >>> LogAddExp(u), LogAddExp(-sp.oo, u), LogAddExp(0, 0)
    (u, u, log(2))
    """

    domain = "u_i real or -oo"

    @classmethod
    def eval(cls, *terms: sp.Expr) -> sp.Expr | None:
        """Drops -oo terms; collapses numbers."""
        kept = [term for term in terms if term != -sp.oo]
        if not kept:
            return -sp.oo
        if len(kept) == 1:
            return kept[0]
        if all(term == kept[0] for term in kept):
            return kept[0] + sp.log(len(kept))
        return cls(*kept) if len(kept) < len(terms) else None

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """At least the largest lower end (here: the first that shows a sign)."""
        for given in ranges:
            if given.at_least(0):
                return Range.above(0, strict=True)
        return Range.unknown()

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Increasing in every argument."""
        return True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        terms = " + ".join(rf"e^{{{printer._print(arg)}}}" for arg in self.args)
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\log{power}\left({terms}\right)"


class LogScaled(OwnFunction):
    """`p * l`, and -oo at `l = -oo` also for `p = 0`: the logarithm of `PositivePower`.

    >>> LogScaled(-sp.oo, 0)
    -oo
    """

    domain = "l real or -oo, p >= 0"
    nargs = 2

    @classmethod
    def eval(cls, level: sp.Expr, p: sp.Expr) -> sp.Expr | None:
        """-oo stays -oo; a finite logarithm is multiplied."""
        if level == -sp.oo:
            return -sp.oo
        return p * level if level.is_finite else None

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """In `l`; in `p` where `l >= 0`."""
        return ranges[1].at_least(0) if i == 0 else ranges[0].at_least(0)

    def is_decr(self, i: int, ranges: Sequence[Range]) -> bool:
        """In `p` where `l <= 0`."""
        return i == 1 and ranges[0].at_most(0)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        level, p = self.args
        body = rf"{printer.parenthesize(p, 50)} \cdot {printer.parenthesize(level, 50)}"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"
