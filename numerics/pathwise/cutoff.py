"""Derivatives of the polynomial cut-off around the cube, enclosed."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import acb, arb, ctx, fmpq, fmpq_poly

PRECISION = 128


def step_polynomial(s: int) -> fmpq_poly:
    """`S` with `S' = t^{s-1} (1-t)^{s-1} / B(s, s)`, from 0 at 0 to 1 at 1.

    Of class `C^{s-1}` when continued by constants; its derivative of order `s` is bounded.

    >>> step_polynomial(2)
    (-2)*x^3 + 3*x^2
    """
    t = fmpq_poly([0, 1])
    raw = ((t * (1 - t)) ** (s - 1)).integral()
    return raw / raw(fmpq(1))


def _largest(polynomial: fmpq_poly) -> arb:
    """Enclosure from above of `max |polynomial|` on [0, 1]."""
    ends = [abs(arb(polynomial(fmpq(0)))), abs(arb(polynomial(fmpq(1))))]
    best = ends[0].max(ends[1])
    slope = polynomial.derivative()
    if slope.degree() < 1:
        return best
    for root, _ in slope.complex_roots():
        where = acb(root)
        # Roots that may be real and inside; taking in more of them only enlarges the bound.
        if where.imag.contains(0) and not (where.real < 0) and not (where.real > 1):
            value = arb(0)
            for coefficient in reversed(polynomial.coeffs()):
                value = value * where.real + arb(coefficient)
            best = best.max(abs(value))
    return best


@lru_cache(maxsize=64)
def step_suprema(s: int) -> tuple[arb, ...]:
    """`sup |S^(j)|` on [0, 1] for `j = 0..s`.

    >>> [round(float(x.mid()), 6) for x in step_suprema(2)]
    [1.0, 1.5, 6.0]
    """
    with ctx.workprec(PRECISION):
        polynomial = step_polynomial(s)
        found = [arb(1)]
        for _ in range(s):
            polynomial = polynomial.derivative()
            found.append(_largest(polynomial))
        return tuple(found)


def _partitions(total: int, largest: int, parts: int) -> list[tuple[int, ...]]:
    if total == 0:
        return [()]
    if parts == 0:
        return []
    return [(first, *rest) for first in range(min(total, largest), 0, -1)
            for rest in _partitions(total - first, first, parts - 1)]


def cutoff_derivatives(s: int, dimension: int, width: Fraction) -> list[arb]:
    """`chi_i`, `i = 0..s`: the largest partial derivative of order `i` of the cut-off.

    The cut-off is a product over coordinates of steps of width `width`; over all multi-indices of
    order `i`, the largest product of one-dimensional suprema.

    >>> [round(float(x.mid()), 6) for x in cutoff_derivatives(2, 2, Fraction(1, 2))]
    [1.0, 3.0, 24.0]
    """
    suprema = step_suprema(s)
    with ctx.workprec(PRECISION):
        shrink = arb(fmpq(width.denominator, width.numerator))
        result = []
        for order in range(s + 1):
            best = arb(0)
            for parts in _partitions(order, order, dimension):
                product = shrink**order
                for part in parts:
                    product = product * suprema[part]
                best = best.max(product)
            result.append(best)
        return result
