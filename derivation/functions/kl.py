"""The relative entropy of two Bernoulli laws, and its inverse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from majorant.derivation.functions.facts import OwnFunction
from majorant.derivation.ranges import Range

UNIT = Range(sp.Integer(0), sp.Integer(1))


class BernoulliKL(OwnFunction):
    """`kl(q, r) = q log(q/r) + (1-q) log((1-q)/(1-r))`, with `0 log 0 = 0`; nats.

    Infinite where `r` is 0 or 1 and `q` is not the same.

    >>> BernoulliKL(0, sp.Rational(1, 2))
    log(2)
    >>> BernoulliKL(sp.Rational(1, 3), sp.Rational(1, 3))
    0
    """

    domain = "0 <= q <= 1, 0 <= r <= 1"
    nargs = 2

    @classmethod
    def eval(cls, q: sp.Expr, r: sp.Expr) -> sp.Expr | None:
        """Exact values on the diagonal and at `q = 0, 1`."""
        if q == r:
            return sp.Integer(0)
        if q.is_zero:
            return -sp.log(1 - r)
        return -sp.log(r) if q == 1 else None

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """Non-negative (Gibbs)."""
        return Range.above(0)

    def _eval_is_finite(self) -> None:
        return None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Derivative in `q` or in `r`, inside the unit square."""
        q, r = self.args
        if argindex == 1:
            return sp.log(q * (1 - r) / (r * (1 - q)))
        return (r - q) / (r * (1 - r))

    def expanded(self) -> sp.Expr:
        """The formula, for `0 < q < 1` and `0 < r < 1`."""
        q, r = self.args
        return q * sp.log(q / r) + (1 - q) * sp.log((1 - q) / (1 - r))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        q, r = (printer._print(arg) for arg in self.args)
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\operatorname{{kl}}{power}\left({q}, {r}\right)"


class KLInverse(OwnFunction):
    """`sup{ r in [q, 1] : kl(q, r) <= c }`: the largest risk compatible with the frequency `q`.

    Defined for all real arguments: `q` is read as `min(1, max(0, q))`, and the supremum of the
    empty set is `q` (so `c <= 0` gives `q`). Non-decreasing in both arguments; between `q` and 1.

    >>> KLInverse(0, 1), KLInverse(1, 3), KLInverse(sp.Rational(1, 4), 0)
    (1 - exp(-1), 1, 1/4)
    """

    domain = "0 <= q <= 1, c >= 0"
    nargs = 2

    @classmethod
    def eval(cls, q: sp.Expr, c: sp.Expr) -> sp.Expr | None:
        """Exact values at `q = 0`, `q = 1` and `c = 0`."""
        if q.is_zero and c.is_nonnegative:
            return 1 - sp.exp(-c)
        if q == 1:
            return sp.Integer(1)
        if c.is_zero and q.is_number and certainly_in_unit(q):
            return q
        return None

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """`[q, 1]`."""
        q = ranges[0]
        if q.at_least(0) and q.at_most(1):
            return Range(q.lo, sp.Integer(1), q.lo_open)
        return UNIT

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Non-decreasing in `q` and in `c`."""
        return True

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Implicit derivative, for `0 < q < 1` and `c > 0`."""
        q, c = self.args
        r = KLInverse(q, c)
        slope = r * (1 - r) / (r - q)
        return slope if argindex == 2 else slope * sp.log(r * (1 - q) / (q * (1 - r)))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        q, c = (printer._print(arg) for arg in self.args)
        body = rf"\operatorname{{kl}}^{{-1}}\left({q}, {c}\right)"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"


def certainly_in_unit(q: sp.Expr) -> bool:
    """Whether the number `q` is certainly in `[0, 1]`."""
    return bool(q.is_nonnegative) and bool((1 - q).is_nonnegative)
