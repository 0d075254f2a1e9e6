"""Every expression that ships, in all three evaluators, at points of its own domain.

A torch kernel in float64 lies within the larger of 1e-12 (relative; for logarithms 1e-12 times
max(1, |log|)) and 16 radii of the 53-bit ball; mpmath with more digits than the ball lies in it.
"""

from __future__ import annotations

import math

import pytest
import sympy as sp
import torch
from flint import arb
from sympy.core.function import AppliedUndef

from majorant.derivation.functions import Statement
from majorant.derivation.monotonicity import sign_of
from majorant.derivation.shipped import shipped_bounds, shipped_lemmas
from majorant.numerics.lowering import ball_function, log_form, mpmath_function, torch_kernel
from majorant.numerics.lowering.arguments import arguments_of
from majorant.numerics.lowering.samples import Sampler

DRAWS = 3
# Its families of ranks, knots and shapes hang together in ways that points drawn one by one miss;
# tests/proofs/checker evaluates it on certificates, in every evaluator.
ON_CERTIFICATES = {"envelope-staircase"}


def expressions() -> dict[str, tuple[sp.Expr, tuple[sp.Basic, ...]]]:
    """Every side of every lemma and every bound that has a formula."""
    found = {}
    for lemma in shipped_lemmas():
        for side, expr in (("rhs", lemma.rhs), ("lhs", lemma.lhs)):
            if has_formula(expr):
                found[f"{lemma.id}.{side}"] = (expr, lemma.hypotheses)
    for bound in shipped_bounds():
        found[bound.name] = (bound.expression, bound.hypotheses)
    return found


def has_formula(expr: sp.Basic) -> bool:
    """Not an opaque name, a formal series or a condition."""
    opaque = expr.has(Statement, AppliedUndef, sp.Derivative, sp.Integral)
    return isinstance(expr, sp.Expr) and not opaque


SHIPPED = expressions()


def tensors(values: tuple[object, ...]) -> list[object]:
    return [
        torch.tensor(value, dtype=torch.float64) if isinstance(value, list) else value
        for value in values
    ]


def agrees(found: float, ball: arb, logarithm: bool = False) -> bool:
    """The float lies within 1e-12 or 16 radii of the 53-bit ball."""
    middle = float(ball.mid())
    scale = max(1.0, abs(middle)) if logarithm else abs(middle)
    return abs(found - middle) <= max(1e-12 * scale, 16 * float(ball.rad()))


@pytest.mark.parametrize("name", sorted(SHIPPED.keys() - ON_CERTIFICATES))
def test_three_evaluators_agree(name: str) -> None:
    expr, hypotheses = SHIPPED[name]
    sampler, args = Sampler(expr, hypotheses), arguments_of(expr)
    kernel = torch_kernel(expr, args)
    coarse, fine = ball_function(expr, args, 53), ball_function(expr, args, 110)
    digits = mpmath_function(expr, args, 45)
    compared = 0
    for seed in range(DRAWS):
        point = sampler.point(seed)
        values = point.at(args)
        ball, value = fine(*values), digits(*values)
        assert not ball.is_nan(), f"undefined at {point}"
        assert ball.contains(arb(value)), f"{ball} does not contain {value} at {point}"
        rough = coarse(*values)
        assert rough.overlaps(ball)
        found = kernel(*tensors(values)).item()
        if rough.is_finite() and abs(float(rough.mid())) < 1e300:
            assert agrees(found, rough), f"{found} is not near {rough} at {point}"
            compared += 1
    assert compared


POSITIVE = [
    name for name, (expr, hypotheses) in sorted(SHIPPED.items())
    if sign_of(expr, hypotheses) in ("positive", "nonnegative") and not expr.is_number
]


@pytest.mark.parametrize("name", POSITIVE)
def test_log_forms_agree_with_the_logarithm(name: str) -> None:
    expr, hypotheses = SHIPPED[name]
    form = log_form(expr, hypotheses)
    sampler, args = Sampler(expr, hypotheses), arguments_of(expr)
    kernel = torch_kernel(form, args)
    coarse, exact = ball_function(form, args, 53), ball_function(expr, args, 200)
    for seed in range(DRAWS):
        values = sampler.point(seed).at(args)
        rough, ball = coarse(*values), exact(*values)
        found = kernel(*tensors(values)).item()
        if ball == 0:
            assert found == -math.inf
        elif ball > 0 and rough.is_finite():
            assert rough.overlaps(ball.log())
            assert agrees(found, rough, logarithm=True), f"{found} is not near {rough}"
