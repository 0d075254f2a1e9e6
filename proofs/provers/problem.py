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
from majorant.proofs.provers.domain import Constraint, Domain, expand_outside
from majorant.proofs.provers.elimination import Solution, solutions
from majorant.proofs.provers.exact import sign_of_constant

MAX_CASES = 8
Case = list[Constraint]


@dataclass(frozen=True)
class Problem:
    """`left <= right` (or `<`, `=`) on a domain.

    `restore` gives each variable of the claim as an expression in the problem's variables.
    """

    left: sympy.Expr
    right: sympy.Expr
    strict: bool
    equality: bool
    domain: Domain
    conditions: tuple[Condition, ...]
    restore: dict[sympy.Symbol, sympy.Expr]

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
    bounded = Domain(claim.variables, tuple(_certain(claim)))
    found = []
    for solution in solutions(claim, bounded):
        cases: list[list[Case]] = [[list(solution.constraints)]]
        for hypothesis in claim.hypotheses:
            if hypothesis.relation not in ("=", "integer"):
                cases.append(_cases(hypothesis.subs(solution.mapping)))
        for condition in claim.given_conditions:
            extra = _implied(condition.subs(solution.mapping))
            if extra:
                cases.append([extra])
        variables = tuple(v for v in claim.variables if v not in solution.mapping)
        integers = frozenset(claim.integers & set(variables))
        combinations = list(itertools.islice(itertools.product(*cases), MAX_CASES + 1))
        if len(combinations) > MAX_CASES:
            combinations = [tuple(case[0] for case in cases if len(case) == 1)]
        for combination in combinations:
            kept = dict.fromkeys(c for case in combination for c in case)
            domain = _tightened(Domain(variables, tuple(kept), integers))
            found.append(_problem(claim, left, right, domain, solution))
    return found


def _certain(claim: Claim) -> Case:
    """The constraints that hold in every case."""
    found: Case = []
    for hypothesis in claim.hypotheses:
        if hypothesis.relation not in ("=", "integer", "!="):
            alternatives = _cases(hypothesis)
            found += alternatives[0] if len(alternatives) == 1 else []
    for condition in claim.given_conditions:
        found += _implied(condition)
    return found


def _problem(
    claim: Claim,
    left: sympy.Expr,
    right: sympy.Expr,
    domain: Domain,
    solution: Solution,
) -> Problem:
    for equality in solution.unsolved:
        domain = domain.adding(Constraint(equality, False), Constraint(-equality, False))
    renaming = _sharpened(domain)
    solved = solution.solved
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
    )


def _sharpened(domain: Domain) -> dict[sympy.Symbol, sympy.Symbol]:
    """Symbols that carry the sign that the constraints give them, `x > y > 0` included."""
    renaming: dict[sympy.Symbol, sympy.Symbol] = {}
    for _ in domain.variables:
        before = len(renaming)
        for variable in domain.variables:
            if variable in renaming:
                continue
            lowers = [(b.value.xreplace(renaming), b.strict) for b in domain.ends(variable)[0]]
            if any(_sign(v) == 1 or (_sign(v) == 0 and strict) for v, strict in lowers):
                renaming[variable] = sympy.Symbol(variable.name, positive=True)
            elif any(v.is_nonnegative or _sign(v) == 0 for v, _ in lowers):
                renaming[variable] = sympy.Symbol(variable.name, nonnegative=True)
        if len(renaming) == before:
            break
    return renaming


def _sign(value: sympy.Expr) -> int | None:
    if value.is_number:
        return sign_of_constant(value)
    return 1 if value.is_positive else None


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


def _cases(hypothesis: Hypothesis) -> list[Case]:
    left, right = hypothesis.left, hypothesis.right
    if hypothesis.relation == "!=":
        gap = left - right
        return [[Constraint(gap, True)], [Constraint(-gap, True)]]
    if hypothesis.relation in (">", ">="):
        left, right = right, left
    strict = hypothesis.relation in ("<", ">")
    return _split(Constraint(expand_outside(right - left), strict), 0)


def _split(constraint: Constraint, depth: int) -> list[Case]:
    """Alternatives that together say the same as the constraint."""
    expr, strict = constraint.expr, constraint.strict
    if depth > 3:
        return [[constraint]]
    for node in expr.atoms(sympy.Abs):
        inner = node.args[0]
        slope = expr.coeff(node, 1)
        if expr.has(node) and slope.is_number and not (expr - slope * node).has(node):
            plus = Constraint(expand_outside(expr.xreplace({node: inner})), strict)
            minus = Constraint(expand_outside(expr.xreplace({node: -inner})), strict)
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
