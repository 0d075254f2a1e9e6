"""Operations of the mpmath evaluator; what is undefined or complex becomes NaN."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import mpmath
from mpmath import mp

NAN = mp.nan


def real(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with NaN for poles, domain errors and complex results."""

    def run(*args: Any) -> Any:
        try:
            value = function(*args)
        except (ZeroDivisionError, ValueError, mpmath.libmp.ComplexResult):
            return NAN
        if isinstance(value, mpmath.mpc):
            return value.real if value.imag == 0 else NAN
        return value

    return run


def power(x: Any, y: Any, nonnegative: bool = False) -> Any:
    """`x**y` for real numbers; 0 at `x = 0 < y`; NaN where it is not real."""
    if x == 0:
        return mp.mpf(0) if y > 0 else (mp.mpf(1) if y == 0 else NAN)
    return mp.power(x, y)


def positive_power(x: Any, p: Any) -> Any:
    """`x^p` for `x > 0`, 0 otherwise."""
    return mp.power(x, p) if x > 0 else (NAN if mp.isnan(x) else mp.mpf(0))


def log_plus(x: Any) -> Any:
    """`max(0, log x)`, 0 for `x <= 1`."""
    return mp.log(x) if x > 1 else (NAN if mp.isnan(x) else mp.mpf(0))


def log(x: Any) -> Any:
    """`log x` for `x > 0`."""
    return mp.log(x) if x > 0 else NAN


def extended_log(x: Any) -> Any:
    """`log x`, -oo at 0."""
    return mp.ninf if x == 0 else log(x)


def log_scaled(level: Any, p: Any) -> Any:
    """`p * level`, -oo where `level` is -oo."""
    return mp.ninf if level == mp.ninf else p * level


def log_sum_exp(terms: Iterable[Any]) -> Any:
    """`log(sum(exp(t)))`; -oo without terms."""
    finite = [term for term in terms if term != mp.ninf]
    if not finite:
        return mp.ninf
    if any(not mp.isfinite(term) for term in finite):
        return NAN
    finite.sort()
    first = finite.pop()
    return first + mp.log1p(mp.fsum(mp.exp(term - first) for term in finite))


def bernoulli_kl(q: Any, r: Any) -> Any:
    """`kl(q, r)` with `0 log 0 = 0`; +oo where `r` is 0 or 1 and `q` is not."""
    return _x_log_quotient(q, r) + _x_log_quotient(1 - q, 1 - r)


def _x_log_quotient(x: Any, y: Any) -> Any:
    if x == 0:
        return mp.mpf(0)
    if not (x > 0 and y >= 0):
        return NAN
    return x * mp.log(x / y) if y > 0 else mp.inf


def kl_inverse(q: Any, c: Any) -> Any:
    """`sup{r in [q, 1] : kl(q, r) <= c}` by bisection and Newton steps, to working precision."""
    if mp.isnan(q) or mp.isnan(c):
        return NAN
    q = min(mp.mpf(1), max(mp.mpf(0), q))
    if c <= 0 or q == 1:
        return q
    if q == 0:
        return -mp.expm1(-c)
    with mp.extraprec(30):
        low, high = q, min(mp.mpf(1), q + mp.sqrt(c / 2))
        r = (low + high) / 2
        tolerance = mp.ldexp(1, -mp.prec + 20)
        for _ in range(4 * mp.prec):
            value = bernoulli_kl(q, r) - c
            low, high = (r, high) if value <= 0 else (low, r)
            following = r - value * r * (1 - r) / (r - q)
            if not low < following < high:
                following = (low + high) / 2
            if abs(following - r) <= tolerance * r or not low < following < high:
                break
            r = following
        return following


def loggamma(x: Any) -> Any:
    """`log Gamma(x)` for `x > 0`."""
    return mp.loggamma(x) if x > 0 else NAN


def compare(sense: str, left: Any, right: Any) -> bool | None:
    """A comparison of two numbers; None if one is NaN."""
    if mp.isnan(left) or mp.isnan(right):
        return None
    return {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
        "==": left == right,
        "!=": left != right,
    }[sense]


def propagate_nan(combine: Callable[..., Any], empty: Any) -> Callable[[Iterable[Any]], Any]:
    """`min` and `max` of Python skip NaN depending on the order; these do not."""

    def run(members: Iterable[Any]) -> Any:
        values = list(members)
        if any(mp.isnan(value) for value in values):
            return NAN
        return combine(values) if values else empty

    return run


def product(members: Iterable[Any]) -> Any:
    """Product over a finite set."""
    return reduce(lambda x, y: x * y, members, mp.mpf(1))
