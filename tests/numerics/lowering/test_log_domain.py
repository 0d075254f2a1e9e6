"""The log domain: finite where products over blocks overflow, equal to the logarithm elsewhere."""

from __future__ import annotations

import math

import pytest
import sympy as sp
import torch
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.functions import LogAddExp, LogSumExpOver, PositivePower
from majorant.derivation.published import alpha_after, norm_proxy, spectrum_proxy
from majorant.derivation.symbols import C, eps, kappa, tau
from majorant.numerics.lowering import ball_function, log_form, stable_form, torch_kernel
from majorant.numerics.lowering.arguments import arguments_of
from majorant.numerics.lowering.samples import draw


def block_values(blocks: int, heads: int, size: float) -> dict[str, object]:
    full = torch.full((blocks,), size, dtype=torch.float64)
    per_head = full[:, None].expand(blocks, heads)
    return {
        "C_Q_of": per_head, "C_V_of": per_head, "C_in_of": full, "C_out_of": full,
        "QK21_of": per_head, "V21_of": per_head, "in21_of": full, "out21_of": full,
        "L_phi": 1.13, "H": heads, "L": blocks,
    }


@pytest.mark.parametrize("expr", [alpha_after(sp.Integer(0)), norm_proxy()])
def test_96_blocks_with_constants_1e4_give_a_finite_log_bound(expr: sp.Expr) -> None:
    given_values = block_values(96, 3, 1e4)
    form = log_form(expr)
    args = arguments_of(expr)
    values = [given_values[str(arg)] for arg in args]
    plain = torch_kernel(expr, args)(*values)
    assert torch.isinf(plain).all()
    logged = torch_kernel(form, args)(*values)
    exact = ball_function(expr, args, 200)(*values).log()
    assert torch.isfinite(logged).all() and logged.item() > 2000
    assert logged.item() == pytest.approx(float(exact), rel=1e-13)
    assert ball_function(form, args, 200)(*values).overlaps(exact)


def test_gradients_of_the_log_form_stay_finite_with_zero_matrices() -> None:
    expr = spectrum_proxy()
    args = arguments_of(expr)
    values = {"K": 2, "L": 3, "N": 16, "m_grid": 5, "r": 3,
              "kappa_of": torch.tensor([1e-200, 1e-250], dtype=torch.float64),
              "sigma": torch.tensor([[3.0, 1.0, 0.0], [0.0, 0.0, 0.0]], dtype=torch.float64,
                                    requires_grad=True)}
    logged = torch_kernel(log_form(expr), args)(*[values[str(arg)] for arg in args])
    (gradient,) = torch.autograd.grad(logged, values["sigma"])
    assert torch.isfinite(logged) and torch.isfinite(gradient).all() and gradient[0, 0] > 0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("expr", [alpha_after(), norm_proxy(), spectrum_proxy()])
def test_log_form_is_the_logarithm(expr: sp.Expr, seed: int) -> None:
    point = draw(expr, seed=seed)
    direct = ball_function(expr, point.args, 150)(*point.values).log()
    assert ball_function(log_form(expr), point.args, 150)(*point.values).overlaps(direct)


def test_stable_form_keeps_the_value_and_takes_huge_products() -> None:
    expr = sp.log(1 + 4 * C * kappa / (eps - tau))
    form = stable_form(expr, [tau < eps])
    args = [C, kappa, eps, tau]
    assert ball_function(form, args)(3, 5, 2, 1).overlaps(ball_function(expr, args)(3, 5, 2, 1))
    value = torch_kernel(form, args)(1e200, 1e200, 1.0, 0.5)
    assert value.item() == pytest.approx(400 * math.log(10) + math.log(8), rel=1e-14)


def test_a_sign_that_is_not_known_is_an_error_that_names_the_part() -> None:
    with pytest.raises(UnsupportedExpression, match="eps - tau"):
        log_form((eps - tau) * C)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-50, 50), min_size=2, max_size=5))
def test_log_add_exp_of_all_evaluators(levels: list[float]) -> None:
    symbols = sp.symbols(f"u0:{len(levels)}", real=True)
    expr = LogAddExp(*symbols)
    ball = ball_function(expr, symbols, 100)(*levels)
    direct = ball_function(sp.log(sum(map(sp.exp, symbols))), symbols, 200)(*levels)
    assert ball.overlaps(direct)
    assert torch_kernel(expr, symbols)(*levels).item() == pytest.approx(float(direct), abs=1e-13)


def test_log_add_exp_keeps_the_digits_of_a_small_second_term() -> None:
    u = sp.Symbol("u", real=True)
    value = torch_kernel(LogAddExp(0, u), [u])(torch.tensor([-60.0], dtype=torch.float64))
    assert value.item() == pytest.approx(math.exp(-60), rel=1e-14)


def test_minus_infinity_passes_through_sums_of_exponentials() -> None:
    family, i = sp.IndexedBase("u"), sp.Symbol("i", integer=True, positive=True)
    expr = LogSumExpOver(family[i], (i, 1, 3))
    levels = torch.tensor([-math.inf, 0.0, -math.inf], dtype=torch.float64, requires_grad=True)
    value = torch_kernel(expr, [family])(levels)
    (gradient,) = torch.autograd.grad(value, levels)
    assert value.item() == 0 and gradient.tolist() == [0.0, 1.0, 0.0]
    nothing = torch_kernel(expr, [family])(torch.full((3,), -math.inf, dtype=torch.float64))
    assert nothing.item() == -math.inf


def test_zero_to_the_power_zero_counts_nothing() -> None:
    x, p = sp.symbols("x p", nonnegative=True)
    form = log_form(PositivePower(x, p))
    assert torch_kernel(form, [x, p])(0.0, 0.0).item() == -math.inf
    assert ball_function(form, [x, p])(0, 0) == arb.neg_inf()
