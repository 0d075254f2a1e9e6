"""A1: joint cumulants of bounded variables, four sequences of constants.

If `|V_i| <= 1` then `|kappa(V_1, ..., V_k)| <= c_k`. These are the derivatives of log-sum-exp in
the sup norm, so `M_LSE(t) = sum c_k t^k / k!` is its majorant (without the value).

* `crude`   : moments bounded by 1, no centring: `-log(2 - exp t)`;
* `centred` : a block of r centred variables is at most `2^(r-2)`:
  `t - log(1 - (exp(2t) - 1 - 2t)/4)`;
* `sharp`   : exact and attained up to k = 4; then a block is at most `mu_r`, the largest r-th
  absolute central moment of a sign, and c_k is the smaller of (i) `mu_k` plus the products of
  lower cumulants and (ii) the partition sum;
* `tilted`  : in addition `c_(k+1) <= k c_k`. Let the last variable be a sign Y with mean x. Tilting
  by Y only moves the weights of the two conditional laws, so along it the cumulant of the others
  is a polynomial f of degree k in x, `|f| <= c_k` on [-1, 1], and the joint cumulant with Y is
  `(1 - x^2) f'(x)`; Bernstein's inequality gives `sqrt(1 - x^2) |f'(x)| <= k c_k`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import Literal

import sympy as sp

from majorant.derivation.errors import MajorantError

Cumulants = Literal["tilted", "sharp", "centred", "crude"]
Interval = tuple[Fraction, Fraction]

_EXACT: dict[int, Interval] = {
    k: (Fraction(c), Fraction(c)) for k, c in {1: 1, 2: 1, 3: 1, 4: 2}.items()}
_WIDTH = Fraction(1, 10**40)


def cumulant_bound(k: int, kind: Cumulants = "sharp") -> Interval:
    """Enclosure of `c_k` (equal ends where it is an integer).

    Raises `MajorantError` for `k < 1`.

    >>> [int(cumulant_bound(k, "crude")[1]) for k in range(1, 6)]
    [1, 2, 6, 26, 150]
    >>> [int(cumulant_bound(k, "centred")[1]) for k in range(1, 7)]
    [1, 1, 2, 7, 28, 146]
    >>> [int(cumulant_bound(k, "tilted")[1]) for k in range(1, 9)]
    [1, 1, 1, 2, 8, 40, 240, 1680]
    >>> [round(float(cumulant_bound(k)[1]), 4) for k in range(1, 9)]
    [1.0, 1.0, 1.0, 2.0, 12.1468, 58.6262, 308.0333, 2045.0657]
    """
    if k < 1:
        raise MajorantError(f"cumulant order: expected an integer >= 1, got {k}")
    if kind == "crude":
        return _point(_log_egf([Fraction(0)] + [Fraction(1)] * k)[k])
    if kind == "centred":
        blocks = [Fraction(0), Fraction(0)] + [Fraction(2) ** (r - 2) for r in range(2, k + 1)]
        return _point(_log_egf(blocks[:k + 1])[k] + (1 if k == 1 else 0))
    return _sharp(k, kind == "tilted")


def _point(value: Fraction) -> Interval:
    return value, value


@cache
def central_moment_bound(r: int) -> Interval:
    """Enclosure of `mu_r = max_p 2^r (p (1-p)^r + (1-p) p^r)` for `r >= 2`.

    With `w` the squared mean of the sign this is the maximum over `[0, 1]` of the polynomial
    `(1 - w) ((1 + sqrt w)^(r-1) + (1 - sqrt w)^(r-1)) / 2`, whose critical points are isolated.

    >>> central_moment_bound(4)[0] <= Fraction(4, 3) <= central_moment_bound(4)[1]
    True
    """
    w = sp.Symbol("w")
    even = sum(comb(r - 1, 2 * j) * w**j for j in range((r - 1) // 2 + 1))
    height = sp.Poly(sp.expand((1 - w) * even), w, domain="QQ")
    lower = upper = Fraction(1)  # the value at w = 0; at w = 1 it is 0
    slope = height.diff(w)
    if slope.degree() < 1:
        return lower, upper
    for (left, right), multiplicity in slope.intervals(inf=0, sup=1):
        assert multiplicity == 1, "critical points of the moment polynomial are simple"
        ends = Fraction(left.p, left.q), Fraction(right.p, right.q)
        low, high = _range(height, _refine(slope, ends))
        lower, upper = max(lower, low), max(upper, high)
    return lower, upper


def _refine(poly: sp.Poly, ends: Interval) -> Interval:
    """Bisect an isolating interval of a simple root down to a width of 1e-42."""
    left, right = ends
    at_left = _range(poly, (left, left))[0]
    if at_left == 0:
        return left, left
    for _ in range(140):
        middle = (left + right) / 2
        value = _range(poly, (middle, middle))[0]
        if value == 0:
            return middle, middle
        left, right = (middle, right) if (value > 0) == (at_left > 0) else (left, middle)
    return left, right


def _range(poly: sp.Poly, ends: Interval) -> Interval:
    """Enclosure of a polynomial on a small interval of `[0, 1]`, by Horner's rule."""
    low = high = Fraction(0)
    for coefficient in poly.all_coeffs():
        products = [low * ends[0], low * ends[1], high * ends[0], high * ends[1]]
        c = Fraction(coefficient.p, coefficient.q)
        low, high = min(products) + c, max(products) + c
    return low, high


@cache
def _sharp(k: int, tilted: bool) -> Interval:
    if k in _EXACT:
        return _EXACT[k]
    ends = []
    for side in (0, 1):
        moments = [Fraction(0)] * 2 + [central_moment_bound(r)[side] for r in range(2, k + 1)]
        lower_cumulants = [Fraction(0)] * 2 + [_sharp(r, tilted)[side] for r in range(2, k)]
        candidates = [moments[k] + _exp_egf([*lower_cumulants, Fraction(0)])[k],
                      _log_egf(moments)[k]]
        if tilted:
            candidates.append((k - 1) * lower_cumulants[k - 1])
        ends.append(min(candidates))
    return _outward(ends[0], ends[1])


def _outward(low: Fraction, high: Fraction) -> Interval:
    """The ends on a grid of width 1e-40, so that fractions stay short."""
    return (low // _WIDTH) * _WIDTH, -((-high) // _WIDTH) * _WIDTH


def _log_egf(blocks: list[Fraction]) -> list[Fraction]:
    """`k! [t^k] of -log(1 - B)` for `B = sum blocks[r] t^r/r!`: L' = B' + B L'."""
    n = len(blocks)
    result = [Fraction(0)] * n
    for k in range(1, n):
        result[k] = blocks[k] + sum(
            (comb(k - 1, j) * blocks[j] * result[k - j] for j in range(1, k)), Fraction(0))
    return result


def _exp_egf(cumulants: list[Fraction]) -> list[Fraction]:
    """`k! [t^k] of exp(C)` for `C = sum cumulants[r] t^r/r!`: E' = C' E."""
    n = len(cumulants)
    result = [Fraction(1)] + [Fraction(0)] * (n - 1)
    for k in range(1, n):
        result[k] = sum(
            (comb(k - 1, j - 1) * cumulants[j] * result[k - j] for j in range(1, k + 1)),
            Fraction(0))
    return result


def softmax_taylor(order: int, kind: Cumulants = "sharp") -> list[Interval]:
    """Taylor coefficients of `M_LSE'`, `c_(k+1)/k!` for `k = 0..order`."""
    return [(low / factorial(k), high / factorial(k))
            for k, (low, high) in ((k, cumulant_bound(k + 1, kind)) for k in range(order + 1))]
