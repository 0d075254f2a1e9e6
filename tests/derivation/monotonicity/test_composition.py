"""Derived signs and directions: right where they answer, unknown where they cannot know."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.functions import CountingFunction, KLInverse, MinOver, PositivePower
from majorant.derivation.monotonicity import monotonicity, range_of, sign_of
from majorant.derivation.published import alpha_after, published_contribution, spectrum_proxy
from majorant.derivation.symbols import (
    C,
    C_in_of,
    K,
    N,
    R_hat,
    S,
    S_of,
    a,
    c,
    delta,
    eps,
    i,
    j,
    k,
    kappa,
    kappa_of,
    n,
    p,
    r,
    sigma,
    tau,
    theta,
)
from majorant.numerics.lowering import ball_function
from majorant.numerics.lowering.confirm import confirm_by_sampling

x = sp.Symbol("x", real=True)
below = (tau < eps,)

CASES = [
    (k * sp.log(1 + 4 * C / (eps - tau)), eps, below, "decreasing"),
    (k * sp.log(1 + 4 * C / (eps - tau)), tau, below, "increasing"),
    (S / (theta * eps) ** p, eps, (), "decreasing"),
    (published_contribution(), S, (), "increasing"),
    (published_contribution(), kappa, (), "increasing"),
    (published_contribution(), N, (), "increasing"),
    (alpha_after(), C_in_of, (), "increasing"),
    (spectrum_proxy(), sigma, (), "increasing"),
    (spectrum_proxy(), kappa_of, (), "increasing"),
    (spectrum_proxy(), K, (), "increasing"),
    (KLInverse(R_hat, sp.log(1 / delta) / n), n, (), "decreasing"),
    (KLInverse(R_hat, sp.log(1 / delta) / n), delta, (), "decreasing"),
    (KLInverse(R_hat, c), R_hat, (), "increasing"),
    (CountingFunction(sigma[a, i], tau, (i, 1, r)), tau, (), "decreasing"),
    (CountingFunction(sigma[a, i], tau, (i, 1, r)), r, (), "increasing"),
    (MinOver(kappa + S_of[j], (j, 1, K)), K, (), "decreasing"),
    (MinOver(kappa + S_of[j], (j, 1, K)), S_of, (), "increasing"),
    (PositivePower(tau, p), p, (tau <= 1,), "decreasing"),
    (PositivePower(tau, p), p, (tau >= 1,), "increasing"),
    (x**3, x, (), "increasing"),
    (x / (1 + x), x, (x > 0,), "increasing"),
    (x**2 - 2 * x, x, (x >= 1,), "increasing"),
    (sp.tan(x), x, (x >= 0, x <= 1), "increasing"),
    (sp.cosh(x), x, (x <= 0,), "decreasing"),
    (sp.Max(x, 3) + sp.floor(x), x, (), "increasing"),
    (1 - theta, theta, (), "decreasing"),
    (kappa + 2, tau, (), "constant"),
]


@pytest.mark.parametrize(("expr", "variable", "hypotheses", "expected"), CASES)
def test_derived_direction(
    expr: sp.Expr, variable: sp.Basic, hypotheses: tuple[sp.Basic, ...], expected: str
) -> None:
    assert monotonicity(expr, variable, hypotheses).direction == expected


@pytest.mark.parametrize(
    ("expr", "variable", "hypotheses", "expected"),
    [case for case in CASES if case[3] != "constant" and case[1] not in (r,)],
)
def test_derived_directions_are_confirmed_by_certified_samples(
    expr: sp.Expr, variable: sp.Basic, hypotheses: tuple[sp.Basic, ...], expected: str
) -> None:
    found = confirm_by_sampling(expr, variable, hypotheses, trials=5)
    assert found.outcome in (expected, "flat")


def test_sympy_28571_a_cube_increases() -> None:
    assert monotonicity(x**3, x).direction == "increasing"


def test_sympy_28578_tan_is_not_monotone_beyond_its_pole() -> None:
    found = monotonicity(sp.tan(x), x, (x >= 0, x <= 5))
    assert found.direction == "unknown" and found.blame == sp.tan(x)


def test_cvxpy_1779_the_sub_expression_to_blame_is_named() -> None:
    found = monotonicity(kappa * (x - sp.exp(-x) - x**2), x)
    assert found.direction == "unknown" and found.blame is not None
    assert kappa * (x - sp.exp(-x) - x**2) != found.blame


def test_the_published_contribution_is_not_monotone_in_p_and_this_is_shown() -> None:
    derived = monotonicity(published_contribution(), p)
    assert derived.direction == "unknown"
    found = confirm_by_sampling(published_contribution(), p)
    assert found.outcome == "neither"
    assert found.up is not None and found.down is not None
    assert found.up.lower < found.up.upper <= 2 and found.down.lower < found.down.upper <= 2
    for step, rises in ((found.up, True), (found.down, False)):
        f = ball_function(published_contribution(), step.point.args)
        before, after = (f(*step.point.replaced(p, at).values) for at in (step.lower, step.upper))
        assert (before < after) if rises else (before > after)


def test_a_hypothesis_is_needed_and_used() -> None:
    assert sign_of(eps - tau) == "unknown"
    assert sign_of(eps - tau, below) == "positive"
    assert sign_of(2 * eps - tau, below) == "positive"
    assert sign_of(tau - eps, below) == "negative"
    assert sign_of(1 - theta) == "positive" and sign_of(2 - p) == "nonnegative"


def test_contradicting_hypotheses_are_an_error() -> None:
    with pytest.raises(ValueError, match="contradict"):
        range_of(x, (x > 3, x < 2))


ATOMS = st.sampled_from([x, sp.Integer(2), sp.Rational(1, 3), theta, tau, -x])


def grow(children: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
    return st.one_of(
        st.builds(sp.Add, children, children),
        st.builds(sp.Mul, children, children),
        st.builds(sp.Max, children, children),
        st.builds(sp.exp, children),
        st.builds(sp.tanh, children),
        st.builds(lambda u: 1 / (1 + u**2), children),
        st.builds(lambda u: sp.log(1 + u**2), children),
        st.builds(lambda u: u**3, children),
        st.builds(sp.Abs, children),
    )


@settings(max_examples=50, deadline=None)
@given(st.recursive(ATOMS, grow, max_leaves=5))
def test_no_derived_direction_or_sign_is_refuted(expr: sp.Expr) -> None:
    """Whatever the composition answers for a random expression, certified samples agree with."""
    from majorant.numerics.lowering.samples import Sampler

    sampler = Sampler(expr)
    value = ball_function(expr, sampler.args)
    sign = sign_of(expr)
    for seed in range(4):
        ball = value(*sampler.point(seed).values)
        if sign in ("positive", "nonnegative"):
            assert not ball < 0
        if sign in ("negative", "nonpositive"):
            assert not ball > 0
        if sign == "positive":
            assert not ball <= 0
    for variable in (x, theta, tau):
        direction = monotonicity(expr, variable).direction
        if variable not in sampler.args or direction == "unknown":
            continue
        outcome = confirm_by_sampling(expr, variable, trials=3).outcome
        assert outcome in ("flat", direction)
