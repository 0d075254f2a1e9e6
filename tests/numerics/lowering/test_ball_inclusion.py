"""The ball of a function contains its value at every point of the arguments' balls."""

from __future__ import annotations

import subprocess
import sys

import pytest
import sympy as sp
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.functions import (
    Above,
    BernoulliKL,
    ExtendedLog,
    KLInverse,
    LogAddExp,
    LogPlus,
    LogScaled,
    PositivePower,
)
from majorant.numerics.lowering import ball_function

x, y = sp.symbols("x y", real=True)
nonnegative = sp.Symbol("z", nonnegative=True)

EXPRESSIONS = [
    PositivePower(x, y), Above(x, y), BernoulliKL(x, y), KLInverse(x, y), LogPlus(x),
    LogAddExp(x, y), LogScaled(x, y), ExtendedLog(nonnegative), sp.Max(x, y, 1), sp.Min(x, y, 1),
    sp.Abs(x), sp.sign(x), sp.floor(x), sp.ceiling(x * 3), x**y, nonnegative**y, sp.sqrt(x),
    nonnegative ** sp.Rational(2, 3), x**-2, x**3, sp.log(x), sp.log(1 + x), sp.exp(x) - 1,
    sp.Piecewise((1 / x, x > 0), (y, x < -1), (x**2, True)), sp.gamma(x), sp.loggamma(x),
    sp.tan(x), sp.atanh(x), sp.erf(x), sp.sinc(x), sp.atan2(x, y), sp.binomial(x, y),
    sp.polygamma(1, x), sp.factorial(x), sp.acosh(x), sp.LambertW(x), sp.zeta(x),
]

middles = st.fractions(-4, 4, max_denominator=16)
widths = st.sampled_from([fmpq(0), fmpq(1, 1000), fmpq(1, 8), fmpq(1), fmpq(3)])
shares = st.sampled_from([fmpq(-1), fmpq(-1, 3), fmpq(0), fmpq(1, 2), fmpq(1)])


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_inclusion(expr: sp.Expr, data: st.DataObject) -> None:
    args = sorted(expr.free_symbols, key=str)
    evaluate = ball_function(expr, args, 80)
    balls, points = [], []
    for arg in args:
        middle = data.draw(middles)
        width, share = data.draw(widths), data.draw(shares)
        exact = fmpq(middle.numerator, middle.denominator)
        if arg.is_nonnegative:
            exact = abs(exact)
        point = exact + width * share
        if arg.is_nonnegative and point < 0:
            point = fmpq(0)
        balls.append(arb(exact, 1) if width == 1 else arb(exact).union(arb(exact + width)).union(
            arb(exact - width)))
        points.append(arb(point))
    around, at = evaluate(*balls), evaluate(*points)
    if at.is_nan():  # undefined at a member: no information on the ball either
        assert not around.is_finite(), (expr, balls, points, around)
    else:
        assert around.is_nan() or around.overlaps(at), (expr, balls, points, around, at)


@pytest.mark.parametrize(
    ("expr", "ball"),
    [
        (sp.log(x), arb(0, 1)), (sp.sqrt(x), arb(0, 1)), (1 / x, arb(0, 1)),
        (x ** sp.Rational(1, 3), arb(-1)), (sp.loggamma(x), arb(0, 1)),
        (sp.log(x), arb(0)), (sp.atanh(x), arb(1, 1)), (sp.acosh(x), arb(1, 1)),
        (sp.asin(x), arb(1, 1)), (sp.Piecewise((sp.log(x), x > -5), (0, True)), arb(-1)),
    ],
    ids=str,
)
def test_undefined_somewhere_on_the_ball_is_no_information(expr: sp.Expr, ball: arb) -> None:
    assert not ball_function(expr, [x])(ball).is_finite()


def test_the_ball_part_does_not_import_torch() -> None:
    code = (
        "import sys, majorant.numerics.lowering.balls, majorant.numerics.lowering as lowering;"
        "assert 'torch' not in sys.modules; lowering.torch_kernel; assert 'torch' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
