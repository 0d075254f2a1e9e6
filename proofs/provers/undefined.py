"""What must be settled before a claim is proved: it is defined, and its hypotheses can hold."""

from __future__ import annotations

import sympy

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.conditions import Condition
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.exact import sign_of_constant
from majorant.proofs.provers.falsifier import Falsifier
from majorant.proofs.provers.outcome import Clock
from majorant.proofs.provers.polynomial_z3 import prove_polynomial
from majorant.proofs.provers.problem import Problem
from majorant.proofs.provers.witness import Point, compare, feasible


def vacuous_reason(claim: Claim, problems: list[Problem], clock: Clock) -> str | None:
    """Why nothing may be concluded from the hypotheses; None if some point satisfies them.

    A claim under impossible hypotheses is never called proved.
    """
    if not claim.hypotheses:
        return None
    for problem in problems:
        clock.check()
        try:
            if Falsifier(claim, problem).feasible_point() is not None:
                return None
        except UnsupportedExpression:
            continue
    said = ", ".join(map(str, claim.hypotheses))
    minus = sympy.Integer(-1)
    if problems and all(
        _empty(p) or prove_polynomial(minus, False, p.domain, clock.part(1.0)) is not None
        for p in problems
    ):
        return f"the hypotheses cannot hold together ({said}): the claim is vacuous"
    return f"no point was found at which the hypotheses certainly hold ({said})"


def _empty(problem: Problem) -> bool:
    for constraint in problem.domain.constraints:
        if constraint.expr.is_number:
            sign = sign_of_constant(constraint.expr)
            if sign == -1 or (sign == 0 and constraint.strict):
                return True
    for variable in problem.domain.variables:
        low, high = problem.domain.lower(variable), problem.domain.upper(variable)
        if low is not None and high is not None:
            sign = sign_of_constant(high.value - low.value)
            if sign == -1 or (sign == 0 and (low.strict or high.strict)):
                return True
    return False


def undefined_reason(
    claim: Claim, problems: list[Problem], engine: Engine
) -> tuple[str, bool] | None:
    """The hypothesis that is missing, and whether something certainly is undefined in the domain.

    None if everything is proved to be defined.
    """
    if claim.lhs.has(sympy.nan, sympy.zoo, sympy.oo) or claim.rhs.has(
        sympy.nan, sympy.zoo, sympy.oo
    ):
        conditions = [c for c in claim.conditions if _fails_everywhere(c)]
        named = conditions[0].subject if conditions else "a part of the claim"
        return f"{named} is undefined", True
    for problem in problems:
        for number, condition in enumerate(problem.conditions):
            if engine.holds(condition, problem.domain, 1):
                continue
            original = claim.conditions[number]
            certain = certainly_undefined(claim, problem, original)
            word = "is undefined somewhere" if certain else "may be undefined"
            advice = f"add a hypothesis that gives {original.needed()}"
            return f"{original.subject} {word}: {advice}", certain
    return None


def certainly_undefined(claim: Claim, problem: Problem, condition: Condition) -> bool:
    """Whether a point of the domain certainly violates a condition (or, for `u != 0` on a box,
    u takes both signs)."""
    try:
        search = Falsifier(claim, problem)
    except UnsupportedExpression:
        return False
    signs: set[int | None] = set()
    nonzero = [a[0][1] for a in condition.alternatives if len(a) == 1 and a[0][0] == "nonzero"]
    for values in search.sample_points(60):
        if not feasible(claim, values):
            continue
        if all(
            any(_violated(kind, expr, values) for kind, expr in alternative)
            for alternative in condition.alternatives
        ):
            return True
        if nonzero and all(len(c.expr.free_symbols) == 1 for c in problem.domain.constraints):
            signs.add(compare(sympy.Integer(0), nonzero[0], values))
            if {1, -1} <= signs:
                return True
    return False


def _violated(kind: str, expr: sympy.Expr, values: Point) -> bool:
    zero, one = sympy.Integer(0), sympy.Integer(1)
    if kind == "unit":
        return compare(expr, one, values) == -1 or compare(-one, expr, values) == -1
    sign = compare(zero, expr, values)
    return sign in {
        "positive": (0, -1),
        "nonnegative": (-1,),
        "nonzero": (0,),
        "pole": (0, -1),
    }[kind]


def _fails_everywhere(condition: Condition) -> bool:
    return all(
        any(kind == "nonzero" and expr == 0 for kind, expr in alternative)
        for alternative in condition.alternatives
    )
