"""Claims `f is increasing in x`: the sign of the derivative, or two points in the wrong order."""

from __future__ import annotations

import time

import sympy

from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.hypothesis import Hypothesis
from majorant.proofs.claims.verdict import Verdict, Witness
from majorant.proofs.provers.algebra import factored
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.falsifier import falsify
from majorant.proofs.provers.outcome import Proof
from majorant.proofs.provers.problem import Problem, problems_of

_DIRECTIONS = {"increasing": (1,), "decreasing": (-1,), "monotone": (1, -1)}
_ROUGH = (sympy.Abs, sympy.Max, sympy.Min, sympy.sign)


def ordered_claim(claim: Claim, direction: int) -> Claim:
    """`f(x) <= f(x + step)` for every positive step that stays in the domain."""
    variable = claim.rhs
    later = sympy.Symbol(f"{variable}_later", real=True)
    mapping: dict[sympy.Expr, sympy.Expr] = {variable: later}
    moved = claim.lhs.subs(mapping)
    left, right = (claim.lhs, moved) if direction > 0 else (moved, claim.lhs)
    again = [h.subs(mapping) for h in claim.hypotheses if variable in h.symbols]
    return Claim(
        left,
        "<=",
        right,
        (*claim.hypotheses, *again, Hypothesis(later, ">", variable)),
        (*claim.conditions, *(c.subs(mapping) for c in claim.conditions)),
        claim.given_conditions,
    )


def prove_monotone(claim: Claim, problems: list[Problem], engine: Engine) -> Verdict:
    """Prove a claim about monotonicity by the sign of the derivative on the open domain."""
    for direction in _DIRECTIONS[claim.relation]:
        lines: list[str] = []
        for problem in problems:
            proof = _slope(claim, problem, engine, direction)
            if proof is None:
                break
            lines += proof.lines
        else:
            if len(problems) == 1:
                word = "increasing" if direction > 0 else "decreasing"
                return Verdict(
                    "proved",
                    by="monotone",
                    certificate=(f"{word} in {claim.rhs}: the slope has one sign", *lines),
                )
    if len(problems) > 1:
        return Verdict("unknown", reason="the domain is not one interval in the variable")
    return Verdict("unknown", reason="the sign of the slope was not settled")


def _slope(claim: Claim, problem: Problem, engine: Engine, direction: int) -> Proof | None:
    variable = problem.restore[claim.rhs]
    expr = problem.left
    if variable not in problem.domain.variables or expr.has(sympy.floor, sympy.ceiling):
        return None
    if not problem.domain.only_linear_in(variable):
        return None
    interior = problem.domain.opened(variable)
    if expr.has(*_ROUGH):
        return _by_cases(expr, variable, engine, problem, direction)
    slope = sympy.diff(expr, variable)
    if not engine.defined(slope, interior, 1):
        return None
    tidy = sympy.Mul(*(b**e for b, e in factored(slope)))
    return engine.deepen(direction * tidy, False, interior)


def _by_cases(
    expr: sympy.Expr,
    variable: sympy.Symbol,
    engine: Engine,
    problem: Problem,
    direction: int,
) -> Proof | None:
    """Kinks: the order of two values is proved directly."""
    later = sympy.Symbol(f"{variable}_later", real=True)
    from majorant.proofs.provers.domain import Constraint, Domain

    mapping = {variable: later}
    domain = Domain(
        (*problem.domain.variables, later),
        (
            *problem.domain.constraints,
            *problem.domain.subs(dict(mapping)),
            Constraint(later - variable, True),
        ),
        problem.domain.integers,
    )
    return engine.deepen(direction * (expr.subs(mapping) - expr), False, domain)


def refute_monotone(claim: Claim, deadline: float) -> Witness | None:
    """Two points in the wrong order (for `monotone`: both orders are violated)."""
    directions = _DIRECTIONS[claim.relation]
    witness = None
    for direction in directions:
        ordered = ordered_claim(claim, direction)
        share = time.monotonic() + (deadline - time.monotonic()) / len(directions)
        witness = falsify(ordered, problems_of(ordered), share)
        if witness is None:
            return None
    return witness
