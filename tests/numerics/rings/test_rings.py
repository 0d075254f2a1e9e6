"""All rings compute the same constants; balls enclose; refusals."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp
import torch
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.network import parameters, post_norm_encoder, propagate
from majorant.derivation.network.series import propagate_series
from majorant.derivation.ring import ExactRing, evaluate, power, product, total
from majorant.numerics.rings import BallRing, LogFloatRing
from majorant.numerics.rings.log_tensors import LogTensorRing

NETWORK = post_norm_encoder(1, 2, 4, 6, "silu", eps="0.1", outputs=2)
SIZES = st.fractions(Fraction(1, 50), 20, max_denominator=100)


@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_ring_gives_the_same_lipschitz_constant(data: st.DataObject) -> None:
    norms = {key: data.draw(SIZES) for key in [*parameters(NETWORK), "input"]}
    exact = propagate(NETWORK, {k: sp.Rational(v.numerator, v.denominator)
                                for k, v in norms.items()}, ExactRing())
    logs = {k: math.log(v) for k, v in norms.items()}
    floats = propagate(NETWORK, logs, LogFloatRing())
    tensors = propagate(NETWORK, {k: torch.tensor(v, dtype=torch.float64)
                                  for k, v in logs.items()}, LogTensorRing())
    with ctx.workprec(128):
        ring = BallRing()
        balls = propagate(NETWORK, {k: ring.fraction(v) for k, v in norms.items()}, ring)
        for name, value in balls.kappa.items():
            reference = math.log(float(sp.N(exact.kappa[name], 30)))
            assert math.isclose(float(value.log().mid()), reference, rel_tol=1e-12, abs_tol=1e-12)
            assert math.isclose(floats.kappa[name], reference, rel_tol=1e-11, abs_tol=1e-11)
            assert math.isclose(float(tensors.kappa[name]), reference, rel_tol=1e-11,
                                abs_tol=1e-11)


def test_balls_contain_exact_numbers_at_low_precision() -> None:
    exact = propagate_series(NETWORK, {k: sp.Rational(7, 3) for k in parameters(NETWORK)}
                             | {"input": sp.Integer(1)}, ExactRing(), 2)
    with ctx.workprec(53):
        ring = BallRing()
        low = propagate_series(NETWORK, {k: ring.fraction(Fraction(7, 3))
                                         for k in parameters(NETWORK)}
                               | {"input": arb(1)}, ring, 2)
    # the exact ring takes upper ends of the activation table: its value is at most the ball's top
    for k in range(3):
        value = sp.N(exact.bound(k), 40)
        with ctx.workprec(160):
            assert low.bound(k).overlaps(arb(str(value)))


def test_gradients_flow_through_the_log_tensor_ring() -> None:
    logs = {k: torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
            for k in [*parameters(NETWORK), "input"]}
    propagate(NETWORK, logs, LogTensorRing()).lip.backward()
    gradient = {k: v.grad for k, v in logs.items() if v.grad is not None}
    assert 0 < float(gradient["block0.M_in"]) < 1  # an elasticity, diluted by the residual
    assert all(torch.isfinite(g) for g in gradient.values())


def test_operations() -> None:
    ring = LogFloatRing()
    assert ring.add(-math.inf, 2.0) == 2.0
    assert ring.mul(-math.inf, math.inf) == -math.inf
    assert ring.interval(Fraction(1), Fraction(2)) == math.log(2)
    with pytest.raises(ZeroDivisionError):
        ring.div(0.0, -math.inf)
    with pytest.raises(ValueError, match="non-negative"):
        ring.fraction(Fraction(-1))
    exact = ExactRing()
    assert total(exact, []) == 0
    assert product(exact, []) == 1
    assert power(exact, 3, 0) == 1
    with ctx.workprec(64):
        both = BallRing().interval(Fraction(1, 3), Fraction(1, 2))
        assert both.contains(arb(1) / 2)
        assert both.contains(arb(1) / 3)
        assert BallRing().maximum(arb(1, 1), arb(2, 1)).contains(3)


@pytest.mark.parametrize(("text", "message"), [
    ("x - 1", "negative"), ("exp(x)", "exp"), ("x**(1/3)", "half-integer"), ("x + y", "y")])
def test_expressions_outside_the_ring_are_named(text: str, message: str) -> None:
    x, y = sp.symbols("x y", positive=True)
    expr = {"x - 1": x - 1, "exp(x)": sp.exp(x), "x**(1/3)": sp.cbrt(x), "x + y": x + y}[text]
    with pytest.raises(UnsupportedExpression, match=message):
        evaluate(expr, {x: sp.Integer(2)}, ExactRing())


@given(x=st.fractions(Fraction(1, 9), 9), n=st.integers(-5, 5))
def test_powers_and_half_powers(x: Fraction, n: int) -> None:
    s = sp.Symbol("s", positive=True)
    value = sp.Rational(x.numerator, x.denominator)
    expr = s ** sp.Rational(n, 2) + sp.Max(s, 1) + sp.Min(s, 2)
    found = evaluate(expr, {s: value}, ExactRing())
    assert sp.simplify(found - expr.subs(s, value)) == 0
