"""Gamma functions near their pole and far out: Stirling's series and its derivatives.

For u > 0 the series are enveloping: the error has the size and sign of the first omitted term
(DLMF 5.11(ii), 5.15.8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from flint import fmpq

from majorant.proofs.provers.germ import Coefficient, Terms
from majorant.proofs.provers.interval import UNIT, Interval
from majorant.proofs.provers.monomial import UNITY, NoGerm

if TYPE_CHECKING:
    from majorant.proofs.provers.unbounded import Walk

_TERMS = 3


def gamma_pole(walk: Walk, name: str, u: Terms) -> Terms:
    """Gamma(u) = Gamma(1 + u)/u as u -> 0+ (`loggamma`: the logarithm of it)."""
    above = walk.germs.taylor(name, Coefficient.of(UNITY), u)
    if name == "gamma":
        return walk.germs.multiply(above, walk.inverse(u))
    return walk.germs.add(above, walk.negative(walk.log(u)))


def stirling(walk: Walk, u: Terms) -> Terms:
    """log Gamma: (u - 1/2) log u - u + log(2 pi)/2 + 1/(12u) - 1/(360u^3) + ..."""
    germs = walk.germs
    result = germs.multiply(germs.add(u, germs.constant(fmpq(-1, 2))), walk.log(u))
    result = germs.add(result, walk.negative(u))
    result = germs.add(result, germs.constant(sympy.log(2) / 2 + sympy.log(sympy.pi) / 2))
    weights = [_bernoulli(k) / fmpq(2 * k * (2 * k - 1)) for k in range(1, _TERMS + 2)]
    return germs.add(result, _tail(walk, walk.inverse(u), walk.inverse(u), weights))


def polygamma(walk: Walk, order: int, u: Terms) -> Terms:
    """The derivative of that order of the digamma function, for u > 0."""
    germs = walk.germs
    growing, constant, _ = germs.split(u)
    if not growing and constant.exact == fmpq(0):
        # psi_n(u) = psi_n(1 + u) + (-1)^(n+1) n!/u^(n+1)
        shifted = germs.add(u, germs.constant(UNITY))
        pole = germs.scale(
            walk.power(u, sympy.Integer(-order - 1)),
            Coefficient.of(fmpq((-1) ** (order + 1) * int(sympy.factorial(order)))),
        )
        return germs.add(polygamma(walk, order, shifted), pole)
    if not growing:
        return germs.taylor("polygamma", constant, germs.split(u)[2], order)
    if germs.sign(u) < 0:
        raise NoGerm("polygamma far out to the left")
    back = walk.inverse(u)
    half = fmpq(int(sympy.factorial(order)), 2)
    if order == 0:
        result = germs.add(walk.log(u), germs.scale(back, Coefficient.of(-half)))
        weights = [-_bernoulli(k) / fmpq(2 * k) for k in range(1, _TERMS + 2)]
        return germs.add(result, _tail(walk, germs.multiply(back, back), back, weights))
    power = walk.power(u, sympy.Integer(-order))
    lead = Coefficient.of(fmpq(int(sympy.factorial(order - 1))))
    result = germs.scale(power, lead)
    result = germs.add(result, germs.scale(germs.multiply(power, back), Coefficient.of(half)))
    weights = [
        _bernoulli(k) * fmpq(int(sympy.rf(2 * k + 1, order - 1))) for k in range(1, _TERMS + 2)
    ]
    first = germs.multiply(power, germs.multiply(back, back))
    result = germs.add(result, _tail(walk, first, back, weights))
    return result if order % 2 == 1 else walk.negative(result)


def _bernoulli(k: int) -> fmpq:
    value = sympy.bernoulli(2 * k)
    return fmpq(int(value.p), int(value.q))


def _tail(walk: Walk, first: Terms, back: Terms, weights: list[fmpq]) -> Terms:
    """w_1 first + w_2 first/u^2 + ..., the last weight as the bound of the error."""
    germs = walk.germs
    square = germs.multiply(back, back)
    result: Terms = {}
    power = first
    for weight in weights[:-1]:
        result = germs.add(result, germs.scale(power, Coefficient.of(weight)))
        power = germs.multiply(power, square)
    error = Coefficient(UNIT * Interval.rational(abs(weights[-1])))
    return germs.add(result, germs.scale(power, error))
