"""Growth monomials `exp(sum c_i e_i)` of a variable t -> inf, with `e_i = t^a (log t)^b ...`.

A monomial is an interned list of pairs ((a, b, c), coefficient), the triple standing for
`t^a (log t)^b (log log t)^c`, in decreasing order of growth; so `t^2 exp(-t)` is
`(((1,0,0), -1), ((0,1,0), 2))`. The empty list is 1. Equal monomials are one object, so that
products and comparisons are looked up by identity.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import ClassVar, TypeAlias

import sympy
from flint import arb, fmpq

from majorant.proofs.provers.enclosure import evaluate
from majorant.proofs.provers.exact import sign_of_constant
from majorant.proofs.provers.interval import Interval, up
from majorant.proofs.provers.program import Program

Exact: TypeAlias = fmpq | sympy.Expr
Index = tuple[fmpq, fmpq, fmpq]
Parts = tuple[tuple[Index, Exact], ...]


class Monomial:
    """An interned product; compare with `is` or `==`, both mean identity."""

    __slots__ = ("parts",)
    _all: ClassVar[dict[str, Monomial]] = {}

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @classmethod
    def of(cls, parts: Parts) -> Monomial:
        """The one object for these parts."""
        key = ";".join(f"{a},{b},{c}:{w}" for (a, b, c), w in parts)
        known = cls._all.get(key)
        if known is None:
            known = cls._all[key] = cls(parts)
        return known

    def __bool__(self) -> bool:
        return bool(self.parts)



NOUGHT, UNITY = fmpq(0), fmpq(1)
LOG: Index = (NOUGHT, UNITY, NOUGHT)
LOGLOG: Index = (NOUGHT, NOUGHT, UNITY)
CONSTANT: Index = (NOUGHT, NOUGHT, NOUGHT)


class NoGerm(Exception):
    """The behaviour at this point is beyond this calculus; nothing is concluded."""


class StartTooSmall(NoGerm):
    """A larger start of the ray may help."""


class OrderTooLow(NoGerm):
    """More terms of the Taylor series may help."""


def to_sympy(value: Exact) -> sympy.Expr:
    """An exact constant as a SymPy number."""
    if isinstance(value, fmpq):
        return sympy.Rational(int(value.numerator), int(value.denominator))
    return value


def from_sympy(value: sympy.Expr) -> Exact:
    """A SymPy constant, rationals as FLINT numbers."""
    if value.is_Rational:
        return fmpq(int(value.p), int(value.q))
    return value


def enclose(value: Exact) -> Interval:
    """The interval of an exact constant."""
    if isinstance(value, fmpq):
        return Interval.rational(value)
    return evaluate(Program([value], []), [])[0]


def exact_sign(value: Exact) -> int:
    """The sign of an exact constant; raises `NoGerm` if it is open."""
    if isinstance(value, fmpq):
        return (value > 0) - (value < 0)
    sign = sign_of_constant(value)
    if sign is None:
        raise NoGerm(f"the sign of {value} is open")
    return sign


def plus(left: Exact, right: Exact) -> Exact:
    """Exact sum."""
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return left + right
    return from_sympy(sympy.expand(to_sympy(left) + to_sympy(right)))


def times(left: Exact, right: Exact) -> Exact:
    """Exact product."""
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return left * right
    return from_sympy(sympy.expand(to_sympy(left) * to_sympy(right)))


ONE = Monomial.of(())


def monomial(parts: Iterable[tuple[Index, Exact]]) -> Monomial:
    """Collect, drop zeros, sort by growth."""
    collected: dict[Index, Exact] = {}
    for index, coefficient in parts:
        collected[index] = plus(collected.get(index, NOUGHT), coefficient)
    kept = [(i, c) for i, c in collected.items() if exact_sign(c) != 0]
    return Monomial.of(tuple(sorted(kept, key=lambda item: item[0], reverse=True)))


@lru_cache(maxsize=1 << 16)
def multiply(left: Monomial, right: Monomial) -> Monomial:
    """Product of two monomials."""
    if not left or not right:
        return left or right
    return monomial([*left.parts, *right.parts])


def raised(base: Monomial, exponent: Exact) -> Monomial:
    """A monomial to a constant power."""
    return monomial((i, times(c, exponent)) for i, c in base.parts)


@lru_cache(maxsize=1 << 16)
def divide(left: Monomial, right: Monomial) -> Monomial:
    """Quotient of two monomials."""
    return multiply(left, raised(right, fmpq(-1)))


def growth(m: Monomial) -> int:
    """1 if it tends to infinity, -1 if to zero, 0 if it is constant."""
    return exact_sign(m.parts[0][1]) if m else 0


def as_index(m: Monomial) -> Index:
    """The triple of a monomial that is a product of powers of t, log t, log log t."""
    exponents = {LOG: NOUGHT, LOGLOG: NOUGHT}
    for index, coefficient in m.parts:
        if index not in exponents or not isinstance(coefficient, fmpq):
            raise NoGerm("iterated exponentials")
        exponents[index] = coefficient
    return (exponents[LOG], exponents[LOGLOG], NOUGHT)


def from_index(index: Index) -> Monomial:
    """The monomial of a triple."""
    if index[2] != 0:
        raise NoGerm("three nested logarithms")
    return monomial([(LOG, index[0]), (LOGLOG, index[1])])


def _value_of_index(index: Index, start: arb) -> Interval:
    first = start.log()
    exponent = arb(index[0]) * first + arb(index[1]) * first.log()
    result = exponent.exp()
    if index[2] != 0:
        result = result * (arb(index[2]) * first.log().log()).exp()
    return Interval.ball(result)


def supremum(m: Monomial, start: arb) -> arb:
    """An upper bound of a vanishing monomial on [start, inf); `start > 3`.

    It is the value at the start, once the logarithmic derivative is shown to be negative there
    and beyond. Raises `NoGerm` if that fails (a larger start may help).
    """
    if not m:
        return arb(1)
    if growth(m) > 0:
        raise NoGerm("the monomial grows")
    slopes: dict[Index, Exact] = {}
    for (a, b, c), coefficient in m.parts:
        # t d/dt of t^a (log t)^b (log log t)^c
        for weight, index in (
            (a, (a, b, c)),
            (b, (a, b - 1, c)),
            (c, (a, b - 1, c - 1)),
        ):
            if weight != 0:
                slopes[index] = plus(slopes.get(index, NOUGHT), times(coefficient, weight))
    ordered = sorted(
        ((i, s) for i, s in slopes.items() if exact_sign(s) != 0), reverse=True, key=lambda s: s[0]
    )
    lead, weight = ordered[0]
    total = enclose(weight)
    for index, other in ordered[1:]:
        quotient = tuple(x - y for x, y in zip(index, lead, strict=True))
        bound = _supremum_of_index((quotient[0], quotient[1], quotient[2]), start)
        total = total + enclose(other) * Interval(arb(0), bound)
    if not total.hi < 0:
        raise StartTooSmall("the start is too small")
    exponent = Interval(arb(0), arb(0))
    for index, coefficient in m.parts:
        exponent = exponent + enclose(coefficient) * _value_of_index(index, start)
    return up(exponent.hi.exp())


def _supremum_of_index(index: Index, start: arb) -> arb:
    if index[2] == 0:
        return supremum(from_index(index), start)
    if index[0] == 0 and index[1] == 0 and index[2] < 0:
        return _value_of_index(index, start).hi
    raise NoGerm("three nested logarithms")
