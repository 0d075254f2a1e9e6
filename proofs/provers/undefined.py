"""What must be settled before a claim is proved: it is defined, and its hypotheses can hold."""

from __future__ import annotations

import sympy

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.conditions import Condition
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.falsifier import Falsifier
from majorant.proofs.provers.outcome import Clock
from majorant.proofs.provers.polynomial_z3 import prove_polynomial
from majorant.proofs.provers.problem import Problem


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
        prove_polynomial(minus, False, p.domain, clock.part(1.0)) is not None
        or _empty(p)
        for p in problems
    ):
        return f"the hypotheses cannot hold together ({said}): the claim is vacuous"
    return f"no point was found at which the hypotheses certainly hold ({said})"


def _empty(problem: Problem) -> bool:
    from majorant.proofs.provers.exact import sign_of_constant

    for constraint in problem.domain.constraints:
        if constraint.expr.is_number:
            sign = sign_of_constant(constraint.expr)
            if sign == -1 or (sign == 0 and constraint.strict):
                return True
    return False


def undefined_reason(claim: Claim, problems: list[Problem], engine: Engine) -> str | None:
    """The hypothesis that is missing, None if everything is defined on the domain."""
    if claim.lhs.has(sympy.nan, sympy.zoo, sympy.oo) or claim.rhs.has(
        sympy.nan, sympy.zoo, sympy.oo
    ):
        conditions = [c for c in claim.conditions if _fails_everywhere(c)]
        named = conditions[0].subject if conditions else "a part of the claim"
        return f"{named} is undefined"
    for problem in problems:
        for number, condition in enumerate(problem.conditions):
            if engine.holds(condition, problem.domain, 1):
                continue
            original = claim.conditions[number]
            return (
                f"{original.subject} may be undefined: add a hypothesis that gives "
                f"{original.needed()}"
            )
    return None


def _fails_everywhere(condition: Condition) -> bool:
    return all(
        any(kind == "nonzero" and expr == 0 for kind, expr in alternative)
        for alternative in condition.alternatives
    )
