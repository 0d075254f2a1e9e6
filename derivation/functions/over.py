"""Infimum and supremum over a finite indexed set, and the log of a sum of exponentials.

Like `Sum`, they bind their index: `MinOver(expr, (j, lo, hi))`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from majorant.derivation.ranges import Range


class Over(ExprWithLimits):
    """Base of our index-binding expressions: `Over(expr, (index, lo, hi), ...)`.

    As with `Sum`, the first limit is the innermost one. The last limits may not be empty.
    """

    domain: ClassVar[str] = "lo <= hi"
    latex_operator: ClassVar[str] = ""

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """A range of the value from the range of the body (first entry)."""
        return ranges[0]

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Non-decreasing in the body (argument 0)."""
        return i == 0

    def is_decr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Never non-increasing in the body."""
        return False

    def _eval_is_extended_real(self) -> bool | None:
        return self.function.is_extended_real

    def _eval_is_finite(self) -> bool | None:
        return self.function.is_finite

    def _eval_is_extended_nonnegative(self) -> bool | None:
        return self.function.is_extended_nonnegative

    def _eval_is_extended_positive(self) -> bool | None:
        return self.function.is_extended_positive

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        operators = []
        for limit in reversed(self.limits):
            index, lo, hi = (printer._print(part) for part in limit)
            operators.append(rf"{self.latex_operator}_{{{lo} \leq {index} \leq {hi}}}")
        body = rf"{' '.join(operators)} {printer._print(self.function)}"
        if self.function.is_Add:
            body = rf"{' '.join(operators)} \left({printer._print(self.function)}\right)"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"


class MinOver(Over):
    """The least value of an expression over a finite range of an index.

    >>> j, m = sp.symbols("j m", integer=True, positive=True)
    >>> MinOver(j**2, (j, 1, m)).free_symbols
    {m}
    >>> MinOver((j - 2)**2, (j, 1, 4)).doit()
    0
    """

    latex_operator = r"\min"

    def doit(self, **hints: Any) -> sp.Expr:
        """The minimum over explicit integer limits; unchanged otherwise."""
        return _unroll(self, sp.Min, hints)


class MaxOver(Over):
    """The largest value of an expression over a finite range of an index.

    >>> j = sp.Symbol("j", integer=True)
    >>> MaxOver(j*(4 - j), (j, 0, 4)).doit()
    4
    """

    latex_operator = r"\max"

    def doit(self, **hints: Any) -> sp.Expr:
        """The maximum over explicit integer limits; unchanged otherwise."""
        return _unroll(self, sp.Max, hints)


class LogSumExpOver(Over):
    """`log(Sum(exp(expr), (j, lo, hi)))`: a sum of positive terms in the log domain.

    >>> j = sp.Symbol("j", integer=True)
    >>> LogSumExpOver(sp.log(j), (j, 1, 3)).doit()
    log(6)
    """

    domain = "lo <= hi (an empty sum gives -oo)"
    latex_operator = r"\operatorname{logsumexp}"

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """At least the least member; there may be many members, so no upper end."""
        return Range(ranges[0].lo, sp.oo, ranges[0].lo_open, True)

    def _eval_is_extended_nonnegative(self) -> bool | None:
        return True if self.function.is_extended_nonnegative else None

    def _eval_is_extended_positive(self) -> bool | None:
        return True if self.function.is_extended_positive else None

    def doit(self, **hints: Any) -> sp.Expr:
        """The logarithm of the sum over explicit integer limits; unchanged otherwise."""
        return _unroll(self, lambda *terms: sp.log(sp.Add(*map(sp.exp, terms))), hints)


def _unroll(over: Over, combine: Any, hints: dict[str, Any]) -> sp.Expr:
    value = over.function.doit(**hints) if hints.get("deep", True) else over.function
    for count, (index, lo, hi) in enumerate(over.limits):
        if not (lo.is_Integer and hi.is_Integer and lo <= hi):
            return over.func(value, *over.limits[count:])
        value = combine(*(value.subs(index, at) for at in range(int(lo), int(hi) + 1)))
    return value
