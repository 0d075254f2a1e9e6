"""Germs: functions on [start, inf) as sums of growth monomials with enclosed coefficients.

A germ maps monomials m to coefficients c, and stands for any function
`sum_m c_m(t) m(t)` whose coefficient functions stay inside the enclosures for all t >= start. A
coefficient that is an exact constant is kept exactly, so that cancellation of leading terms is
seen as such.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cmp_to_key, lru_cache

import sympy
from flint import arb, fmpq

from majorant.proofs.provers import monomial as mono
from majorant.proofs.provers.interval import ONE, ZERO, Interval
from majorant.proofs.provers.monomial import (
    NOUGHT,
    Exact,
    Monomial,
    NoGerm,
    OrderTooLow,
    StartTooSmall,
)
from majorant.proofs.provers.outcome import Clock
from majorant.proofs.provers.program import Program
from majorant.proofs.provers.taylor import jet


@dataclass(frozen=True)
class Coefficient:
    """An enclosure, with the exact value where the coefficient is a known constant."""

    ball: Interval
    exact: Exact | None = None

    @classmethod
    def of(cls, value: Exact) -> Coefficient:
        """An exact coefficient."""
        return cls(mono.enclose(value), value)

    def __add__(self, other: Coefficient) -> Coefficient:
        if self.exact is not None and other.exact is not None:
            return Coefficient.of(mono.plus(self.exact, other.exact))
        return Coefficient(self.ball + other.ball)

    def __mul__(self, other: Coefficient) -> Coefficient:
        if self.exact is not None and other.exact is not None:
            return Coefficient.of(mono.times(self.exact, other.exact))
        return Coefficient(self.ball * other.ball)

    def is_zero(self) -> bool:
        """Whether it is exactly the constant 0."""
        if self.exact is None:
            return bool(self.ball.lo == 0 and self.ball.hi == 0)
        return mono.exact_sign(self.exact) == 0


Terms = dict[Monomial, Coefficient]


@lru_cache(maxsize=1 << 16)
def _compare(left: Monomial, right: Monomial) -> int:
    return mono.growth(mono.divide(right, left))


def ordered(terms: Terms) -> list[Monomial]:
    """The monomials, fastest growing first."""
    return sorted(terms, key=cmp_to_key(_compare))


@dataclass
class Germs:
    """Arithmetic of germs on [start, inf): at most `width` monomials, Taylor order `order`."""

    start: arb
    order: int
    width: int
    clock: Clock

    def constant(self, value: Exact) -> Terms:
        """An exact constant."""
        return {mono.ONE: Coefficient.of(value)} if mono.exact_sign(value) else {}

    def add(self, left: Terms, right: Terms) -> Terms:
        """Sum."""
        result = dict(left)
        for m, c in right.items():
            result[m] = result[m] + c if m in result else c
        return self.trim(result)

    def multiply(self, left: Terms, right: Terms) -> Terms:
        """Product."""
        self.clock.check()
        result: Terms = {}
        for m, c in left.items():
            for n, d in right.items():
                key = mono.multiply(m, n)
                product = c * d
                result[key] = result[key] + product if key in result else product
        return self.trim(result)

    def scale(self, terms: Terms, factor: Coefficient, m: Monomial = mono.ONE) -> Terms:
        """Product with one term."""
        return {mono.multiply(n, m): c * factor for n, c in terms.items()}

    def trim(self, terms: Terms) -> Terms:
        """Drop zeros and collapse the slowest monomials into one."""
        kept = {m: c for m, c in terms.items() if not c.is_zero()}
        if len(kept) <= self.width:
            return kept
        order = ordered(kept)
        last = order[self.width - 1]
        total = kept[last].ball
        for m in order[self.width :]:
            total = total + kept[m].ball * Interval(ZERO, self.supremum(mono.divide(m, last)))
        result = {m: kept[m] for m in order[: self.width - 1]}
        result[last] = Coefficient(total)
        return result

    def supremum(self, m: Monomial) -> arb:
        """An upper bound of a vanishing monomial on the whole ray."""
        return mono.supremum(m, self.start)

    def range(self, terms: Terms) -> Interval:
        """An enclosure of all values of a germ without growing monomials."""
        total = Interval(ZERO, ZERO)
        for m, c in terms.items():
            total = total + (c.ball * Interval(ZERO, self.supremum(m)) if m else c.ball)
        return total

    def leading(self, terms: Terms) -> tuple[Monomial, Interval]:
        """The leading monomial and an enclosure of the function divided by it."""
        if not terms:
            raise NoGerm("identically zero")
        order = ordered(terms)
        lead = order[0]
        total = terms[lead].ball
        for m in order[1:]:
            total = total + terms[m].ball * Interval(ZERO, self.supremum(mono.divide(m, lead)))
        return lead, total

    def sign(self, terms: Terms) -> int:
        """The sign on the whole ray; raises `NoGerm` if it is not certain."""
        _, quotient = self.leading(terms)
        if quotient.lo > 0:
            return 1
        if quotient.hi < 0:
            return -1
        lead = terms[ordered(terms)[0]]
        if lead.exact is None and not (lead.ball.lo > 0 or lead.ball.hi < 0):
            raise OrderTooLow("the leading coefficient is not known well enough")
        raise StartTooSmall("the sign of the leading term is open")

    def split(self, terms: Terms) -> tuple[Terms, Coefficient, Terms]:
        """Growing part, constant part, vanishing part."""
        growing = {m: c for m, c in terms.items() if mono.growth(m) > 0}
        small = {m: c for m, c in terms.items() if mono.growth(m) < 0}
        return growing, terms.get(mono.ONE, Coefficient.of(NOUGHT)), small

    def normalized(self, terms: Terms) -> tuple[Monomial, Coefficient, Terms]:
        """Leading monomial m, its coefficient c and s with `f = c m (1 + s)`, s vanishing."""
        if not terms:
            raise NoGerm("identically zero")
        order = ordered(terms)
        lead = order[0]
        c = terms[lead]
        if c.exact is not None:
            inverse = Coefficient.of(mono.from_sympy(1 / mono.to_sympy(c.exact)))
        elif c.ball.lo > 0 or c.ball.hi < 0:
            inverse = Coefficient(c.ball.inverse())
        else:
            raise OrderTooLow("the leading coefficient may vanish")
        back = mono.raised(lead, fmpq(-1))
        rest = {m: terms[m] for m in order[1:]}
        return lead, c, self.scale(rest, inverse, back)

    def taylor(self, name: str, centre: Coefficient, small: Terms, data: object = None) -> Terms:
        """f(c + s) by Taylor's theorem, the remainder enclosed over the range of s."""
        around = centre.ball + self.range(small).hull(Interval(ZERO, ZERO))
        program = _program(name, data)
        remainder = jet(program, around, self.order)[self.order]
        if not remainder.bounded:
            raise StartTooSmall(f"{name} is not smooth on the range of its argument")
        result: Terms = {mono.ONE: Coefficient(remainder)}
        near = jet(program, centre.ball, self.order)
        for k in range(self.order - 1, -1, -1):
            result = self.multiply(result, small)
            exact = None
            if centre.exact is not None:
                exact = _derivative_at(name, data, centre.exact, k)
            coefficient = Coefficient(near[k]) if exact is None else Coefficient.of(exact)
            result = self.add(result, {mono.ONE: coefficient})
        return result

    def logarithm_of(self, m: Monomial) -> Terms:
        """log of a monomial, exactly."""
        return {mono.from_index(index): Coefficient.of(c) for index, c in m.parts}


