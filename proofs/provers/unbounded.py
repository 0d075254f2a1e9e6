"""The sign of a function near a point of its boundary: unbounded ends, singular ends, contact.

The point is moved to infinity (`x = c + 1/t`, `x = t`...), the function is expanded in growth
monomials with enclosed coefficients (module `germ`), and the leading term decides on a whole
one-sided neighbourhood, whose size is part of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import arb, fmpq

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers import monomial as mono
from majorant.proofs.provers.gamma_germs import gamma_pole, polygamma, stirling
from majorant.proofs.provers.germ import Coefficient, Germs, Terms
from majorant.proofs.provers.interval import UNIT, Interval
from majorant.proofs.provers.monomial import LOG, UNITY, NoGerm, OrderTooLow, StartTooSmall
from majorant.proofs.provers.outcome import Clock
from majorant.proofs.provers.program import REWRITTEN

_STARTS = ("4", "12", "60", "400", "20000", "1e7", "1e12", "1e30")
_ORDERS = ((5, 8), (10, 12), (18, 20))


@dataclass(frozen=True)
class OneSided:
    """Where a sign was found: the sign, and the end of the neighbourhood.

    The function has the sign strictly between the point and `reach`, `reach` included.
    """

    sign: int
    reach: arb
    leading: str


def one_sided_sign(
    expr: sympy.Expr,
    variable: sympy.Symbol,
    point: sympy.Expr,
    side: int,
    clock: Clock | None = None,
) -> OneSided | None:
    """The certain sign of an expression on a one-sided neighbourhood of a point.

    `point` is an exact constant or an infinity; `side` is 1 for points above it, -1 below.

    >>> x = sympy.Symbol("x", positive=True)
    >>> one_sided_sign(x - sympy.log(1 + x), x, sympy.Integer(0), 1).sign
    1
    >>> one_sided_sign(sympy.exp(x) - x**9, x, sympy.oo, -1).sign
    1
    """
    clock = clock or Clock.of(10.0)
    for order, width in _ORDERS:
        for text in _STARTS:
            start = arb(text)
            try:
                germs = Germs(start, order, width, clock)
                walk = Walk(germs, variable, _seed(point, side))
                terms = walk.germ(expr)
                sign = germs.sign(terms)
                lead = germs.leading(terms)[0]
            except StartTooSmall:
                continue
            except OrderTooLow:
                break
            except (NoGerm, UnsupportedExpression, RecursionError, ZeroDivisionError):
                return None
            return OneSided(sign, _reach(point, side, start), describe(lead))
    return None


def _seed(point: sympy.Expr, side: int) -> Terms:
    t = mono.monomial([(LOG, UNITY)])
    if point in (sympy.oo, -sympy.oo):
        return {t: Coefficient.of(fmpq(1 if point is sympy.oo else -1))}
    terms: Terms = {mono.monomial([(LOG, -UNITY)]): Coefficient.of(fmpq(side))}
    if point != 0:
        terms[mono.ONE] = Coefficient.of(mono.from_sympy(point))
    return terms


def _reach(point: sympy.Expr, side: int, start: arb) -> arb:
    """A number inside the neighbourhood, rounded towards the point."""
    if point is sympy.oo:
        return start
    if point is -sympy.oo:
        return -start
    value = mono.enclose(mono.from_sympy(point))
    if side > 0:
        return (value.lo + 1 / start).lower()
    return (value.hi - 1 / start).upper()


def describe(m: mono.Monomial) -> str:
    """A growth monomial in t, as text."""
    parts = []
    for (a, b, c), coefficient in m.parts:
        names = [f"t^{a}" if a != 0 else "", f"log(t)^{b}" if b != 0 else ""]
        names.append(f"loglog(t)^{c}" if c != 0 else "")
        parts.append(f"{mono.to_sympy(coefficient)}*" + "*".join(n for n in names if n))
    return f"exp({' + '.join(parts)})" if parts else "1"


class Walk:
    """One expansion of an expression tree."""

    def __init__(self, germs: Germs, variable: sympy.Symbol, seed: Terms) -> None:
        self.germs, self.variable, self.seed = germs, variable, seed
        self.known: dict[sympy.Expr, Terms] = {}

    def germ(self, node: sympy.Expr) -> Terms:
        if node not in self.known:
            self.known[node] = self._expand(node)
        return self.known[node]

    def _expand(self, node: sympy.Expr) -> Terms:
        germs = self.germs
        if node == self.variable:
            return self.seed
        if not node.free_symbols:
            return germs.constant(mono.from_sympy(node))
        if node.is_Add:
            total: Terms = {}
            for argument in node.args:
                total = germs.add(total, self.germ(argument))
            return total
        if node.is_Mul:
            product = germs.constant(UNITY)
            for argument in node.args:
                product = germs.multiply(product, self.germ(argument))
            return product
        if isinstance(node, sympy.exp):
            return self.exp(self.germ(node.args[0]))
        if isinstance(node, sympy.Pow):
            return self._power(node)
        if isinstance(node, sympy.log):
            return self.log(self.germ(node.args[0]))
        if isinstance(node, sympy.Abs):
            inner = self.germ(node.args[0])
            return inner if germs.sign(inner) > 0 else self.negative(inner)
        if isinstance(node, sympy.sign):
            return germs.constant(fmpq(germs.sign(self.germ(node.args[0]))))
        if isinstance(node, sympy.Max | sympy.Min):
            return self._extreme(node)
        for kind, rewrite in REWRITTEN.items():
            if isinstance(node, kind):
                return self.germ(rewrite(*node.args))
        if isinstance(node, sympy.polygamma) and node.args[0].is_Integer:
            return polygamma(self, int(node.args[0]), self.germ(node.args[1]))
        if isinstance(node, sympy.tan):
            return self.germ(sympy.sin(node.args[0]) * sympy.cos(node.args[0]) ** -1)
        return self._function(type(node).__name__, self.germ(node.args[0]))

    def negative(self, terms: Terms) -> Terms:
        return self.germs.scale(terms, Coefficient.of(fmpq(-1)))

    def _extreme(self, node: sympy.Expr) -> Terms:
        best = self.germ(node.args[0])
        for argument in node.args[1:]:
            other = self.germ(argument)
            gap = self.germs.add(other, self.negative(best))
            if not gap:
                continue
            if (self.germs.sign(gap) > 0) == isinstance(node, sympy.Max):
                best = other
        return best

    def exp(self, terms: Terms) -> Terms:
        growing, constant, small = self.germs.split(terms)
        parts: list[tuple[mono.Index, mono.Exact]] = []
        for m, c in growing.items():
            if c.exact is None:
                raise NoGerm("an exponent is only known roughly")
            parts.append((mono.as_index(m), c.exact))
        if small:
            result = self.germs.taylor("exp", Coefficient.of(fmpq(0)), small)
        else:
            result = self.germs.constant(UNITY)
        if constant.exact is None:
            factor = Coefficient(_image("exp", constant.ball))
        else:
            exact = sympy.exp(mono.to_sympy(constant.exact))
            factor = Coefficient.of(mono.from_sympy(exact))
        return self.germs.scale(result, factor, mono.monomial(parts))

    def log(self, terms: Terms) -> Terms:
        lead, c, small = self.germs.normalized(terms)
        if not c.ball.lo > 0:
            raise NoGerm("the logarithm of a negative function")
        result = self.germs.logarithm_of(lead)
        if c.exact is not None:
            exact = sympy.expand_log(sympy.log(mono.to_sympy(c.exact)), factor=True)
            constant = Coefficient.of(mono.from_sympy(exact))
        else:
            constant = Coefficient(_image("log", c.ball))
        result = self.germs.add(result, {mono.ONE: constant})
        if small:
            one = Coefficient.of(UNITY)
            result = self.germs.add(result, self.germs.taylor("log", one, small))
        return result

    def _power(self, node: sympy.Pow) -> Terms:
        if node.base is sympy.E:
            return self.exp(self.germ(node.exp))
        base = self.germ(node.base)
        if not node.exp.is_Rational:
            return self.exp(self.germs.multiply(self.germ(node.exp), self.log(base)))
        if node.exp.is_Integer and 0 <= node.exp <= 12:
            result = self.germs.constant(UNITY)
            for _ in range(int(node.exp)):
                result = self.germs.multiply(result, base)
            return result
        return self.power(base, node.exp)

    def power(self, base: Terms, exponent: sympy.Rational) -> Terms:
        lead, c, small = self.germs.normalized(base)
        if not exponent.is_Integer and not c.ball.lo > 0:
            raise NoGerm("a broken power of a negative function")
        if c.exact is not None:
            exact = mono.to_sympy(c.exact) ** exponent
            factor = Coefficient.of(mono.from_sympy(exact))
        else:
            factor = Coefficient(_image("power", c.ball, exponent))
        result = self.germs.constant(UNITY)
        if small:
            one = Coefficient.of(UNITY)
            result = self.germs.taylor("power", one, small, exponent)
        return self.germs.scale(result, factor, mono.raised(lead, mono.from_sympy(exponent)))

    def _function(self, name: str, terms: Terms) -> Terms:
        growing, constant, small = self.germs.split(terms)
        if not growing:
            if name in ("asin", "acos") and constant.exact in (fmpq(1), fmpq(-1)):
                return self._arc_end(name, terms, constant)
            if name in ("gamma", "loggamma") and constant.exact == fmpq(0):
                return gamma_pole(self, name, terms)
            return self.germs.taylor(name, constant, small)
        if name in ("sin", "cos"):
            return {mono.ONE: Coefficient(UNIT)}
        sign = self.germs.sign(terms)
        positive = terms if sign > 0 else self.negative(terms)
        if name in ("tanh", "atan", "erf", "sinh"):
            result = getattr(self, f"_{name}_far")(positive)
            return result if sign > 0 else self.negative(result)
        if name == "cosh":
            return self._cosh_far(positive)
        if name in ("gamma", "loggamma") and sign > 0:
            result = stirling(self, positive)
            return self.exp(result) if name == "gamma" else result
        raise NoGerm(f"{name} far out")

    def _arc_end(self, name: str, terms: Terms, constant: Coefficient) -> Terms:
        """asin(u) = pi/2 - 2 asin(sqrt((1-u)/2)) near 1, and by symmetry near -1."""
        flip = constant.exact == fmpq(-1)
        u = self.negative(terms) if flip else terms
        half = self.germs.scale(
            self.germs.add(self.germs.constant(UNITY), self.negative(u)),
            Coefficient.of(fmpq(1, 2)),
        )
        root = self.power(half, sympy.Rational(1, 2))
        arc = self.germs.scale(
            self.germs.taylor("asin", Coefficient.of(fmpq(0)), root), Coefficient.of(fmpq(2))
        )
        if name == "acos":
            if not flip:
                return arc
            return self.germs.add(self.germs.constant(sympy.pi), self.negative(arc))
        result = self.germs.add(self.germs.constant(sympy.pi / 2), self.negative(arc))
        return self.negative(result) if flip else result

    def inverse(self, terms: Terms) -> Terms:
        return self.power(terms, sympy.Integer(-1))

    def _tanh_far(self, u: Terms) -> Terms:
        doubled = self.exp(self.germs.scale(u, Coefficient.of(fmpq(2))))
        below = self.inverse(self.germs.add(doubled, self.germs.constant(UNITY)))
        return self.germs.add(
            self.germs.constant(UNITY), self.germs.scale(below, Coefficient.of(fmpq(-2)))
        )

    def _atan_far(self, u: Terms) -> Terms:
        rest = self.germs.taylor("atan", Coefficient.of(fmpq(0)), self.inverse(u))
        return self.germs.add(self.germs.constant(sympy.pi / 2), self.negative(rest))

    def _sinh_far(self, u: Terms) -> Terms:
        both = self.germs.add(self.exp(u), self.negative(self.exp(self.negative(u))))
        return self.germs.scale(both, Coefficient.of(fmpq(1, 2)))

    def _cosh_far(self, u: Terms) -> Terms:
        both = self.germs.add(self.exp(u), self.exp(self.negative(u)))
        return self.germs.scale(both, Coefficient.of(fmpq(1, 2)))

    def _erf_far(self, u: Terms) -> Terms:
        """1 - exp(-u^2)/(u sqrt(pi)) (1 - 1/(2u^2) + 3/(4u^4) - ...): the error has the size of
        the first omitted term (the series is enveloping for u > 0)."""
        square = self.germs.multiply(u, u)
        back = self.inverse(square)
        series = self.germs.constant(UNITY)
        term = self.germs.constant(UNITY)
        for k in range(1, 5):
            term = self.germs.scale(
                self.germs.multiply(term, back), Coefficient.of(fmpq(-(2 * k - 1), 2))
            )
            if k < 4:
                series = self.germs.add(series, term)
        series = self.germs.add(series, self.germs.scale(term, Coefficient(UNIT)))
        scale = Coefficient.of(-1 / sympy.sqrt(sympy.pi))
        tail = self.germs.multiply(self.exp(self.negative(square)), self.inverse(u))
        tail = self.germs.scale(self.germs.multiply(tail, series), scale)
        return self.germs.add(self.germs.constant(UNITY), tail)


def _image(name: str, ball: Interval, data: object = None) -> Interval:
    from majorant.proofs.provers.germ import _program
    from majorant.proofs.provers.taylor import jet

    return jet(_program(name, data), ball, 0)[0]
