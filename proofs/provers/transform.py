"""Equivalent goals: isolating exponentials, logarithms and roots, comparing logarithms,
homogeneous and translation-invariant normal forms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy

from majorant.proofs.provers.domain import Constraint, Domain
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.exact import differs_from_zero, is_formally_zero
from majorant.proofs.provers.outcome import Proof

#: Goals that grow more than this by an isolation are dropped.
_GROWTH = 2


def opened_log(expr: sympy.Expr) -> sympy.Expr:
    """The logarithm of a product, positive factors split off."""
    return sympy.expand_log(sympy.log(expr))


def log_of_positive(engine: Engine, expr: sympy.Expr, domain: Domain) -> sympy.Expr | None:
    """log(expr) with products and powers of positive factors opened; None unless all are."""
    result = sympy.Integer(0)
    for factor in sympy.Mul.make_args(sympy.factor_terms(expr)):
        base, exponent = factor.as_base_exp()
        if base is sympy.E:
            result += exponent
        elif isinstance(base, sympy.gamma):  # defined on the positive half line only
            result += exponent * sympy.loggamma(base.args[0])
        elif engine.sign(base, domain) == (1, True):
            result += exponent * sympy.log(base)
        else:
            return None
    return result


def opened_logs(engine: Engine, expr: sympy.Expr, domain: Domain) -> sympy.Expr:
    """Every logarithm of a product of positive factors written as a sum."""
    opened = {}
    for node in expr.atoms(sympy.log):
        argument = node.args[0]
        if not argument.is_number and isinstance(argument, sympy.Mul | sympy.Pow):
            value = log_of_positive(engine, argument, domain)
            if value is not None:
                opened[node] = value
    return expr.xreplace(opened)


def isolate_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """f = A + B g with g an exponential, a logarithm or a root that occurs once."""
    return _isolate(engine, expr, strict, domain, depth + 1, logs=True)


def _isolate(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int, logs: bool
) -> Proof | None:
    expanded = sympy.expand(expr, deep=False, power_exp=False, power_base=False)
    for node in sorted(_outer(expanded), key=str):
        if isinstance(node, sympy.log) and not logs:
            continue
        mark = sympy.Dummy("node")
        marked = sympy.Add(*(t for t in sympy.Add.make_args(expanded) if t.has(node)))
        slope = marked.xreplace({node: mark}).coeff(mark, 1)
        if slope == 0 or marked.xreplace({node: mark}) != sympy.expand(slope * mark, deep=False):
            continue
        rest = sympy.Add(*(t for t in sympy.Add.make_args(expanded) if not t.has(node)))
        if slope.has(node) or rest.has(node):
            continue
        for statement, reason, region in _isolated(engine, node, slope, rest, domain):
            if sympy.count_ops(statement) > _GROWTH * (sympy.count_ops(expr) + 20):
                continue
            smaller = domain if region is None else domain.adding(region)
            if not engine.defined(statement, smaller, depth):
                continue
            proof = engine.prove(statement, strict, smaller, depth)
            if proof is not None:
                where = f" where {region}" if region is not None else ""
                return proof.under(f"{expr} >= 0: {reason}, that is {statement} >= 0{where}")
    return None


def early_isolate_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """Isolation first where differentiation would be hopeless: roots of transcendental terms,
    exponentials of logarithms, products of several powers with variable exponents."""
    for term in sympy.Add.make_args(expr):
        factors = [f for f in sympy.Mul.make_args(term) if f.free_symbols and _isolable(f)]
        roots = [f for f in factors if isinstance(f, sympy.Pow) and f.exp.is_Rational]
        if any(f.base.has(sympy.exp, sympy.log) or _broken(f.base) for f in roots):
            return _isolate(engine, expr, strict, domain, depth, logs=False)
        steep = [f for f in factors if isinstance(f, sympy.exp) and _steep(f.args[0])]
        if steep or sum(_broken(f) for f in factors) > 1:
            return _isolate(engine, expr, strict, domain, depth, logs=False)
    return None


def _steep(exponent: sympy.Expr) -> bool:
    """Exponents whose exponential no derivative simplifies: logarithms, squares (Gaussians)."""
    if exponent.has(sympy.log):
        return True
    variables = sorted(exponent.free_symbols, key=str)
    return any(
        exponent.is_polynomial(v) and sympy.degree(exponent, v) > 1 for v in variables
    ) and len(variables) > 1


def _broken(expr: sympy.Expr) -> bool:
    """Whether a power with a variable exponent occurs."""
    return any(p.exp.free_symbols and p.base is not sympy.E for p in expr.atoms(sympy.Pow))


def _outer(expr: sympy.Expr) -> set[sympy.Expr]:
    """Exponentials, logarithms and square roots at the top of the terms."""
    found: set[sympy.Expr] = set()
    for term in sympy.Add.make_args(expr):
        for factor in sympy.Mul.make_args(term):
            if factor.free_symbols and _isolable(factor):
                found.add(factor)
    return found


def _isolable(factor: sympy.Expr) -> bool:
    if isinstance(factor, sympy.exp | sympy.log):
        return True
    if not isinstance(factor, sympy.Pow):
        return False
    return factor.exp == sympy.Rational(1, 2) or not factor.exp.is_Rational


def _sign_part(engine: Engine, expr: sympy.Expr, domain: Domain) -> sympy.Expr:
    """The factors that decide the sign of a product."""
    part = sympy.Integer(1)
    for factor in sympy.Mul.make_args(sympy.factor(sympy.together(expr))):
        sign, certain = engine.sign(factor, domain)
        part *= sign if certain and sign in (1, -1) else factor
    return part


def _isolated(
    engine: Engine,
    node: sympy.Expr,
    slope: sympy.Expr,
    rest: sympy.Expr,
    domain: Domain,
) -> list[tuple[sympy.Expr, str, Constraint | None]]:
    """Goals of which each implies node * slope + rest >= 0, with the region that is left.

    Where node >= other is asked and other < 0 nothing is to be shown: a root or an exponential is
    not negative.
    """
    direction, certain = engine.sign(slope, domain)
    if not certain or direction not in (1, -1) or rest == 0:
        return []
    other = -rest / slope if direction > 0 else rest / (-slope)
    # direction > 0: node >= other, else other >= node
    if isinstance(node, sympy.log):
        if sympy.count_ops(other) > 40:
            return []
        return [(direction * (node.args[0] - sympy.exp(other)), "both sides exponentiated", None)]
    root = isinstance(node, sympy.Pow) and node.exp == sympy.Rational(1, 2)
    sign, sure = engine.sign(-direction * rest, domain)
    known = sign == 1 and (sure or root)
    if not known and direction < 0:
        known = engine.prove(-direction * rest, not root, domain, 3) is not None
        if not known:
            return []
    region = None if known else Constraint(_sign_part(engine, other, domain), not root)
    if root:
        squared = direction * (node.base - sympy.expand(other**2))
        regions = [None] if known else [None, region]
        return [(squared, "both sides squared", where) for where in regions]
    power = isinstance(node, sympy.Pow)
    if region is not None and power and engine.sign(node.base, domain) != (1, True):
        return []  # 0^y = 0 is not above 0
    smaller = domain if region is None else domain.adding(region)
    logarithm = log_of_positive(engine, sympy.factor(other), smaller)
    if logarithm is None:
        logarithm = sympy.log(other)
    inner = node.args[0] if isinstance(node, sympy.exp) else node.exp * sympy.log(node.base)
    return [(direction * (inner - logarithm), "logarithms of both sides", region)]


def log_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """P - N >= 0 with P, N > 0 products: log P - log N >= 0."""
    combined = expr if expr.is_Add else sympy.powsimp(sympy.expand(expr))
    terms = sympy.Add.make_args(combined)
    if len(terms) < 2 or len(terms) > 8:
        return None
    groups: dict[int, list[sympy.Expr]] = {1: [], -1: []}
    for term in terms:
        sign, _ = engine.sign(term, domain)
        if sign not in (1, -1):
            return None
        groups[sign].append(sign * term)
    plus, minus = sympy.Add(*groups[1]), sympy.Add(*groups[-1])
    if not groups[1] or not groups[-1]:
        return None
    if not any(n.exp.free_symbols for n in combined.atoms(sympy.Pow, sympy.exp)):
        return None
    left = log_of_positive(engine, sympy.factor(minus), domain)
    right = log_of_positive(engine, sympy.factor(plus), domain)
    if left is None or right is None:
        return None
    statement = sympy.expand(right - left)
    if statement == expr or not engine.defined(statement, domain, depth + 1):
        return None
    proof = engine.prove(statement, strict, domain, depth)
    return proof.under(f"logarithms of both sides: {statement} >= 0") if proof else None


def exponential_tactic(
    engine: Engine,
    expr: sympy.Expr,
    strict: bool,
    domain: Domain,
    depth: int,
    late: bool = False,
) -> Proof | None:
    """Hyperbolic functions written by exponentials, below logarithms before anything else."""
    if len(expr.free_symbols) < 2 or not expr.has(sympy.sinh, sympy.cosh, sympy.tanh):
        return None
    mixed = any(n.has(sympy.sinh, sympy.cosh, sympy.tanh) for n in expr.atoms(sympy.log))
    if mixed == late:
        return None
    opened = {
        node: node.rewrite(sympy.exp) for node in expr.atoms(sympy.sinh, sympy.cosh, sympy.tanh)
    }
    statement = sympy.expand(expr.xreplace(opened), power_exp=False)
    proof = engine.prove(statement, strict, domain, depth)
    return proof.under(f"by exponentials: {statement} >= 0") if proof else None


def homogeneous_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """f(s x) = s^k f(x) on a cone: put one positive variable to 1."""
    scale = sympy.Dummy("s", positive=True)
    symbols = [v for v in domain.variables if v.is_positive and expr.has(v)]
    for group in _groups(symbols):
        mapping = {v: scale * v for v in group}
        if not all(
            _scales(c.expr, mapping, scale) is not None
            for c in domain.constraints
            if c.expr.free_symbols & set(group)
        ):
            continue
        degree = _scales(expr, mapping, scale)
        if degree is None:
            continue
        chosen = group[-1]
        one = {chosen: sympy.Integer(1)}
        smaller = Domain(
            tuple(v for v in domain.variables if v != chosen),
            tuple(c for c in domain.subs(one) if c.expr.free_symbols),
            domain.integers - {chosen},
        )
        proof = engine.prove(expr.subs(one), strict, smaller, depth)
        if proof is not None:
            names = ", ".join(map(str, group))
            return proof.under(f"homogeneous of degree {degree} in {names}: {chosen} = 1")
        return None
    return None


def substitution_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """Fewer variables: a^e with log(a) = log(u)/e as one variable u > 0, or a product x y = u."""
    positive = [v for v in domain.variables if v.is_positive and expr.has(v)]
    name = "u_"
    while any(v.name == name for v in domain.variables):
        name += "_"
    fresh = sympy.Symbol(name, positive=True)
    for replaced, form in _substituted(engine, expr, positive, fresh, domain):
        engine.clock.check()
        kept = form.free_symbols
        if len(kept) >= len(expr.free_symbols) or fresh not in kept:
            continue
        smaller = Domain(
            (*(v for v in domain.variables if v in kept), fresh),
            (
                *(c for c in domain.constraints if c.expr.free_symbols <= kept),
                Constraint(fresh, True),
            ),
            domain.integers & kept,
        )
        if not engine.defined(form, smaller, depth + 1):
            continue
        proof = engine.prove(form, strict, smaller, depth)
        if proof is not None:
            return proof.under(f"with {fresh} = {replaced} > 0: {form} >= 0")
    return None


def _substituted(
    engine: Engine,
    expr: sympy.Expr,
    positive: list[sympy.Symbol],
    fresh: sympy.Symbol,
    domain: Domain,
) -> Iterator[tuple[sympy.Expr, sympy.Expr]]:
    for node in sorted(expr.atoms(sympy.Pow), key=str):
        if node.base in positive and node.exp.free_symbols:
            sign, certain = engine.sign(node.exp, domain)
            if certain and sign in (1, -1):
                logs = {node: fresh, sympy.log(node.base): sympy.log(fresh) / node.exp}
                yield node, sympy.expand(sympy.expand(expr).xreplace(logs))
    for first, second in itertools.combinations(positive, 2):
        scaled = expr.subs({first: 2 * first, second: second / 2}, simultaneous=True)
        if not differs_from_zero(scaled - expr):
            form = sympy.powsimp(sympy.expand(expr.subs(first, fresh / second)))
            yield first * second, sympy.expand(sympy.expand_log(form))


def _groups(symbols: list[sympy.Symbol]) -> list[list[sympy.Symbol]]:
    groups = [symbols] if len(symbols) > 1 else []
    if len(symbols) > 2:
        for i, first in enumerate(symbols):
            for second in symbols[i + 1 :]:
                groups.append([first, second])
    return groups


def _scales(
    expr: sympy.Expr, mapping: dict[sympy.Symbol, sympy.Expr], scale: sympy.Symbol
) -> sympy.Expr | None:
    """The degree k with f(s x) = s^k f(x), None if there is none."""
    scaled = expr.subs(mapping, simultaneous=True)
    for degree in (0, 1, 2, 3, 4, sympy.Rational(1, 2), -1, -2):
        gap = scaled - scale**degree * expr
        if not differs_from_zero(gap) and is_formally_zero(
            sympy.expand(sympy.expand_log(sympy.expand_power_base(gap)))
        ):
            return sympy.sympify(degree)
    return None


def translation_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """f(x + c, y + c) = f(x, y): put one variable to 0."""
    symbols = [v for v in domain.variables if expr.has(v) and not domain.ends(v)[0]]
    symbols = [v for v in symbols if not domain.ends(v)[1]]
    if len(symbols) < 2 or any(c.expr.has(*symbols) for c in domain.constraints):
        return None
    shift = sympy.Dummy("c", real=True)
    moved = expr.subs({v: v + shift for v in symbols}, simultaneous=True)
    gap = moved - expr
    if differs_from_zero(gap):
        return None
    inner = sympy.expand(gap)
    for node in inner.atoms(sympy.log):
        argument = sympy.factor(sympy.expand(node.args[0], power_exp=True))
        inner = inner.xreplace({node: opened_log(argument)})
    if not is_formally_zero(sympy.expand(inner)):
        return None
    chosen = symbols[-1]
    smaller = domain.without(chosen)
    proof = engine.prove(expr.subs(chosen, 0), strict, smaller, depth)
    return proof.under(f"invariant under translation: {chosen} = 0") if proof else None


__all__ = [
    "Constraint",
    "early_isolate_tactic",
    "exponential_tactic",
    "homogeneous_tactic",
    "isolate_tactic",
    "log_of_positive",
    "log_tactic",
    "opened_log",
    "substitution_tactic",
    "translation_tactic",
]
