"""The counting function of a spectrum, `k_W(tau) = #{i : sigma_i > tau}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from majorant.derivation.functions.facts import OwnFunction
from majorant.derivation.functions.over import Over
from majorant.derivation.ranges import Range


class Above(OwnFunction):
    """1 where `x > tau`, otherwise 0.

    >>> Above(3, 2), Above(2, 2)
    (1, 0)
    """

    domain = "real x, tau"
    nargs = 2

    @classmethod
    def eval(cls, x: sp.Expr, tau: sp.Expr) -> sp.Expr | None:
        """Decided comparisons only."""
        decided = sp.Gt(x, tau)
        if decided == sp.true:
            return sp.Integer(1)
        return sp.Integer(0) if decided == sp.false else None

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """`[0, 1]`."""
        return Range(sp.Integer(0), sp.Integer(1))

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """In `x`."""
        return i == 0

    def is_decr(self, i: int, ranges: Sequence[Range]) -> bool:
        """In `tau`."""
        return i == 1

    def _eval_is_integer(self) -> bool:
        return True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        x, tau = (printer._print(arg) for arg in self.args)
        body = rf"\mathbf{{1}}\left[{x} > {tau}\right]"
        return body if exp is None else rf"{body}^{{{exp}}}"


class CountingFunction(Over):
    """Number of entries of an indexed family that are above `tau`.

    `CountingFunction(sigma[a, i], tau, (i, 1, r))` is `#{i in 1..r : sigma[a, i] > tau}`. It is
    stored as `CountingFunction(Above(sigma[a, i], tau), (i, 1, r))`. Non-increasing in `tau`,
    non-decreasing in the entries. An empty range counts 0.

    >>> sigma, i, r, tau = sp.IndexedBase("sigma"), *sp.symbols("i r tau")
    >>> counted = CountingFunction(sigma[i], tau, (i, 1, r))
    >>> counted.entry, counted.threshold
    (sigma[i], tau)
    >>> CountingFunction(i, 2, (i, 1, 5)).doit()
    3
    """

    domain = "any integers lo, hi"

    def __new__(cls, entry: Any, *rest: Any, **assumptions: Any) -> Any:
        """`entry, tau, limit` from people; `Above(entry, tau), limit` from rebuilding."""
        if rest and not isinstance(rest[0], (tuple, sp.Tuple)):
            entry, rest = Above(entry, sp.sympify(rest[0]), evaluate=False), rest[1:]
        return super().__new__(cls, entry, *rest, **assumptions)

    @property
    def entry(self) -> sp.Expr:
        """The indexed entry that is compared."""
        return self.function.args[0]

    @property
    def threshold(self) -> sp.Expr:
        """The threshold `tau`."""
        return self.function.args[1]

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """`[0, number of entries]`."""
        size = sp.Integer(1)
        for _, lo, hi in self.limits:
            size *= hi - lo + 1
        return Range(sp.Integer(0), size) if size.is_Integer else Range.above(0)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_is_integer(self) -> bool:
        return True

    def _eval_is_extended_nonnegative(self) -> bool:
        return True

    def _eval_is_extended_positive(self) -> None:
        return None

    def doit(self, **hints: Any) -> sp.Expr:
        """The count over explicit integer limits; unchanged otherwise."""
        if not all(end.is_Integer for limit in self.limits for end in limit[1:]):
            return self
        return sp.Sum(self.function, *self.limits).doit(**hints)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        ranges = ", ".join(
            rf"{printer._print(lo)} \leq {printer._print(index)} \leq {printer._print(hi)}"
            for index, lo, hi in self.limits
        )
        comparison = f"{printer._print(self.entry)} > {printer._print(self.threshold)}"
        body = rf"\#\left\{{{ranges} : {comparison}\right\}}"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"
