"""The inverse relative entropy in all three evaluators."""

from __future__ import annotations

import pytest
import torch
from flint import arb, ctx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from majorant.derivation.functions import KLInverse
from majorant.derivation.symbols import c, p
from majorant.numerics.lowering import ball_function, mpmath_function, torch_kernel
from majorant.numerics.lowering.ball_operations import bernoulli_kl

BALLS = ball_function(KLInverse(p, c), [p, c], 128)
DIGITS = mpmath_function(KLInverse(p, c), [p, c], 60)
TORCH = torch_kernel(KLInverse(p, c), [p, c])

unit = st.one_of(
    st.floats(0, 1), st.floats(1e-12, 1e-3), st.sampled_from([0.0, 1.0, 0.5, 1e-300, 1 - 2**-53])
)
budgets = st.one_of(st.floats(1e-9, 1), st.floats(1, 100), st.sampled_from([0.0, 1e-30, 700.0]))


@settings(max_examples=60, deadline=None)
@example(1.5536188265907386e-25, 1e-30)
@example(1e-300, 1e-30)
@example(2.2250738585e-313, 1.0)
@given(unit, budgets)
def test_three_evaluators_agree(q: float, budget: float) -> None:
    ball = BALLS(q, budget)
    assert ball.is_finite() and ball.rel_accuracy_bits() > 60
    assert ball.contains(arb(DIGITS(q, budget)))
    value = TORCH(torch.tensor(q, dtype=torch.float64), budget).item()
    assert value == pytest.approx(float(ball.mid()), rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-6, 1 - 1e-6), st.floats(1e-6, 20))
def test_the_enclosure_brackets_the_root(q: float, budget: float) -> None:
    ball = BALLS(q, budget)
    with ctx.workprec(256):
        if ball.upper() < 1:
            assert bernoulli_kl(arb(q), ball.upper()) >= arb(budget)
        if ball.lower() > arb(q):
            assert bernoulli_kl(arb(q), ball.lower()) <= arb(budget)


@given(unit, unit, budgets, budgets)
@settings(max_examples=40, deadline=None)
def test_monotone_in_both_arguments(q1: float, q2: float, c1: float, c2: float) -> None:
    low = BALLS(min(q1, q2), min(c1, c2))
    high = BALLS(max(q1, q2), max(c1, c2))
    assert low.lower() <= high.upper()


def test_wide_balls_give_wide_enclosures() -> None:
    wide = BALLS(arb("0.1", "0.05"), arb("0.2", "0.1"))
    for q in ("0.05", "0.1", "0.15"):
        for budget in ("0.1", "0.2", "0.3"):
            assert wide.contains(BALLS(q, budget).mid())


def test_exact_cases() -> None:
    assert BALLS(0, 2).overlaps(1 - arb(-2).exp())
    assert BALLS(1, 2) == 1
    assert BALLS(2, 1) == 1 and BALLS("0.25", -1).contains(arb("0.25"))


def test_gradients_are_those_of_the_implicit_function() -> None:
    q = torch.tensor([0.01, 0.2, 0.7], dtype=torch.float64, requires_grad=True)
    budget = torch.tensor([0.3, 0.01, 1.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(TORCH, (q, budget), eps=1e-7, atol=1e-5)
