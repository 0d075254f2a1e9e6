"""Eliminating a variable: by the sign of a derivative, by convexity, from a point of contact.

For fixed other variables let f be differentiable in y on an interval with ends L < U.
* f_y >= 0 and f(L) >= 0 give f >= 0, likewise from the upper end;
* (y - c) f_y >= 0 and f(c) >= 0 give f >= 0, for a c between the ends that may depend on the
  other variables;
* f_yy >= 0, f_y(c) = 0 and f(c) >= 0 give f >= 0;
* f_yy <= 0, f(L) >= 0 and f(U) >= 0 give f >= 0.
Constraints that are concave in y leave an interval too; c, L and U must then satisfy them.
f may first be divided by a positive factor (the coefficient of a logarithm, an exponential), so
that differentiation removes a transcendental term.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from majorant.proofs.claims.conditions import conditions_of
from majorant.proofs.provers.algebra import factored
from majorant.proofs.provers.domain import Bound, Constraint, Domain, slope_in
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.exact import is_formally_zero
from majorant.proofs.provers.outcome import Proof
from majorant.proofs.provers.stationary import stationary_points

_MAX_OPERATIONS = 160
_ROUGH = (sympy.Abs, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling, sympy.sign)


def derivative_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """Try every variable, undivided first."""
    if expr.has(*_ROUGH) or sympy.count_ops(expr) > _MAX_OPERATIONS:
        return None
    symbols = [v for v in domain.variables if expr.has(v) and _convex_range(engine, domain, v)]
    for divided in (False, True) if engine.limit - depth > 1 else (False,):
        for variable in symbols:
            ends = _ends(engine, domain, variable)
            if ends is None:
                continue
            forms = _divided(engine, expr, variable, domain) if divided else [(expr, "")]
            for form, note in forms:
                engine.clock.check()
                proof = _in_variable(engine, form, strict, domain, variable, ends, depth)
                if proof is not None:
                    return proof.under(note) if note else proof
    return None


def _bent(domain: Domain, variable: sympy.Symbol) -> list[Constraint]:
    """The constraints that are not linear in a variable with a constant slope."""
    return [
        c
        for c in domain.constraints
        if c.expr.has(variable) and slope_in(c.expr, variable) is None
    ]


def _convex_range(engine: Engine, domain: Domain, variable: sympy.Symbol) -> bool:
    """Whether the others leave an interval to the variable."""
    bent = _bent(domain, variable)
    # concave also outside of the domain: else two pieces of it could be far apart
    around = Domain(
        domain.variables,
        tuple(c for c in domain.constraints if c not in bent),
        domain.integers,
    )
    for constraint in bent:
        second = sympy.diff(constraint.expr, variable, 2)
        if second.has(sympy.Derivative, sympy.DiracDelta):
            return False
        if not engine.defined(constraint.expr, around, 3) or not engine.defined(second, around, 3):
            return False
        if second != 0 and engine.sign(second, around)[0] not in (-1, 0):
            return False
    return True


def _ends(
    engine: Engine, domain: Domain, variable: sympy.Symbol
) -> tuple[Bound | None, Bound | None] | None:
    """The one binding lower and upper end; None if it is not clear which one binds."""
    found: list[Bound | None] = []
    rest = domain.without(variable)
    for bounds, direction in zip(domain.ends(variable), (1, -1), strict=True):
        best: Bound | None = None
        for bound in bounds:
            if best is None:
                best = bound
                continue
            gap = direction * (bound.value - best.value)
            sign, _ = engine.sign(gap, rest)
            if sign is None:
                return None
            if sign > 0 or (sign == 0 and bound.strict):
                best = bound
        found.append(best)
    return found[0], found[1]


def _divided(
    engine: Engine, expr: sympy.Expr, variable: sympy.Symbol, domain: Domain
) -> Iterator[tuple[sympy.Expr, str]]:
    """The expression divided by positive factors that simplify its derivative."""
    seen: set[sympy.Expr] = set()
    expanded = sympy.expand(expr)
    logs = [n for n in expanded.atoms(sympy.log) if n.has(variable)]
    divisors: list[sympy.Expr] = []
    for node in logs:
        divisors.append(sympy.factor(expanded.coeff(node, 1)))
    for term in sympy.Add.make_args(expanded):
        for factor in sympy.Mul.make_args(term):
            if factor.has(variable) and isinstance(factor, sympy.exp | sympy.Pow):
                divisors.append(factor)
    for divisor in divisors:
        if not divisor.has(variable) or divisor in seen or sympy.count_ops(divisor) > 40:
            continue
        seen.add(divisor)
        sign, certain = engine.sign(divisor, domain)
        if not certain or sign not in (1, -1):
            continue
        quotient = sympy.expand(sign * expr / divisor) if sign > 0 else None
        if quotient is None:
            quotient = sympy.expand(expr / (-divisor))
        if isinstance(divisor, sympy.exp):
            quotient = sympy.powsimp(quotient)
        if sympy.count_ops(quotient) <= _MAX_OPERATIONS:
            yield sympy.Add(*map(_light, sympy.Add.make_args(quotient))), f"divided by {divisor}"


def _light(term: sympy.Expr) -> sympy.Expr:
    return sympy.factor_terms(sympy.cancel(term)) if term.is_rational_function() else term


def _in_variable(
    engine: Engine,
    expr: sympy.Expr,
    strict: bool,
    domain: Domain,
    variable: sympy.Symbol,
    ends: tuple[Bound | None, Bound | None],
    depth: int,
) -> Proof | None:
    interior = domain.opened(variable)
    slope = sympy.diff(expr, variable)
    if slope.has(sympy.Derivative, sympy.Subs) or not engine.defined(slope, interior, depth + 1):
        return None
    parts = factored(slope)
    tidy = sympy.Mul(*(b**e for b, e in parts))
    proof = _from_contact(engine, expr, parts, strict, domain, interior, variable, ends, depth)
    if proof is not None:
        return proof
    bases: list[Proof] = []
    for end, direction in ((ends[0], 1), (ends[1], -1)):
        if end is None or not _satisfied(engine, end.value, variable, domain, depth):
            continue
        # at an excluded end f = 0 is enough for a strict goal if the slope is strict
        open_end = strict and end.strict
        base = _at_end(engine, expr, variable, end, domain, strict and not open_end, depth)
        if base is None:
            continue
        steep = engine.prove(direction * tidy, open_end, interior, depth + 1)
        if steep is not None:
            return _joined(
                f"{'increases' if direction > 0 else 'decreases'} in {variable}, "
                f"compare at {variable} = {end.value}: {expr}",
                steep,
                base,
            )
        if not open_end:
            bases.append(base)
    if len(bases) == 2:
        return _concave(engine, expr, slope, variable, interior, bases, depth)
    return None


def _concave(
    engine: Engine,
    expr: sympy.Expr,
    slope: sympy.Expr,
    variable: sympy.Symbol,
    interior: Domain,
    bases: list[Proof],
    depth: int,
) -> Proof | None:
    curvature = sympy.diff(slope, variable)
    if not engine.defined(curvature, interior, depth + 1):
        return None
    tidy = sympy.Mul(*(b**e for b, e in factored(-curvature)))
    bend = engine.prove(tidy, False, interior, depth + 1)
    if bend is None:
        return None
    both = Proof("monotone", (*bases[0].lines, *bases[1].lines))
    return _joined(f"concave in {variable}, compare at both ends: {expr}", bend, both)


def _satisfied(
    engine: Engine, point: sympy.Expr, variable: sympy.Symbol, domain: Domain, depth: int
) -> bool:
    """Whether a value of a variable meets the constraints that are not linear in it."""
    rest = domain.without(variable)
    mapping = {variable: point}
    for constraint in _bent(domain, variable):
        value = constraint.expr.subs(mapping)
        if engine.prove(value, constraint.strict, rest, max(depth + 1, 3)) is None:
            return False
    return True


def _from_contact(
    engine: Engine,
    expr: sympy.Expr,
    parts: list[tuple[sympy.Expr, int]],
    strict: bool,
    domain: Domain,
    interior: Domain,
    variable: sympy.Symbol,
    ends: tuple[Bound | None, Bound | None],
    depth: int,
) -> Proof | None:
    """A zero c of the slope: f(c) >= 0 and (y - c) f_y >= 0, or f convex."""
    slope = sympy.Mul(*(b**e for b, e in parts))
    for point in stationary_points(parts, variable, domain):
        engine.clock.check()
        rest = _between(engine, point, variable, domain, ends, depth)
        if rest is None:
            continue
        value = _value_at(engine, expr, variable, point, rest, strict, depth)
        if value is None:
            continue
        cofactor = _cofactor(parts, variable, point)
        if cofactor is not None:
            steep = engine.prove(cofactor, False, interior, depth + 1)
            if steep is not None:
                return _joined(
                    f"slope in {variable} has the sign of {variable} - ({point}): {expr}",
                    steep,
                    value,
                )
        curvature = sympy.diff(slope, variable)
        flat = is_formally_zero(slope.subs(variable, point))
        if flat and engine.defined(curvature, interior, depth + 1):
            parts_of = factored(curvature)
            convex = engine.prove(
                sympy.Mul(*(b**e for b, e in parts_of)), False, interior, depth + 1
            )
            if convex is not None:
                return _joined(
                    f"convex in {variable} with slope 0 at {variable} = {point}: {expr}",
                    convex,
                    value,
                )
        split = _two_sides(engine, slope, variable, point, interior, depth)
        if split is not None:
            return _joined(
                f"slope in {variable} changes its sign at {variable} = {point}: {expr}",
                split,
                value,
            )
    return None


def _two_sides(
    engine: Engine,
    slope: sympy.Expr,
    variable: sympy.Symbol,
    point: sympy.Expr,
    interior: Domain,
    depth: int,
) -> Proof | None:
    if slope.free_symbols == {variable}:
        return None
    lines: list[str] = []
    for direction in (1, -1):
        side = interior.adding(Constraint(direction * (variable - point), True))
        proof = engine.prove(direction * slope, False, side, depth + 2)
        if proof is None:
            return None
        lines += proof.lines
    return Proof("monotone", tuple(lines))


def _cofactor(
    parts: list[tuple[sympy.Expr, int]], variable: sympy.Symbol, point: sympy.Expr
) -> sympy.Expr | None:
    """The slope divided by (y - c), if that is visible in its factors."""
    others: list[sympy.Expr] = []
    sign = None
    for base, exponent in parts:
        ratio = sympy.cancel(base / (variable - point)) if base.is_polynomial(variable) else None
        if sign is None and exponent % 2 == 1 and ratio is not None and not ratio.has(variable):
            sign = ratio
            others.append(base ** (exponent - 1) * ratio)
        else:
            others.append(base**exponent)
    return sympy.Mul(*others) if sign is not None else None


def _between(
    engine: Engine,
    point: sympy.Expr,
    variable: sympy.Symbol,
    domain: Domain,
    ends: tuple[Bound | None, Bound | None],
    depth: int,
) -> Domain | None:
    """The domain of the other variables if the point surely lies between the ends."""
    rest = domain.without(variable)
    # a root of a negative number is no point, and real algebra would prove anything about it
    if not engine.defined(point, rest, depth + 1):
        return None
    if not _satisfied(engine, point, variable, domain, depth):
        return None
    for end, direction in ((ends[0], 1), (ends[1], -1)):
        if end is None:
            continue
        gap = direction * (point - end.value)
        if gap == 0:
            continue
        sign, _ = engine.sign(gap, rest)
        if sign not in (0, 1):
            if engine.prove(gap, False, rest, max(depth + 1, 3)) is None:
                return None
    return rest


def _value_at(
    engine: Engine,
    expr: sympy.Expr,
    variable: sympy.Symbol,
    point: sympy.Expr,
    rest: Domain,
    strict: bool,
    depth: int,
) -> Proof | None:
    mapping: dict[sympy.Expr, sympy.Expr] = {variable: point}
    for condition in conditions_of(expr):
        if not engine.holds(condition.subs(mapping), rest, depth + 1):
            return None
    value = expr.subs(variable, point)
    if value.has(sympy.nan, sympy.zoo, sympy.oo):
        return None
    if is_formally_zero(value):
        if strict:
            return None
        return Proof("algebra", (f"value at {variable} = {point} is 0",))
    return engine.prove(value, strict, rest, depth + 1)


def _at_end(
    engine: Engine,
    expr: sympy.Expr,
    variable: sympy.Symbol,
    end: Bound,
    domain: Domain,
    strict: bool,
    depth: int,
) -> Proof | None:
    """f >= 0 (or > 0) at an end."""
    rest = domain.without(variable)
    return _value_at(engine, expr, variable, end.value, rest, strict, depth)


def _joined(line: str, slope: Proof, value: Proof) -> Proof:
    inner = ("slope:", *("  " + r for r in slope.lines), "value:", *("  " + r for r in value.lines))
    return Proof("monotone", (line, *("  " + r for r in inner)))