_FORMS = {
    "log": sympy.log,
    "exp": sympy.exp,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "atan": sympy.atan,
    "asin": sympy.asin,
    "acos": sympy.acos,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "tanh": sympy.tanh,
    "erf": sympy.erf,
    "gamma": sympy.gamma,
    "loggamma": sympy.loggamma,
}


def _form(name: str, data: object) -> tuple[sympy.Expr, sympy.Symbol]:
    u = sympy.Symbol("u", real=True)
    if name == "power":
        return u ** sympy.sympify(data), u
    if name == "polygamma":
        return sympy.polygamma(sympy.sympify(data), u), u
    return _FORMS[name](u), u


@lru_cache(maxsize=256)
def _program(name: str, data: object) -> Program:
    expr, u = _form(name, data)
    return Program([expr], [u])


@lru_cache(maxsize=4096)
def _derivative_at(name: str, data: object, centre: Exact, k: int) -> Exact | None:
    expr, u = _form(name, data)
    value = sympy.diff(expr, u, k).subs(u, mono.to_sympy(centre)) / sympy.factorial(k)
    if value.has(sympy.nan, sympy.zoo, sympy.oo) or value.has(sympy.polygamma, sympy.zeta):
        return None
    return mono.from_sympy(sympy.expand(value))


__all__ = ["ONE", "Coefficient", "Germs", "Terms", "ordered"]
