"""Constants of F4: suprema of polynomials on [0, 1], exact or certified by counting roots.

Along a unit direction `h`, with `x = -<y,h>/q` and `q^2 = 1 + ||y||^2`, the k-th Taylor coefficient
of `g(y) = y/q` has the squared norm `q^(-2k) (s^2 P_k^2 + P_(k-1)^2 - 2x P_k P_(k-1))`, where
`s^2 = 1 - q^(-2) >= x^2` and `P` are Legendre polynomials. With `k (P_(k-1) - x P_k) = D P_k'`,
`D = 1 - x^2`, it is `q^(-2k) (a + (s^2 - x^2) P_k^2)`, `a = D^2 P_k'^2 / k^2`. Hence

* at a given q (s <= 1): at most `q^(-2k) e_k^2`, `e_k^2 = max a + D P_k^2`;
* over all q: `s^2 = x^2 + D w` gives `q^(-2) = D (1 - w)`, and `(1 - w)^k <= 1/(1 + k w)` makes it
  at most `D^k (a + w D P_k^2) / (1 + k w)`, which lies between `D^k a` and `D^(k+1) P_k^2 / k`: the
  larger maximum of the two is `r_k^2`. The first is the radial derivative `t/sqrt(1 + t^2)`, so
  `r_k` is attained where it is the larger.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import sympy as sp

from majorant.derivation.errors import MajorantError

x = sp.Symbol("x", real=True)
_u = sp.Symbol("u", real=True)  # x^2: all polynomials here are even

#: Beyond this order the general constant takes over: roots of long polynomials take time.
LAST = 24


def polynomials(k: int) -> dict[str, sp.Expr]:
    """`far`: whose maximum is `e_k^2`; `radial`, `across`: whose maxima bound `r_k^2`.

    >>> polynomials(1)["far"]
    1 - x**2
    """
    return {name: found.as_expr() for name, found in _polynomials(k).items()}


@cache
def _polynomials(k: int) -> dict[str, sp.Poly]:
    if k < 1:
        raise MajorantError(f"order: expected an integer >= 1, got {k}")
    p, square = sp.Poly(sp.legendre(k, x), x, domain="QQ"), sp.Poly(1 - x**2, x, domain="QQ")
    a = square**2 * p.diff() ** 2 * sp.Rational(1, k**2)
    return {"far": a + square * p**2, "radial": square**k * a,
            "across": square ** (k + 1) * p**2 * sp.Rational(1, k)}


@cache
def far_square(k: int) -> sp.Rational:
    """An upper bound on `e_k^2`, exact for `k <= 3` and odd k, else to nine digits.

    >>> [far_square(k) for k in (1, 2, 3)]
    [1, 1/3, 1/4]
    """
    if k > LAST:
        return sp.Rational(2 * sp.binomial(2 * k, k), 4**k) ** 2
    return _supremum(_polynomials(k)["far"])


@cache
def free_square(k: int) -> sp.Rational:
    """An upper bound on `r_k^2`, exact for odd k, else to nine digits.

    >>> free_square(1), free_square(3), float(free_square(2)) ** 0.5 < 0.4294
    (1, 1/4, True)
    """
    if k > LAST:
        return far_square(k)
    radial, across = (_polynomials(k)[name] for name in ("radial", "across"))
    found = _supremum(radial)
    return found if _below(_halved(across), found) else max(found, _supremum(across))


def _halved(even: sp.Poly) -> sp.Poly:
    """The same even polynomial in `u = x^2`."""
    return sp.Poly(even.all_coeffs()[::2], _u, domain="QQ")


def _supremum(even: sp.Poly) -> sp.Rational:
    polynomial = _halved(even)
    grid = [sp.Rational(j, 96) ** 2 for j in range(97)]  # even in x
    best = max(grid, key=polynomial.eval)
    width = sp.Rational(1, 96)
    while width > sp.Rational(1, 10**6):  # the maximum is flat: 12 digits of the value
        beside = max((c for c in (best - width, best, best + width) if 0 <= c <= 1),
                     key=polynomial.eval)
        if polynomial.eval(beside) > polynomial.eval(best):
            best = beside
        else:
            width /= 2
    value = polynomial.eval(best)
    short = Fraction(int(value.p), int(value.q)).limit_denominator(1000)
    for candidate in (polynomial.eval(0), sp.Rational(short.numerator, short.denominator)):
        near = 0 <= candidate - value <= value / 10**9
        if near and _below(polynomial, candidate):
            return sp.Rational(candidate)
    slack = sp.Rational(1, 10**9)
    while True:
        candidate = sp.Rational(sp.ceiling(value * (1 + slack) * 10**15), 10**15)
        if _below(polynomial, candidate):
            return candidate
        slack *= 10


def _below(polynomial: sp.Poly, value: sp.Rational) -> bool:
    """Whether the polynomial is at most `value` on [0, 1]: no change of sign inside (Sturm)."""
    rest = sp.Poly(value, _u) - polynomial
    if rest.is_zero:
        return True
    for factor, multiplicity in rest.sqf_list()[1]:
        inside = factor.count_roots(0, 1) - sum(factor.eval(end) == 0 for end in (0, 1))
        if multiplicity % 2 and inside:
            return False
    return all(rest.eval(sp.Rational(j, 7)) >= 0 for j in range(8))
