"""Exact contact points: recognise the constant that a numerical minimum stands for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import mpmath
import sympy
from flint import arb

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers.enclosure import Precision
from majorant.proofs.provers.interval import Interval
from majorant.proofs.provers.program import Program
from majorant.proofs.provers.series import series_jet as jet

_DIGITS = 45
_BITS = 256


def refine_stationary(program: Program, start: arb, steps: int = 60) -> arb | None:
    """Newton on the derivative from a start; None if it does not settle nearby."""
    with Precision(_BITS):
        point = start.mid()
        for _ in range(steps):
            slopes = jet(program, Interval(point, point), 2)
            first, second = slopes[1], slopes[2]
            if not (first.bounded and second.bounded):
                return None
            curvature = (second.lo + second.hi).mid()
            if curvature == 0:
                return None
            move = ((first.lo + first.hi) / 2 / curvature).mid()
            point = (point - move).mid()
            if not abs(point - start) < 1 + abs(start):
                return None
            if abs(move) < arb(10) ** (-_DIGITS):
                return point
    # contact of higher order is approached slowly: the start may still be recognised
    return point if abs(move) < arb("1e-12") else None


def recognise(point: arb, digits: int) -> Iterator[sympy.Expr]:
    """Exact constants that agree with a number to so many digits, the simplest kinds first.

    >>> with Precision(256):
    ...     next(recognise(arb.pi() / 6, 40))
    pi/6
    """
    with mpmath.workdps(60):
        value = mpmath.mpf(point.str(55, radius=False))
        if abs(value) < mpmath.mpf(10) ** (-digits):
            yield sympy.Integer(0)
            return
        tolerance = mpmath.mpf(10) ** (-digits)
        units: list[tuple[mpmath.mpf, sympy.Expr]] = [
            (mpmath.mpf(1), sympy.Integer(1)),
            (mpmath.pi, sympy.pi),
            (mpmath.e, sympy.E),
            (1 / mpmath.e, sympy.exp(-1)),
            (mpmath.log(2), sympy.log(2)),
            (mpmath.log(3), sympy.log(3)),
            (mpmath.sqrt(mpmath.pi), sympy.sqrt(sympy.pi)),
            (1 / mpmath.pi, 1 / sympy.pi),
            (mpmath.sqrt(mpmath.e), sympy.exp(sympy.Rational(1, 2))),
            (1 / mpmath.sqrt(mpmath.e), sympy.exp(-sympy.Rational(1, 2))),
        ]
        for size, unit in units:
            ratio = _simple(value / size, tolerance)
            if ratio is not None:
                yield ratio * unit
        square = _simple(value**2, tolerance)
        if square is not None and square > 0:
            yield sympy.sign(int(mpmath.sign(value))) * sympy.sqrt(square)
        if abs(value) < 20:
            power = _simple(mpmath.exp(value), tolerance)
            if power is not None and power > 0:
                yield sympy.log(power)
        if value > 0:
            logarithm = _simple(mpmath.log(value), tolerance)
            if logarithm is not None:
                yield sympy.exp(logarithm)
        if digits < 20:
            return
        try:
            with mpmath.workdps(digits - 3):
                coefficients = mpmath.findpoly(value, 2, maxcoeff=300, tol=tolerance * 1000)
        except ValueError:  # the number is too close to 0 for this precision
            return
        if coefficients:
            x = sympy.Symbol("x")
            polynomial = sum(int(c) * x**k for k, c in enumerate(reversed(coefficients)))
            for root in sympy.roots(sympy.Poly(polynomial, x)):
                if root.is_real and abs(mpmath.mpf(str(root.evalf(50))) - value) < tolerance * 10:
                    yield root


def _simple(value: mpmath.mpf, tolerance: mpmath.mpf) -> sympy.Rational | None:
    if abs(value) > 10**6:
        return None
    scaled = int(mpmath.nint(value * mpmath.mpf(10) ** 50))
    fraction = Fraction(scaled, 10**50).limit_denominator(5000)
    close = abs(mpmath.mpf(fraction.numerator) / fraction.denominator - value)
    if close < tolerance * max(1, abs(value)):
        return sympy.Rational(fraction.numerator, fraction.denominator)
    return None


def contact_candidates(
    expr: sympy.Expr, variable: sympy.Symbol, start: arb
) -> Iterator[sympy.Expr]:
    """Exact points near a start at which the expression may touch zero."""
    try:
        program = Program([expr], [variable])
    except UnsupportedExpression:
        return
    refined = refine_stationary(program, start)
    with Precision(_BITS):
        if refined is not None:
            yield from recognise(refined, 40)
        yield from recognise(start.mid(), 7)
