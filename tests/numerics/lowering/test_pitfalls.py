"""Public reports about lowering SymPy to torch, each as a test named after it."""

from __future__ import annotations

import math

import pytest
import sympy as sp
import torch
from flint import arb, fmpq

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.functions import Risk
from majorant.numerics.lowering import ball_function, log_form, mpmath_function, torch_kernel
from majorant.numerics.lowering.balls import to_ball

x, y = sp.symbols("x y", real=True)
n = sp.Symbol("n", integer=True, positive=True)


def close(found: torch.Tensor, expected: float) -> bool:
    return bool(torch.isclose(found, torch.full_like(found, expected), rtol=1e-15, atol=0).all())


def test_measured_constants_are_folded_and_never_reach_torch_functions() -> None:
    expr = sp.sqrt(2) * x + sp.log(2) * x + sp.exp(2) + sp.gamma(sp.Rational(1, 3))
    kernel = torch_kernel(expr, [x])
    value = float(kernel(torch.ones(2))[0])
    expected = math.sqrt(2) + math.log(2) + math.exp(2) + math.gamma(1 / 3)
    assert value == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("expr", "at", "expected"),
    [
        (sp.Max(1.0, x), 0.5, 1.0),
        (sp.Max(x, y, 2), 3.0, 3.0),
        (sp.Min(x, y, sp.Rational(1, 2)), 0.25, 0.25),
        (sp.Max(x, y), -1.0, -1.0),
    ],
)
def test_sympy_28076_28457_max_and_min_of_any_number_of_arguments(
    expr: sp.Expr, at: float, expected: float
) -> None:
    kernel = torch_kernel(expr, [x, y])
    assert kernel(torch.tensor([at]), at).tolist() == [expected]


def test_sympy_5642_30334_24036_a_constant_has_the_shape_of_the_inputs() -> None:
    for expr in (sp.Integer(3), sp.pi, sp.Sum(n, (n, 1, 3)), sp.Rational(1, 3)):
        value = torch_kernel(expr, [x, y])(torch.zeros(4, 1), torch.zeros(5))
        assert value.shape == (4, 5)
        assert close(value, float(expr.doit()))


def test_measured_integers_become_floats_before_arithmetic() -> None:
    seventy = torch.tensor([70])
    assert torch_kernel(2**n, [n])(seventy).item() == 2.0**70
    assert torch_kernel(1 / n, [n])(seventy).item() == 1 / 70
    assert torch_kernel(10**30 * x, [x])(torch.tensor([3])).item() == pytest.approx(3e30, rel=1e-15)
    assert torch_kernel(2**n, [n])(70).dtype == torch.float64


def test_measured_cancellation_log1p_and_expm1_are_recognized() -> None:
    tiny = 1e-18
    for expr, expected in (
        (sp.log(1 + x), tiny),
        (sp.log(1 - x), -tiny),
        (sp.exp(x) - 1, tiny),
        (1 - sp.exp(x), -tiny),
        (3 * sp.exp(x) - 3, 3 * tiny),
        (sp.log(1 + x + x**2), tiny),
    ):
        value = torch_kernel(expr, [x])(torch.tensor([tiny], dtype=torch.float64))
        assert value.item() == pytest.approx(expected, rel=1e-15)
        ball = ball_function(expr, [x], 53)(tiny)
        assert ball.rel_accuracy_bits() > 45


def test_sympy_21611_11306_piecewise_needs_a_default_and_keeps_dtype_and_gradients() -> None:
    with pytest.raises(UnsupportedExpression, match="no default"):
        torch_kernel(sp.Piecewise((1, x > 0)), [x])
    with pytest.raises(UnsupportedExpression, match="no default"):
        ball_function(sp.Piecewise((1, x > 0)), [x])
    kernel = torch_kernel(sp.Piecewise((sp.log(x) / sp.sqrt(x), x > 0), (0, True)), [x])
    at = torch.tensor([-1.0, 0.0, 1.0, 4.0], dtype=torch.float32, requires_grad=True)
    value = kernel(at)
    assert value.dtype == torch.float32
    assert value[:2].tolist() == [0.0, 0.0]
    (gradient,) = torch.autograd.grad(value.sum(), at)
    assert torch.isfinite(gradient).all()
    assert gradient[2].item() == pytest.approx(1.0)


def test_piecewise_of_nan_is_nan_and_not_the_default() -> None:
    kernel = torch_kernel(sp.Piecewise((1, x > 0), (0, True)), [x])
    assert torch.isnan(kernel(torch.tensor([math.nan]))).all()


def test_sympy_8818_16464_rationals_and_constants_keep_their_digits() -> None:
    third = sp.Rational(1, 3)
    value = mpmath_function(third * x + sp.Float("0.1", 60), [x], digits=50)(1)
    exact = sp.Rational(1, 3) + sp.Rational(sp.Float("0.1", 60))
    assert abs(sp.Rational(str(value)) - exact) < sp.Rational(1, 10**14)
    ball = ball_function(third * sp.pi * x, [x], 200)(3)
    assert ball.rel_accuracy_bits() > 190 and ball.overlaps(arb.pi())


