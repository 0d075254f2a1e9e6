"""Exact rewriting: common denominators, factors of known sign, squares, order of powers."""

from __future__ import annotations

import sympy

from majorant.proofs.provers.domain import Constraint, Domain, expand_outside
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.outcome import Proof

_MAX_FACTOR = 220


def factored(expr: sympy.Expr) -> list[tuple[sympy.Expr, int]]:
    """The factors of an expression over a common denominator, negative exponents below.

    Transcendental terms are treated as independent variables, which keeps it an identity.

    >>> x = sympy.Symbol("x", positive=True)
    >>> factored(1 / x - 1 / x**2)
    [(x, -2), (x - 1, 1)]
    """
    if sympy.count_ops(expr) > _MAX_FACTOR:
        return [(expr, 1)]
    top, bottom = sympy.fraction(sympy.together(sympy.powsimp(expr), deep=False))
    parts: list[tuple[sympy.Expr, int]] = []
    for side, direction in ((top, 1), (bottom, -1)):
        product = sympy.factor(side) if sympy.count_ops(side) <= _MAX_FACTOR else side
        for factor in sympy.Mul.make_args(product):
            base, exponent = factor.as_base_exp()
            if exponent.is_Integer and base is not sympy.E:
                parts.append((base, int(exponent) * direction))
            else:
                parts.append((factor, direction))
    return sorted(parts, key=lambda part: (part[1], str(part[0])))


def factor_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """f = g_1^a_1 ... g_k^a_k: factors of known sign and even powers are dropped."""
    parts = factored(expr)
    if len(parts) == 1 and parts[0][1] == 1 and parts[0][0] == expr:
        return None
    sign, rest, dropped = 1, [], []
    for base, exponent in parts:
        known, certain = engine.sign(base, domain)
        if known == 0:
            return None
        if exponent % 2 == 0 and (certain or exponent < 0 or not strict):
            dropped.append(base**exponent)
            continue
        if known is not None and (certain or exponent < 0 or not strict):
            sign *= known
            dropped.append(base**exponent)
            continue
        rest.append(base ** abs(exponent) if exponent % 2 == 0 else base)
    remaining = sign * sympy.Mul(*rest)
    if remaining == expr or sympy.expand(remaining - expr) == 0:
        return None
    if len(rest) > 1:
        return _split_signs(engine, sign, rest, strict, domain, depth, dropped)
    proof = engine.prove(remaining, strict, domain, depth + (0 if dropped else 1))
    if proof is None:
        return None
    removed = ", ".join(map(str, dropped)) or "nothing"
    return proof.under(f"{expr} has the sign of {remaining} (dropped: {removed})")


def _split_signs(
    engine: Engine,
    sign: int,
    rest: list[sympy.Expr],
    strict: bool,
    domain: Domain,
    depth: int,
    dropped: list[sympy.Expr],
) -> Proof | None:
    """A product of factors of open sign: each of them must be shown to have one."""
    lines: list[str] = []
    for factor in rest:
        for direction in (1, -1):
            proof = engine.prove(direction * factor, strict, domain, depth + 1)
            if proof is not None:
                sign *= direction
                lines += [f"{direction * factor} >= 0", *("  " + line for line in proof.lines)]
                break
        else:
            return None
    if sign < 0:
        return None
    return Proof("algebra", ("product of factors of known sign", *lines))


def split_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """Abs, Max and Min: one goal for each case of their arguments."""
    nodes = sorted(expr.atoms(sympy.Abs, sympy.Max, sympy.Min), key=sympy.count_ops)
    for node in nodes[:1]:
        if isinstance(node, sympy.Abs):
            u = node.args[0]
            cases = [(u, Constraint(u, False)), (-u, Constraint(-u, False))]
        else:
            first, rest = node.args[0], node.func(*node.args[1:])
            gap = first - rest if isinstance(node, sympy.Max) else rest - first
            cases = [(first, Constraint(gap, False)), (rest, Constraint(-gap, False))]
        lines: list[str] = []
        # -|u| = min(u, -u): where the term is the least of its cases, all of them are proved
        # on the whole domain, which keeps the domain simple
        mark = sympy.Dummy("node")
        slope = expr.xreplace({node: mark}).coeff(mark, 1)
        linear = sympy.expand(expr.xreplace({node: mark}) - slope * mark, deep=False)
        direction, _ = (None, False) if linear.has(mark) else engine.sign(slope, domain)
        least = direction == (1 if isinstance(node, sympy.Min) else -1)
        for value, constraint in cases:
            smaller = domain
            if not least:
                smaller = domain.adding(Constraint(expand_outside(constraint.expr), False))
            proof = engine.prove(expr.xreplace({node: value}), strict, smaller, depth + 1)
            if proof is None:
                return None
            said = f"{node} against {value}" if least else f"case {constraint}: {node} = {value}"
            lines.append(said)
            lines += ["  " + line for line in proof.lines]
        return Proof("algebra", tuple(lines))
    return None


#: |g| <= bound everywhere, and whether the bound is attained.
_BOUNDED: dict[type[sympy.Expr], tuple[sympy.Expr, bool]] = {
    sympy.sin: (sympy.Integer(1), True),
    sympy.cos: (sympy.Integer(1), True),
    sympy.tanh: (sympy.Integer(1), False),
    sympy.erf: (sympy.Integer(1), False),
    sympy.atan: (sympy.pi / 2, False),
}


def range_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    """f = a g + rest with a bounded function g and a of known sign: g at the end of its range."""
    worst, open_end = expr, False
    for node in sorted(expr.atoms(*_BOUNDED), key=str):
        mark = sympy.Dummy("node")
        marked = sympy.expand(worst.xreplace({node: mark}), deep=False)
        slope = marked.coeff(mark, 1)
        if slope == 0 or sympy.expand(marked - slope * mark, deep=False).has(mark):
            continue
        sign, certain = engine.sign(slope, domain)
        if sign not in (1, -1):
            continue
        bound, attained = _BOUNDED[type(node)]
        worst = marked.xreplace({mark: -sign * bound})
        open_end |= certain and not attained
    if worst == expr:
        return None
    proof = engine.prove(worst, strict and not open_end, domain, depth + 1)
    return proof.under(f"bounded functions at the ends of their ranges: {worst}") if proof else None
