"""A claim made ready for proving: equalities solved, cases split, signs of variables known.

A claim becomes a list of problems, one for each case (`x != 0` gives two, `x^2 > 1` too); it holds
if all of them do.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import sympy

from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.conditions import Condition
from majorant.proofs.claims.hypothesis import Hypothesis
from majorant.proofs.provers.domain import Constraint, Domain, slope_in
from majorant.proofs.provers.exact import sign_of_constant

MAX_CASES = 8
Case = list[Constraint]


@dataclass(frozen=True)
class Problem:
    """`left <= right` (or `<`, `=`) on a domain.

    `restore` gives each variable of the claim as an expression in the problem's variables, and
    `unsolved` lists equalities between variables that could not be eliminated.
    """

    left: sympy.Expr
    right: sympy.Expr
    strict: bool
    equality: bool
    domain: Domain
    conditions: tuple[Condition, ...]
    restore: dict[sympy.Symbol, sympy.Expr]
    unsolved: tuple[sympy.Expr, ...] = ()

    @property
    def gap(self) -> sympy.Expr:
        """What must be non-negative (positive, zero)."""
        return self.right - self.left


def problems_of(claim: Claim) -> list[Problem]:
    """All cases of a claim that is no statement about monotonicity.

    >>> from majorant.proofs.claims import parse_claim
    >>> [str(p.domain) for p in problems_of(parse_claim("x^2 > 0", "x != 0"))]
    ['x > 0', '-x > 0']
    """
    left, right = claim.lhs, claim.rhs
    if claim.relation in (">", ">="):
        left, right = right, left
    equalities = [h.left - h.right for h in claim.hypotheses if h.relation == "="]
    solved, unsolved = _eliminate(equalities, claim)
    cases: list[list[Case]] = []
    for hypothesis in claim.hypotheses:
        if hypothesis.relation not in ("=", "integer"):
            cases.append(_cases(hypothesis.subs(dict(solved)), claim))
    for condition in claim.given_conditions:
        extra = _implied(condition.subs(dict(solved)))
        if extra:
            cases.append([extra])
    variables = tuple(v for v in claim.variables if v not in dict(solved))
    found = []
    for combination in itertools.islice(itertools.product(*cases), MAX_CASES + 1):
        constraints = tuple(dict.fromkeys(c for case in combination for c in case))
        domain = Domain(variables, constraints, frozenset(claim.integers & set(variables)))
        found.append(_problem(claim, left, right, _tightened(domain), solved, unsolved))
    if len(found) > MAX_CASES:
        loose = Domain(variables, (), frozenset(claim.integers & set(variables)))
        return [_problem(claim, left, right, loose, solved, unsolved)]
    return found


def _problem(
    claim: Claim,
    left: sympy.Expr,
    right: sympy.Expr,
    domain: Domain,
    solved: list[tuple[sympy.Symbol, sympy.Expr]],
    unsolved: tuple[sympy.Expr, ...],
) -> Problem:
    renaming = _sharpened(domain)
    mapping = {**{s: e.xreplace(renaming) for s, e in solved}, **renaming}

    def carry(expr: sympy.Expr) -> sympy.Expr:
        return expr.subs(mapping) if solved else expr.xreplace(renaming)

    conditions = []
    for condition in claim.conditions:
        conditions.append(
            Condition(
                tuple(
                    tuple((kind, carry(expr)) for kind, expr in alternative)
                    for alternative in condition.alternatives
                ),
                condition.subject,
            )
        )
    return Problem(
        carry(left),
        carry(right),
        claim.relation in ("<", ">"),
        claim.relation == "=",
        Domain(
            tuple(renaming.get(v, v) for v in domain.variables),
            tuple(Constraint(c.expr.xreplace(renaming), c.strict) for c in domain.constraints),
            frozenset(renaming.get(v, v) for v in domain.integers),
        ),
        tuple(conditions),
        {v: carry(v) for v in claim.variables},
        tuple(e.xreplace(renaming) for e in unsolved),
    )


def _sharpened(domain: Domain) -> dict[sympy.Symbol, sympy.Symbol]:
    """Symbols that carry the sign that the constraints give them."""
    renaming = {}
    for variable in domain.variables:
        bound = domain.lower(variable)
        sign = None if bound is None else sign_of_constant(bound.value)
        if bound is None or sign is None or sign < 0:
            continue
        if sign > 0 or bound.strict:
            renaming[variable] = sympy.Symbol(variable.name, positive=True)
        else:
            renaming[variable] = sympy.Symbol(variable.name, nonnegative=True)
    return renaming


def _tightened(domain: Domain) -> Domain:
    """For integer variables, open ends move to the next integer."""
    extra = []
    for variable in domain.integers:
        low, high = domain.lower(variable), domain.upper(variable)
        if low is not None and low.value.is_Rational:
            least = sympy.floor(low.value) + 1 if low.strict else sympy.ceiling(low.value)
            extra.append(Constraint(variable - least, False))
        if high is not None and high.value.is_Rational:
            most = sympy.ceiling(high.value) - 1 if high.strict else sympy.floor(high.value)
            extra.append(Constraint(most - variable, False))
    return domain.adding(*extra) if extra else domain


def _eliminate(
    equalities: list[sympy.Expr], claim: Claim
) -> tuple[list[tuple[sympy.Symbol, sympy.Expr]], tuple[sympy.Expr, ...]]:
    """Solve equalities for variables that they contain linearly, one after the other."""
    solved: list[tuple[sympy.Symbol, sympy.Expr]] = []
    unsolved: list[sympy.Expr] = []
    for equality in equalities:
        current = sympy.numer(sympy.together(equality.subs(solved)))
        choice = _solve_one(sympy.expand(current), claim)
        if choice is None:
            if sympy.expand(current) != 0:
                unsolved.append(current)
            continue
        variable, value = choice
        solved = [(v, e.subs(variable, value)) for v, e in solved] + [(variable, value)]
    return solved, tuple(unsolved)


def _solve_one(
    equality: sympy.Expr, claim: Claim
) -> tuple[sympy.Symbol, sympy.Expr] | None:
    candidates = sorted(equality.free_symbols, key=str, reverse=True)
    for constant_slope in (True, False):
        for variable in candidates:
            if variable in claim.integers or not equality.is_polynomial(variable):
                continue
            poly = sympy.Poly(equality, variable)
            if poly.degree() != 1:
                continue
            slope, rest = poly.all_coeffs()
            if constant_slope and slope.is_number:
                return variable, sympy.expand(-rest / slope)
            if not constant_slope and _never_zero(slope, claim):
                return variable, sympy.cancel(-rest / slope)
    return None


def _never_zero(slope: sympy.Expr, claim: Claim) -> bool:
    """Whether the hypotheses that bound variables by constants keep a slope away from 0."""
    variables = tuple(slope.free_symbols)
    if len(variables) != 1 or slope_in(slope, variables[0]) is None:
        return False
    root = sympy.solve(slope, variables[0])
    constraints = []
    for hypothesis in claim.hypotheses:
        if hypothesis.relation not in ("=", "integer", "!="):
            constraints += [c for case in _cases(hypothesis, claim)[:1] for c in case]
    domain = Domain(variables, tuple(constraints))
    low, high = domain.lower(variables[0]), domain.upper(variables[0])
    for bound, direction in ((low, 1), (high, -1)):
        if bound is not None:
            sign = sign_of_constant(direction * (bound.value - root[0]))
            if sign == 1 or (sign == 0 and bound.strict):
                return True
    return False


def _implied(condition: Condition) -> Case:
    """Constraints under which a hypothesis is defined (what is not understood is dropped)."""
    if len(condition.alternatives) != 1:
        return []
    strict = {"positive": True, "nonnegative": False, "pole": True}
    return [
        Constraint(expr, strict[kind])
        for kind, expr in condition.alternatives[0]
        if kind in strict and kind != "pole" and not expr.is_number
    ]


def _cases(hypothesis: Hypothesis, claim: Claim) -> list[Case]:
    left, right = hypothesis.left, hypothesis.right
    if hypothesis.relation == "!=":
        gap = left - right
        return [[Constraint(gap, True)], [Constraint(-gap, True)]]
    if hypothesis.relation in (">", ">="):
        left, right = right, left
    strict = hypothesis.relation in ("<", ">")
    return _split(Constraint(sympy.expand(right - left), strict), 0)


def _split(constraint: Constraint, depth: int) -> list[Case]:
    """Alternatives that together say the same as the constraint."""
    expr, strict = constraint.expr, constraint.strict
    if depth > 3:
        return [[constraint]]
    for node in expr.atoms(sympy.Abs):
        inner = node.args[0]
        slope = expr.coeff(node, 1)
        if expr.has(node) and slope.is_number and not (expr - slope * node).has(node):
            plus = Constraint(sympy.expand(expr.xreplace({node: inner})), strict)
            minus = Constraint(sympy.expand(expr.xreplace({node: -inner})), strict)
            if slope.is_negative:
                return _both(_split(plus, depth + 1), _split(minus, depth + 1))
            return _split(plus, depth + 1) + _split(minus, depth + 1)
    symbols = expr.free_symbols
    if len(symbols) == 1 and expr.is_polynomial(*symbols):
        return _polynomial_cases(sympy.Poly(expr, *symbols), strict) or [[constraint]]
    return [[constraint]]


def _both(first: list[Case], second: list[Case]) -> list[Case]:
    return [a + b for a in first for b in second]


def _polynomial_cases(poly: sympy.Poly, strict: bool) -> list[Case] | None:
    """The intervals on which a polynomial in one variable is positive."""
    variable = poly.gens[0]
    if poly.degree() < 2 or not all(c.is_Rational for c in poly.all_coeffs()):
        return None
    if poly.degree() > 6:
        return None
    roots = sorted(set(sympy.real_roots(poly)), key=lambda r: r.evalf(30))
    if any(not (r.is_Rational or r.is_Pow or r.is_Add or r.is_Mul) for r in roots):
        return None
    cases: list[Case] = []
    ends = [None, *roots, None]
    for low, high in itertools.pairwise(ends):
        inside = _between(low, high)
        if poly.eval(inside) > 0:
            case = []
            if low is not None:
                case.append(Constraint(variable - low, strict))
            if high is not None:
                case.append(Constraint(high - variable, strict))
            cases.append(case)
    if not strict:
        positive = {str(b) for case in cases for b in case}
        for root in roots:
            alone = [Constraint(variable - root, False), Constraint(root - variable, False)]
            if not {str(c) for c in alone} & positive:
                cases.append(alone)
    return cases or [[Constraint(sympy.Integer(-1), False)]]


def _between(low: sympy.Expr | None, high: sympy.Expr | None) -> sympy.Rational:
    if low is None and high is None:
        return sympy.Integer(0)
    if low is None:
        return sympy.Integer(sympy.floor(high)) - 1
    if high is None:
        return sympy.Integer(sympy.floor(low)) + 1
    middle = ((low + high) / 2).evalf(40)
    inside = sympy.Rational(str(middle))
    if not low < inside < high:
        raise NotImplementedError("the roots lie too close together")
    return inside
