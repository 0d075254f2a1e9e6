"""The proof search: goals `f >= 0` or `f > 0` on a domain, reduced by tactics to leaves.

Every tactic is a theorem "these goals imply that goal"; leaves are closed by sign rules, Sturm
sequences, ball arithmetic or z3. What is found is a tree of reasons, printed as the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
import sympy
from flint import arb
from sympy.polys.polyerrors import CoercionFailed, PolynomialError

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.claims.conditions import Condition, conditions_of
from majorant.proofs.provers.circle import period
from majorant.proofs.provers.domain import Bound, Constraint, Domain
from majorant.proofs.provers.enclosure import evaluate
from majorant.proofs.provers.exact import sign_of_constant
from majorant.proofs.provers.interval import INF, NEG, Interval
from majorant.proofs.provers.monomial import enclose, from_sympy
from majorant.proofs.provers.outcome import Clock, Hints, OutOfTime, Proof
from majorant.proofs.provers.polynomial_z3 import prove_polynomial
from majorant.proofs.provers.program import Program
from majorant.proofs.provers.sampling import candidates, float_values
from majorant.proofs.provers.sturm import prove_polynomial_sign
from majorant.proofs.provers.univariate import prove_on_interval

LIMITS = (1, 2, 3, 5)
MAX_OPERATIONS = 500

#: How SymPy says that an expression is beyond it: the tactic has not succeeded.
_GIVES_UP = (RecursionError, NotImplementedError, PolynomialError, CoercionFailed)

Tactic = Callable[["Engine", sympy.Expr, bool, Domain, int], Proof | None]


class Engine:
    """One search with its memory; `tactics` are tried in order on goals in several variables."""

    def __init__(self, clock: Clock, tactics: Iterable[Tactic]) -> None:
        self.clock = clock
        self.tactics = tuple(tactics)
        self.hints = Hints()
        self.limit = LIMITS[-1]
        self._proofs: dict[tuple[object, ...], Proof] = {}
        self._failures: dict[tuple[object, ...], int] = {}
        self._leaves: dict[tuple[object, ...], Proof | None] = {}
        self._reasons: dict[tuple[sympy.Expr, Domain], Proof] = {}
        self._signs: dict[tuple[sympy.Expr, Domain], tuple[int | None, bool]] = {}

    def prove(
        self, expr: sympy.Expr, strict: bool, domain: Domain, depth: int = 0
    ) -> Proof | None:
        """A proof of `expr >= 0` (`> 0` if strict) on the domain, where the expression is defined.

        The caller answers for the expression being defined there, see `defined`.
        """
        self.clock.check()
        if expr.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo, sympy.I):
            return None
        if expr.is_number:
            sign = sign_of_constant(expr)
            if sign is not None and (sign > 0 or (sign == 0 and not strict)):
                return Proof("algebra", (f"{expr} is {'positive' if sign else 'zero'}",))
            return None
        if depth > self.limit or sympy.count_ops(expr) > MAX_OPERATIONS:
            return None
        if expr.is_Add:
            expr = expr.primitive()[1]  # a positive factor: one goal instead of many copies
        domain = relevant(domain, expr)
        key = (expr, strict, domain)
        if key in self._proofs:
            return self._proofs[key]
        left = self.limit - depth
        if self._failures.get(key, -1) >= left:
            return None
        self._failures[key] = left
        proof = self._search(expr, strict, domain, depth)
        if proof is not None:
            self._proofs[key] = proof
        return proof

    def deepen(self, expr: sympy.Expr, strict: bool, domain: Domain) -> Proof | None:
        """`prove` with growing depth: short proofs first."""
        for limit in LIMITS:
            self.limit = limit
            proof = self.prove(expr, strict, domain)
            if proof is not None or self.hints.points:
                return proof
        return None

    def _search(
        self, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
    ) -> Proof | None:
        sign, certain = self.sign(expr, domain)
        if sign == 1 and (certain or not strict):
            reason = self._reasons.get((expr, domain))
            said = f"{expr} {'>' if certain else '>='} 0"
            return reason.under(said) if reason else Proof("signs", (said + " by sign rules",))
        if (sign == -1 and certain) or not plausible(expr, domain):
            return None
        if len(expr.free_symbols) == 1:
            key = (expr, strict, domain)
            if key not in self._leaves:
                self._leaves[key] = self.one_variable(expr, strict, domain, depth)
            if self._leaves[key] is not None:
                return self._leaves[key]
        if depth >= self.limit:
            return self._closing(expr, strict, domain)
        for tactic in self.tactics:
            self.clock.check()
            try:
                proof = tactic(self, expr, strict, domain, depth)
            except _GIVES_UP:
                continue
            if proof is not None:
                return proof
        return None

    def once(
        self, name: str, goal: tuple[object, ...], find: Callable[[], Proof | None]
    ) -> Proof | None:
        """A costly leaf whose answer does not depend on the depth: tried once for each goal."""
        key = (*goal, name)
        if key not in self._leaves:
            self._leaves[key] = None
            self._leaves[key] = find()
        return self._leaves[key]

    def _closing(self, expr: sympy.Expr, strict: bool, domain: Domain) -> Proof | None:
        """At the depth limit only z3 is asked."""
        if not _algebraic(expr):
            return None
        part = self.clock.part(0.6)
        return self.once(
            "z3", (expr, strict, domain), lambda: prove_polynomial(expr, strict, domain, part)
        )

    def one_variable(
        self, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
    ) -> Proof | None:
        """Sturm, then Taylor forms in balls, on the interval that the constraints leave."""
        (variable,) = expr.free_symbols
        touching = [c for c in domain.constraints if c.expr.has(variable)]
        linear = domain.only_linear_in(variable)
        if any(c.expr.free_symbols != {variable} for c in touching):
            # project on the variable; the interval may then be larger than the domain
            linear = False
            for other in domain.variables:
                if other != variable:
                    domain = domain.without(other)
        if not linear:
            domain = hull(domain, variable)
            if not self.defined(expr, domain, depth + 1):
                return None
        low, high = domain.lower(variable), domain.upper(variable)
        if low and high and sign_of_constant(high.value - low.value) == 0:
            value = self.prove(expr.subs(variable, low.value), strict, domain, depth + 1)
            return value.under(f"{variable} = {low.value} is forced") if value else None
        proof = prove_polynomial_sign(expr, variable, low, high, strict)
        if proof is not None or expr.is_polynomial(variable):
            return proof
        length = period(expr, variable)
        if length is not None and (low is None or high is None):
            low, high = Bound(sympy.Integer(0), False), Bound(length, False)
        hints = Hints()
        share = self.clock.part(5.0 if depth == 0 else 2.0)
        try:
            proof = prove_on_interval(expr, variable, low, high, strict, share, hints)
        except OutOfTime:
            self.clock.check()
            return None
        if depth == 0:
            self.hints.points.extend(hints.points)
        if proof is None:
            return None
        said = f"{expr} {'>' if strict else '>='} 0"
        return proof.under(f"{said} for {_range(variable, low, high)}")

    def sign(self, expr: sympy.Expr, domain: Domain) -> tuple[int | None, bool]:
        """(1, True) proved positive, (1, False) proved non-negative, likewise -1, (0, True) zero;
        (None, False) where the sign is open."""
        key = (expr, domain)
        if key not in self._signs:
            self._signs[key] = (None, False)
            self._signs[key] = self._sign(expr, domain)
        return self._signs[key]

    def _sign(self, expr: sympy.Expr, domain: Domain) -> tuple[int | None, bool]:
        if expr.is_number:
            value = sign_of_constant(expr)
            return (value, True) if value is not None else (None, False)
        for constraint in domain.constraints:
            if constraint.expr in (expr, -expr):
                return (1 if constraint.expr == expr else -1, constraint.strict)
        found = self._by_structure(expr, domain)
        if found[0] is not None:
            return found
        return self._by_range(expr, domain)

    def _by_range(self, expr: sympy.Expr, domain: Domain) -> tuple[int | None, bool]:
        variables = sorted(expr.free_symbols, key=str)
        try:
            program = Program([expr], variables)
        except UnsupportedExpression:
            return (None, False)
        value = evaluate(program, [box_of(domain, v) for v in variables])[0]
        if value.lo >= 0 and not (value.lo == NEG):
            if value.lo > 0:
                return (1, True)
            found: tuple[int | None, bool] = (1, False)
        elif value.hi <= 0 and not (value.hi == INF):
            if value.hi < 0:
                return (-1, True)
            found = (-1, False)
        else:
            found = (None, False)
        bounds = not _algebraic(expr)
        if sympy.count_ops(expr) > (25 if bounds else 60):
            return found
        for direction in (1, -1):
            if found[0] not in (None, direction) or not plausible(direction * expr, domain):
                continue
            for strict in (True,) if bounds else (True, False):
                if found[0] is None or strict:
                    part = self.clock.part(0.1 if bounds else 0.2)
                    proof = prove_polynomial(direction * expr, strict, domain, part, bounds)
                    if proof is not None:
                        self._reasons[(expr, domain)] = proof
                        return (direction, strict)
        return found

    def _by_structure(self, expr: sympy.Expr, domain: Domain) -> tuple[int | None, bool]:
        if isinstance(expr, sympy.exp | sympy.cosh | sympy.gamma):
            return (1, True)
        if isinstance(expr, sympy.Abs):
            return (1, self.sign(expr.args[0], domain)[1])
        if expr.is_Mul:
            total, certain = 1, True
            for factor in expr.args:
                sign, sure = self.sign(factor, domain)
                if sign is None:
                    return (None, False)
                total, certain = total * sign, certain and sure
            return (total, certain)
        if isinstance(expr, sympy.Pow):
            return self._power_sign(expr, domain)
        if expr.is_Add:
            signs = [self.sign(argument, domain) for argument in expr.args]
            for direction in (1, -1):
                if all(s in (0, direction) for s, _ in signs):
                    return (direction, any(s == direction and sure for s, sure in signs))
            return (None, False)
        if isinstance(expr, sympy.log):
            return self.sign(expr.args[0] - 1, domain)
        if isinstance(expr, sympy.atan | sympy.tanh | sympy.sinh | sympy.erf | sympy.asin):
            return self.sign(expr.args[0], domain)
        return (None, False)

    def _power_sign(self, expr: sympy.Pow, domain: Domain) -> tuple[int | None, bool]:
        base = expr.base
        if base.is_number and sign_of_constant(base) == 1:
            return (1, True)
        sign, sure = self.sign(base, domain)
        if expr.exp.is_Integer and expr.exp % 2 == 0:
            return (1, sure or expr.exp.is_negative)
        if not expr.exp.is_Integer:
            return (1, sure and sign == 1)
        return (sign, sure) if sign is not None else (None, False)

    def defined(self, expr: sympy.Expr, domain: Domain, depth: int) -> bool:
        """Whether the expression is proved to be defined on the whole domain."""
        return all(self.holds(c, domain, depth) for c in conditions_of(expr))

    def holds(self, condition: Condition, domain: Domain, depth: int) -> bool:
        """Whether a side condition is proved on the whole domain."""
        return any(
            all(self._kind(kind, expr, domain, depth) for kind, expr in alternative)
            for alternative in condition.alternatives
        )

    def _kind(self, kind: str, expr: sympy.Expr, domain: Domain, depth: int) -> bool:
        if kind == "unit":
            return bool(
                self.prove(1 - expr, False, domain, depth)
                and self.prove(1 + expr, False, domain, depth)
            )
        sign, sure = self.sign(expr, domain)
        if kind == "nonzero":
            if sign is not None and sure and sign != 0:
                return True
            return any(
                self.prove(s * expr, True, domain, depth) is not None for s in (1, -1)
            )
        strict = kind != "nonnegative"
        if sign == 1 and (sure or not strict):
            return True
        return self.prove(expr, strict, domain, depth) is not None


@lru_cache(maxsize=8192)
def plausible(expr: sympy.Expr, domain: Domain) -> bool:
    """False if a sample of the domain has a negative value (confirmed in balls).

    Only used to give up early on a goal.
    """
    variables = list(domain.variables)
    terms = sympy.Add.make_args(expr)
    try:
        program = Program([*terms, *(c.expr for c in domain.constraints)], variables)
    except UnsupportedExpression:
        return True
    points = candidates(domain, 160, 5)
    values = float_values(program, points)
    with np.errstate(all="ignore"):
        total = sum(values[1 : len(terms)], values[0])
        size = sum((np.abs(v) for v in values[1 : len(terms)]), np.abs(values[0]))
        inside = np.ones(len(points), dtype=bool)
        for constraint, value in zip(domain.constraints, values[len(terms) :], strict=True):
            inside &= (value > 0) if constraint.strict else (value >= 0)
        ratio = np.where(inside & np.isfinite(total), total / (size + 1e-300), 0.0)
    for row in np.argsort(ratio)[:3]:
        if ratio[row] >= -1e-9:
            break
        point = [Interval(arb(float(v)), arb(float(v))) for v in points[row]]
        found = evaluate(program, point)
        enclosure = found[0]
        for term in found[1 : len(terms)]:
            enclosure = enclosure + term
        if enclosure.hi < 0 and all(c.lo > 0 for c in found[len(terms) :]):
            return False
    return True


def relevant(domain: Domain, expr: sympy.Expr) -> Domain:
    """The domain without variables that are not linked to the expression by constraints."""
    linked = set(expr.free_symbols)
    grown = True
    while grown:
        grown = False
        for constraint in domain.constraints:
            symbols = constraint.expr.free_symbols
            if symbols & linked and not symbols <= linked:
                linked |= symbols
                grown = True
    kept = [c for c in domain.constraints if c.expr.free_symbols & linked]
    return Domain(
        tuple(v for v in domain.variables if v in linked),
        tuple(kept),
        frozenset(domain.integers & linked),
    )


def hull(domain: Domain, variable: sympy.Symbol) -> Domain:
    """One variable between its constant ends, all other constraints dropped."""
    constraints = []
    low, high = domain.lower(variable), domain.upper(variable)
    if low is not None:
        constraints.append(Constraint(variable - low.value, low.strict))
    if high is not None:
        constraints.append(Constraint(high.value - variable, high.strict))
    return Domain((variable,), tuple(constraints))


def box_of(domain: Domain, variable: sympy.Symbol) -> Interval:
    """An interval around the constant ends of a variable."""
    low, high = domain.lower(variable), domain.upper(variable)
    lo = NEG if low is None else enclose(from_sympy(low.value)).lo
    hi = INF if high is None else enclose(from_sympy(high.value)).hi
    return Interval(lo, hi)


def _algebraic(expr: sympy.Expr) -> bool:
    for node in sympy.preorder_traversal(expr):
        if isinstance(node, sympy.Function) and not isinstance(
            node, sympy.Abs | sympy.Max | sympy.Min
        ):
            return not node.free_symbols
        if isinstance(node, sympy.Pow) and not node.exp.is_Rational and node.free_symbols:
            return False
    return True


def _range(variable: sympy.Symbol, low: Bound | None, high: Bound | None) -> str:
    left = "-oo <" if low is None else f"{low.value} {'<' if low.strict else '<='}"
    right = "< oo" if high is None else f"{'<' if high.strict else '<='} {high.value}"
    return f"{left} {variable} {right}"
