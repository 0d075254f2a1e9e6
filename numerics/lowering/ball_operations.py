"""Rigorous operations on python-flint balls.

A ball stands for every real number in it; an operation returns a ball that contains the result
for each of them. Where the result is undefined for some of them the answer is NaN, which means
"no information" and never decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from flint import arb, ctx, fmpz

NAN = arb.nan()
MINUS_INFINITY = arb.neg_inf()


def is_minus_infinity(x: arb) -> bool:
    """Whether `x` is exactly -oo (the logarithm of an exact 0); NaN is not."""
    return bool(x == MINUS_INFINITY)


def integer_power(x: arb, n: int) -> arb:
    """`x**n`; NaN if `n < 0` and `x` may be 0."""
    return x ** fmpz(n)


def power(x: arb, y: arb, nonnegative: bool = False) -> arb:
    """`x**y` for real `x >= 0` (or an exact integer `y`); NaN where it may be undefined.

    `nonnegative` says that the true `x` is known to be `>= 0`, whatever the ball's lower end.
    """
    n = y.unique_fmpz() if y.is_exact() else None
    if n is not None:
        return x**n
    if x.is_zero():
        return arb(0) if y > 0 else NAN
    if x > 0:
        return x.sqrt() if y == arb(0.5) else x**y
    if y > 0 and (nonnegative or x.lower() >= 0):
        # 0 <= x <= h and y > 0: the power lies between 0 and the larger of h^y at the ends of y
        return from_zero_to(x.upper() ** y)
    return NAN


def from_zero_to(upper: arb) -> arb:
    """A ball that contains `[0, t]` for every `t` in `upper`."""
    return arb(0).union(upper)


def positive_power(x: arb, p: arb) -> arb:
    """`x^p` for `x > 0`, 0 for `x <= 0` (`PositivePower`)."""
    if x <= 0:
        return arb(0) if not p.is_nan() else NAN
    if x > 0:
        return power(x, p)
    if not (p.lower() >= 0):
        return NAN
    top = x.upper()
    ends = (top ** p.lower()).max(top ** p.upper())
    return from_zero_to(ends if ends > 0 else NAN)


def above(x: arb, tau: arb) -> arb:
    """1 if `x > tau`, 0 if `x <= tau`, `[0, 1]` if that is not decided."""
    if x > tau:
        return arb(1)
    if x <= tau:
        return arb(0)
    return NAN if x.is_nan() or tau.is_nan() else arb(0).union(arb(1))


def log(x: arb) -> arb:
    """`log x`; NaN if `x` may be `<= 0`."""
    return x.log() if x > 0 else NAN


def log1p(u: arb) -> arb:
    """`log(1 + u)`; NaN if `u` may be `<= -1`."""
    return u.log1p() if u > -1 else NAN


def log_plus(x: arb) -> arb:
    """`max(0, log x)`, 0 for `x <= 1`."""
    if x <= 1:
        return arb(0)
    if x >= 1:
        return x.log()
    return NAN if x.is_nan() else from_zero_to(x.upper().log())


def exp(x: arb) -> arb:
    """`exp x`, 0 at -oo."""
    return arb(0) if is_minus_infinity(x) else x.exp()


def extended_log(x: arb) -> arb:
    """`log x`, -oo at exactly 0; the whole line if the ball contains 0 and more."""
    if x.is_zero():
        return MINUS_INFINITY
    if x > 0:
        return x.log()
    return NAN if x.is_nan() or x < 0 else arb(0, float("inf"))


def log_scaled(level: arb, p: arb) -> arb:
    """`p * level`, -oo where `level` is -oo."""
    return MINUS_INFINITY if is_minus_infinity(level) else p * level


def log_sum_exp(terms: Iterable[arb]) -> arb:
    """`log(sum(exp(t)))`; -oo without terms."""
    finite = [term for term in terms if not is_minus_infinity(term)]
    if not finite:
        return MINUS_INFINITY
    if any(not term.is_finite() for term in finite):
        return NAN
    at = max(range(len(finite)), key=lambda index: float(finite[index].mid()))
    first = finite.pop(at)
    return first + log1p(sum(((term - first).exp() for term in finite), arb(0)))


def bernoulli_kl(q: arb, r: arb) -> arb:
    """`kl(q, r)` with `0 log 0 = 0`; NaN where it is infinite, and outside of the unit square."""
    if not all(x.lower() >= 0 and x.upper() <= 1 for x in (q, r)):
        return NAN
    return x_log_quotient(q, r) + x_log_quotient(1 - q, 1 - r)


def x_log_quotient(x: arb, y: arb) -> arb:
    """`x log(x/y)` for `x >= 0`, `y > 0`."""
    if x.is_zero():
        return arb(0)
    if not y > 0:
        return NAN
    return x_log_x(x) - x * y.log()


def x_log_x(x: arb) -> arb:
    """`x log x` for `x >= 0`, 0 at 0."""
    if x > 0:
        return x * x.log()
    top = x.upper()
    if x.lower() < 0 or not x.is_finite():
        return NAN
    least = -(arb(-1).exp())
    return least.union(arb(0)).union((top * top.log()).max(arb(0)))


def maximum(*args: arb) -> arb:
    """The largest of several numbers."""
    return reduce(lambda x, y: x.max(y), args)


def minimum(*args: arb) -> arb:
    """The least of several numbers."""
    return reduce(lambda x, y: x.min(y), args)


def factorial(n: arb) -> arb:
    """`n!` as `Gamma(n + 1)`; NaN if `n` may be below 0."""
    return (n + 1).gamma() if n > -1 else NAN


def binomial(n: arb, k: arb) -> arb:
    """`n! / (k! (n-k)!)` for `0 <= k <= n`, exact for exact integers."""
    if n.is_exact() and k.is_exact():
        whole, part = n.unique_fmpz(), k.unique_fmpz()
        if whole is not None and part is not None and 0 <= part <= whole:
            return arb(fmpz.bin_uiui(int(whole), int(part)))
    if not (k > -1 and n - k > -1):
        return NAN
    return factorial(n) / (factorial(k) * factorial(n - k))


def loggamma(x: arb) -> arb:
    """`log Gamma(x)` for `x > 0`."""
    return x.lgamma() if x > 0 else NAN


def polygamma(order: arb, x: arb) -> arb:
    """`digamma` and its derivatives, for `x > 0`."""
    n = order.unique_fmpz() if order.is_exact() else None
    if n is None or n < 0 or not x > 0:
        return NAN
    if n == 0:
        return x.digamma()
    return (-1) ** (int(n) + 1) * arb.fac_ui(int(n)) * arb(n + 1).zeta(x)


def sinc(x: arb) -> arb:
    """`sin(x)/x`, 1 at 0."""
    return x.sinc()


def compare(sense: str, left: arb, right: arb) -> bool | None:
    """A comparison of balls: True or False for all members, None otherwise (NaN included)."""
    if left.is_nan() or right.is_nan():
        return None
    if sense in ("==", "!="):
        if left.is_exact() and right.is_exact() and left == right:
            return sense == "=="
        return (sense == "!=") if not left.overlaps(right) else None
    if sense in (">", ">="):
        left, right = right, left
    if sense in ("<", ">"):
        return True if left < right else (False if left >= right else None)
    return True if left <= right else (False if left > right else None)


def unite(values: list[arb]) -> arb:
    """A ball that contains all of them; NaN if there is none, or one is NaN."""
    return reduce(lambda x, y: x.union(y), values) if values else NAN


def least(members: Iterable[arb]) -> arb:
    """Minimum over a finite set, +oo over the empty one."""
    return reduce(lambda x, y: x.min(y), members, arb.pos_inf())


def largest(members: Iterable[arb]) -> arb:
    """Maximum over a finite set, -oo over the empty one."""
    return reduce(lambda x, y: x.max(y), members, MINUS_INFINITY)


def total(members: Iterable[arb]) -> arb:
    """Sum over a finite set."""
    return sum(members, arb(0))


def product(members: Iterable[arb]) -> arb:
    """Product over a finite set."""
    return reduce(lambda x, y: x * y, members, arb(1))


def working_precision() -> int:
    """Bits of the current context."""
    return int(ctx.prec)