@pytest.mark.parametrize(
    "number",
    [sp.S.Zero, sp.S.Half, sp.exp(2), sp.pi, sp.E, sp.EulerGamma, sp.GoldenRatio, sp.Catalan,
     sp.Integer(-7), sp.Rational(-22, 7), sp.sqrt(2) - 1, sp.log(3) / 7, sp.erf(1), sp.zeta(3)],
)
def test_sympytorch_11_7_pysr_656_number_symbols(number: sp.Expr) -> None:
    value = torch_kernel(number + 0 * x, [x])(torch.zeros(1, dtype=torch.float64)).item()
    ball = ball_function(number, [], 120)()
    assert value == float(number.evalf(30))
    assert ball.rel_accuracy_bits() > 100 or number == 0
    assert ball.contains(ball_function(number, [], 200)().mid())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_sympytorch_constants_take_the_dtype_of_the_inputs(dtype: torch.dtype) -> None:
    value = torch_kernel(x / 3 + sp.Rational(1, 10), [x])(torch.ones(2, dtype=dtype))
    assert value.dtype == dtype
    expected = torch.tensor(1, dtype=dtype) / 3 + torch.tensor(0.1, dtype=dtype)
    assert torch.equal(value, expected.expand(2))


@pytest.mark.parametrize(
    "node",
    [sp.Integral(sp.exp(-(x**2)), (x, 0, y)), sp.Ei(x), sp.besselj(0, x), sp.Function("f")(x),
     sp.Derivative(sp.Function("f")(x), x), Risk(), sp.I * x, sp.Symbol("forgotten")],
)
def test_unsupported_nodes_are_named_with_their_path(node: sp.Expr) -> None:
    expr = sp.Add(1, sp.Mul(y, node, evaluate=False), evaluate=False)
    for lower in (torch_kernel, ball_function, mpmath_function):
        with pytest.raises(UnsupportedExpression, match=r"cannot evaluate .* at .*Add\[\d\]"):
            lower(expr, [x, y])


def test_supported_where_torch_has_them_else_refused() -> None:
    at = torch.tensor([2.5], dtype=torch.float64)
    for expr in (sp.erfc(x), sp.gamma(x), sp.loggamma(x), sp.zeta(x), sp.digamma(x)):
        value = torch_kernel(expr, [x])(at).item()
        assert value == pytest.approx(float(expr.subs(x, 2.5).evalf()), rel=1e-14)
    product = torch_kernel(sp.Product(x + n, (n, 1, 4)), [x])(at).item()
    assert product == pytest.approx(3.5 * 4.5 * 5.5 * 6.5, rel=1e-15)
    with pytest.raises(UnsupportedExpression, match="LambertW"):
        torch_kernel(sp.LambertW(x), [x])
    assert ball_function(sp.LambertW(x), [x])(1).overlaps(arb("0.5671432904097838729999686622"))


def test_constants_outside_float64_are_refused_and_the_log_form_takes_them() -> None:
    z = sp.Symbol("z", positive=True)
    with pytest.raises(UnsupportedExpression, match="log_form"):
        torch_kernel(sp.Integer(10) ** 400 * z, [z])
    value = torch_kernel(log_form(sp.Integer(10) ** 400 * z), [z])(1.0)
    assert value.item() == pytest.approx(400 * math.log(10), rel=1e-15)


def test_symbols_named_like_torch_operations_do_not_shadow_them() -> None:
    names = sp.symbols("gamma log sqrt _torch a0 lambda", positive=True)
    expr = sum(sp.gamma(s) + sp.log(s) + sp.sqrt(s) for s in names)
    assert torch_kernel(expr, names)(*[4.0] * 6).item() == pytest.approx(6 * (6 + math.log(4) + 2))


def test_mpmath_1181_the_ball_contains_the_exponential() -> None:
    point = sp.Rational(3893924827815215, 2**50)
    ball = ball_function(sp.exp(x), [x], 53)(point)
    assert ball.contains(ball_function(sp.exp(x), [x], 300)(point).mid())


def test_measured_mpmath_max_of_intervals_is_not_the_lower_one() -> None:
    ball = ball_function(sp.Max(x, y), [x, y])(arb(1, 1), arb(2, 1))
    assert ball.contains(arb(3)) and ball.contains(arb(1)) and not ball.contains(arb("0.9"))


def test_python_flint_literals_are_exact_rationals_and_comparisons_mean_certainly() -> None:
    assert to_ball("0.1").contains(fmpq(1, 10))
    assert not to_ball(0.1).contains(fmpq(1, 10))
    inexact = to_ball("0.1")
    undecided = sp.Piecewise((1, sp.Eq(x, y)), (0, True))
    assert ball_function(undecided, [x, y])(inexact, inexact).contains(arb(0))


def test_alkahest_361_nan_is_no_information() -> None:
    undefined = ball_function(sp.log(x), [x])(-1)
    assert undefined.is_nan()
    for expr in (sp.Max(x, 1), sp.Min(x, 1), x * 0 + y, sp.Piecewise((1, x > 0), (2, True))):
        value = ball_function(expr, [x, y])(arb.nan(), 1)
        assert value.is_nan() or expr == y or (value.contains(arb(1)) and value.contains(arb(2)))
