"""Polynomial arithmetic by z3's nlsat; transcendental terms replaced by variables under bounds.

What is sent is the negation of the goal on the domain, so `unsat` proves it. A transcendental
term f(u) becomes a fresh variable that is only known to satisfy inequalities that hold for every
real u (in the manner of MetiTarski); the bounds are listed with their proofs in `BOUNDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers.circle import Circles
from majorant.proofs.provers.domain import Domain
from majorant.proofs.provers.enclosure import Precision, evaluate
from majorant.proofs.provers.interval import exact_rational
from majorant.proofs.provers.outcome import Clock, Proof
from majorant.proofs.provers.program import Program

_MAX_DEGREE = 24
_MAX_OPERATIONS = 400


def prove_polynomial(
    expr: sympy.Expr, strict: bool, domain: Domain, clock: Clock, bounds: bool = False
) -> Proof | None:
    """Prove `expr >= 0` (or `> 0`) on a domain with z3; None if it did not answer `unsat`.

    Without `bounds` only algebraic expressions are accepted (rational powers, Abs, Max, Min).
    """
    try:
        import z3
    except ImportError:
        return None
    if sympy.count_ops(expr) > _MAX_OPERATIONS or clock.left < 0.02:
        return None
    translation = _Translation(z3, bounds)
    circles = Circles.of(expr)
    if circles is not None and not bounds and _angles_outside(expr, circles):
        return None
    try:
        if circles is not None:
            expr = circles.expand(expr)
            translation.put_on_circles(expr, circles.signs(domain))
        goal = translation.term(expr)
        given = []
        for constraint in domain.constraints:
            try:
                value = translation.term(constraint.expr)
            except UnsupportedExpression:
                continue
            given.append(value > 0 if constraint.strict else value >= 0)
    except UnsupportedExpression:
        return None
    solver = z3.SolverFor("QF_NRA") if translation.nonlinear else z3.Solver()
    solver.set("timeout", max(20, int(1000 * clock.left)))
    for fact in [*given, *translation.facts]:
        solver.add(fact)
    solver.add(goal <= 0 if strict else goal < 0)
    if solver.check() != z3.unsat:
        return None
    used = translation.used
    lines = ["the negation is unsatisfiable in real arithmetic (nlsat)"]
    lines += [f"with {line}" for line in sorted(used)]
    return Proof("z3", tuple(lines))


def _angles_outside(expr: sympy.Expr, circles: Circles) -> bool:
    """Whether the variables of the angles occur outside of sines and cosines."""
    marked = expr.xreplace(
        {n: sympy.Dummy() for n in expr.atoms(sympy.sin, sympy.cos, sympy.tan)}
    )
    return any(marked.free_symbols & part.free_symbols for part in circles.steps)


class _Translation:
    """One translation: variables, side facts, and the names of the bounds that were used."""

    def __init__(self, z3: Any, bounds: bool) -> None:
        self.z3, self.bounds = z3, bounds
        self.known: dict[sympy.Expr, Any] = {}
        self.facts: list[Any] = []
        self.used: set[str] = set()
        self.nonlinear = False
        self.fresh = 0

    def variable(self, prefix: str) -> Any:
        self.fresh += 1
        return self.z3.Real(f"{prefix}!{self.fresh}")

    def put_on_circles(self, expr: sympy.Expr, signs: list[tuple[sympy.Expr, int, bool]]) -> None:
        """Both coordinates of every base angle, with the signs that the domain gives them."""
        nodes = expr.atoms(sympy.sin, sympy.cos)
        for value, _, _ in signs:
            nodes |= value.atoms(sympy.sin, sympy.cos)
        for angle in sorted({n.args[0] for n in nodes if n.free_symbols}, key=str):
            s, c = (self._circular(kind, angle) for kind in (sympy.sin, sympy.cos))
            self.facts += [s * s + c * c == 1, s <= 1, s >= -1, c <= 1, c >= -1]
            self.known[sympy.sin(angle)], self.known[sympy.cos(angle)] = s, c
        self.nonlinear = True
        self.used.add("sin(t)^2 + cos(t)^2 = 1, addition theorems, signs by quadrants")
        for value, sign, strict in signs:
            term = sign * self.term(value)
            self.facts.append(term > 0 if strict else term >= 0)

    def _circular(self, kind: Any, angle: sympy.Expr) -> Any:
        return self._bounded(kind(angle)) if self.bounds else self.variable(kind.__name__)

    def term(self, node: sympy.Expr) -> Any:
        if node not in self.known:
            self.known[node] = self._translate(node)
        return self.known[node]

    def rational(self, value: sympy.Rational) -> Any:
        return self.z3.RealVal(f"{value.p}/{value.q}")

    def _translate(self, node: sympy.Expr) -> Any:
        if node.is_Rational:
            return self.rational(node)
        if node.is_Symbol:
            return self.z3.Real(node.name)
        if not node.free_symbols and not node.is_algebraic:
            return self._constant(node)
        if node.is_Add:
            return self.z3.Sum([self.term(a) for a in node.args])
        if node.is_Mul:
            return self._product(node)
        if isinstance(node, sympy.Pow) and node.exp.is_Rational:
            return self._power(self.term(node.base), node.exp)
        if isinstance(node, sympy.Abs):
            inner = self.term(node.args[0])
            return self.z3.If(inner >= 0, inner, -inner)
        if isinstance(node, sympy.Max | sympy.Min):
            best = self.term(node.args[0])
            for argument in node.args[1:]:
                other = self.term(argument)
                larger = isinstance(node, sympy.Max)
                best = self.z3.If((other > best) if larger else (other < best), other, best)
            return best
        if self.bounds and isinstance(node, sympy.exp):
            return self._exponential(node)
        if self.bounds and isinstance(node, sympy.Pow):
            # written out: SymPy would turn exp(r log(u)) back into u^r
            exponent = self.term(node.exp) * self.term(sympy.log(node.base))
            return self._bound(sympy.exp, exponent)
        if self.bounds and isinstance(node, sympy.ceiling):
            return -self.term(sympy.floor(-node.args[0]))
        if self.bounds:
            return self._bounded(node)
        raise UnsupportedExpression(f"{node} is not algebraic")

    def _product(self, node: sympy.Expr) -> Any:
        result = None
        symbolic = 0
        for argument in node.args:
            symbolic += bool(argument.free_symbols)
            value = self.term(argument)
            result = value if result is None else result * value
        self.nonlinear |= symbolic > 1
        return result

    def _power(self, base: Any, exponent: sympy.Rational) -> Any:
        self.nonlinear = True
        p, q = int(exponent.p), int(exponent.q)
        if abs(p) > _MAX_DEGREE or q > 8:
            raise UnsupportedExpression("the degree is too large")
        if q > 1:
            root = self.variable("root")
            self.facts += [root >= 0, self._repeat(root, q) == base]
            base = root
        if p < 0:
            inverse = self.variable("inverse")
            self.facts.append(inverse * base == 1)
            return self._repeat(inverse, -p)
        return self._repeat(base, p)

    def _repeat(self, base: Any, exponent: int) -> Any:
        result = base
        for _ in range(exponent - 1):
            result = result * base
        return result

    def _constant(self, node: sympy.Expr) -> Any:
        with Precision(160):
            value = evaluate(Program([node], []), [])[0]
        if not value.bounded:
            raise UnsupportedExpression(f"the constant {node}")
        name = self.variable("constant")
        self.facts += [
            name >= self.rational(exact_rational(value.lo)),
            name <= self.rational(exact_rational(value.hi)),
        ]
        return name

    def _exponential(self, node: sympy.exp) -> Any:
        """exp(a + b) and exp(k u) as products and powers of simpler exponentials."""
        exponent = sympy.expand(node.args[0])
        if exponent.is_Add:
            return self._product_of([sympy.exp(a) for a in exponent.args])
        content, inner = exponent.as_coeff_Mul()
        if content.is_Rational and content != 1 and abs(content.p) <= 8 and content.q <= 8:
            return self._power(self.term(sympy.exp(inner)), content)
        return self._bounded(node)

    def _product_of(self, factors: list[sympy.Expr]) -> Any:
        self.nonlinear = True
        result = self.term(factors[0])
        for factor in factors[1:]:
            result = result * self.term(factor)
        return result

    def _bounded(self, node: sympy.Expr) -> Any:
        kind: Any
        for kind in BOUNDS:
            if isinstance(node, kind):
                argument = self.term(node.args[0])
                value = self._bound(kind, argument)
                self._monotone(kind, argument, value)
                return value
        raise UnsupportedExpression(f"no bounds for {node}")

    def _bound(self, kind: Any, argument: Any) -> Any:
        """A fresh variable for the value of a function, under its bounds."""
        value = self.variable(kind.__name__)
        self.nonlinear = True
        facts, name = BOUNDS[kind](self.z3, argument, value)
        self.facts += facts
        self.used.add(name)
        return value

    def _monotone(self, kind: Any, argument: Any, value: Any) -> None:
        """Increasing functions preserve the order of their arguments."""
        if kind not in (sympy.exp, sympy.log, sympy.tanh, sympy.atan, sympy.erf):
            return
        for other, seen in self.known.items():
            before = self.known.get(other.args[0]) if isinstance(other, kind) else None
            if before is not None:
                self.facts.append(
                    self.z3.And(
                        self.z3.Implies(before < argument, seen < value),
                        self.z3.Implies(before > argument, seen > value),
                        self.z3.Implies(before == argument, seen == value),
                    )
                )


def _exp(z3: Any, u: Any, v: Any) -> tuple[list[Any], str]:
    facts = [
        v > 0,
        v >= 1 + u,
        z3.Implies(u < 1, v * (1 - u) <= 1),
        z3.Implies(u >= 0, v >= 1 + u + u * u / 2),
        z3.Implies(u <= 0, v <= 1 + u + u * u / 2),
    ]
    return facts, "1+u <= exp(u) <= 1/(1-u), exp(u) against 1+u+u^2/2 (Taylor's theorem)"


def _log(z3: Any, u: Any, v: Any) -> tuple[list[Any], str]:
    facts = [
        v <= u - 1,
        v * u >= u - 1,
        z3.Implies(u >= 1, z3.And(v * (u + 1) >= 2 * (u - 1), 2 * u * v <= u * u - 1)),
        z3.Implies(u <= 1, z3.And(v * (u + 1) <= 2 * (u - 1), 2 * u * v >= u * u - 1)),
    ]
    return facts, "log(u) <= u-1, log(u) against 2(u-1)/(u+1) and (u-1/u)/2 (signs of derivatives)"


def _sin(z3: Any, u: Any, v: Any) -> tuple[list[Any], str]:
    facts = [
        v <= 1,
        v >= -1,
        z3.Implies(u >= 0, z3.And(v <= u, v >= u - u * u * u / 6)),
        z3.Implies(u <= 0, z3.And(v >= u, v <= u - u * u * u / 6)),
    ]
    return facts, "|sin(u)| <= 1, u - u^3/6 <= sin(u) <= u for u >= 0 (Taylor's theorem)"


def _cos(z3: Any, u: Any, v: Any) -> tuple[list[Any], str]:
    fourth = u * u * u * u
    facts = [v <= 1, v >= -1, v >= 1 - u * u / 2, v <= 1 - u * u / 2 + fourth / 24]
    return facts, "|cos(u)| <= 1, 1 - u^2/2 <= cos(u) <= 1 - u^2/2 + u^4/24 (Taylor's theorem)"


def _sigmoidal(z3: Any, u: Any, v: Any) -> tuple[list[Any], str]:
    facts = [
        z3.Implies(u > 0, z3.And(v > 0, v < 1, v < u)),
        z3.Implies(u < 0, z3.And(v < 0, v > -1, v > u)),
        z3.Implies(u == 0, v == 0),
    ]
    return facts, "0 < tanh(u) < min(1, u) for u > 0, and it is odd"


def _atan(z3: Any, u: Any, v: Any) -> tuple[list[Any], str]:
    facts = [
        z3.Implies(u > 0, z3.And(v > 0, v < u, v * (1 + u * u) > u, v < z3.Q(15708, 10000))),
        z3.Implies(u < 0, z3.And(v < 0, v > u, v * (1 + u * u) < u, v > -z3.Q(15708, 10000))),
        z3.Implies(u == 0, v == 0),
    ]
    return facts, "u/(1+u^2) < atan(u) < min(u, pi/2) for u > 0, and it is odd"


def _floor(z3: Any, u: Any, v: Any) -> tuple[list[Any], str]:
    return [v <= u, v > u - 1], "u - 1 < floor(u) <= u"


#: Rules that hold for every real argument at which the function is defined.
BOUNDS: dict[type, Callable[[Any, Any, Any], tuple[list[Any], str]]] = {
    sympy.exp: _exp,
    sympy.log: _log,
    sympy.sin: _sin,
    sympy.cos: _cos,
    sympy.tanh: _sigmoidal,
    sympy.atan: _atan,
    sympy.floor: _floor,
}
