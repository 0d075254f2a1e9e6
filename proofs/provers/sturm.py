"""Polynomials in one variable: exact signs by Sturm sequences over the rationals."""

from __future__ import annotations

import sympy

from majorant.proofs.provers.domain import Bound
from majorant.proofs.provers.outcome import Proof

_MAX_DEGREE = 60


def prove_polynomial_sign(
    expr: sympy.Expr,
    variable: sympy.Symbol,
    low: Bound | None,
    high: Bound | None,
    strict: bool,
) -> Proof | None:
    """Prove `p >= 0` (`> 0`) on an interval with rational or infinite ends.

    Roots of even multiplicity are removed (they do not change the sign), the remaining
    square-free part must have no root inside, and one value decides the sign.

    >>> x = sympy.Symbol("x", real=True)
    >>> prove_polynomial_sign(x**4 - 4 * x + 3, x, None, None, False).by
    'sturm'
    """
    if not expr.is_polynomial(variable):
        return None
    poly = sympy.Poly(expr, variable)
    if poly.degree() > _MAX_DEGREE or not all(c.is_Rational for c in poly.all_coeffs()):
        return None
    for bound in (low, high):
        if bound is not None and not bound.value.is_Rational:
            return None
    if poly.is_zero:
        return None if strict else Proof("sturm", ("the polynomial is 0",))
    if low is not None and high is not None and low.value == high.value:
        value = poly.eval(low.value)
        holds = value > 0 if strict else value >= 0
        return Proof("sturm", (f"the value at the only point is {value}",)) if holds else None
    factors = sympy.sqf_list(poly)[1]
    odd = sympy.Poly(1, variable)
    for factor, multiplicity in factors:
        odd *= factor if multiplicity % 2 else 1
    whole = sympy.Poly(1, variable)
    for factor, _ in factors:
        whole *= factor
    a, b = _value(low), _value(high)
    inner = _roots_inside(odd, a, b)
    if inner or (strict and _roots_on(whole, low, high)):
        return None
    sample = _sample(poly, a, b)
    if sample is None or poly.eval(sample) < 0:
        return None
    return Proof(
        "sturm",
        (
            f"degree {poly.degree()}: no change of sign between "
            f"{'-oo' if a is None else a} and {'oo' if b is None else b} (Sturm sequence), "
            f"positive at {variable} = {sample}",
        ),
    )


def _value(bound: Bound | None) -> sympy.Rational | None:
    return None if bound is None else bound.value


def _roots_inside(
    poly: sympy.Poly, low: sympy.Rational | None, high: sympy.Rational | None
) -> int:
    """Number of distinct roots strictly between two ends."""
    if poly.degree() < 1:
        return 0
    count = int(poly.count_roots(low, high))
    for end in (low, high):
        if end is not None and poly.eval(end) == 0:
            count -= 1
    return count


def _roots_on(poly: sympy.Poly, low: Bound | None, high: Bound | None) -> bool:
    """Whether there is a root in the interval, its included ends counted."""
    if poly.degree() < 1:
        return False
    if _roots_inside(poly, _value(low), _value(high)):
        return True
    return any(
        bound is not None and not bound.strict and poly.eval(bound.value) == 0
        for bound in (low, high)
    )


def _sample(
    poly: sympy.Poly, low: sympy.Rational | None, high: sympy.Rational | None
) -> sympy.Rational | None:
    """A rational inside at which the polynomial is not 0."""
    for k in range(1, poly.degree() + 3):
        share = sympy.Rational(k, poly.degree() + 3)
        if low is not None and high is not None:
            point = low + (high - low) * share
        elif low is not None:
            point = low + k
        elif high is not None:
            point = high - k
        else:
            point = sympy.Integer(k)
        if poly.eval(point) != 0:
            return point
    return None
