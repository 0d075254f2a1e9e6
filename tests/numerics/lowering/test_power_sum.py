"""Sums of powers without the stored product agree with the general route, digit for digit."""

import math

import pytest
import sympy as sp
import torch
from hypothesis import given
from hypothesis import strategies as st

from majorant.derivation.functions import LogScaled, LogSumExpOver
from majorant.numerics.lowering import torch_kernel, torch_power_sum
from majorant.numerics.lowering.torch_operations import log_scaled, log_sum_exp
from majorant.numerics.lowering.torch_power_sum import log_power_sum

levels = st.floats(-700, 700) | st.just(-math.inf)


def general(level: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    return log_sum_exp(log_scaled(level, p), 0)


@given(st.lists(st.lists(levels, min_size=3, max_size=3), min_size=1, max_size=6),
       st.lists(st.floats(-3, 3), min_size=1, max_size=4), st.integers(1, 40))
def test_same_as_the_stored_product(rows: list[list[float]], indices: list[float],
                                    piece: int) -> None:
    level = torch.tensor(rows, dtype=torch.float64)[:, :, None]
    p = torch.tensor(indices, dtype=torch.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch_power_sum, "PIECE", piece)
        found = log_power_sum(level, p)
    torch.testing.assert_close(found, general(level, p), rtol=1e-14, atol=1e-13)


def test_padding_is_left_out_whatever_the_order_of_the_members() -> None:
    generator = torch.Generator().manual_seed(0)
    level = torch.randn(500, 1, 7, generator=generator, dtype=torch.float64)
    for member, kept in enumerate((500, 3, 0, 64, 1, 500, 77)):
        level[kept:, :, member] = -math.inf
    p = torch.linspace(0, 2, 39, dtype=torch.float64)[:, None]
    found = log_power_sum(level, p)
    torch.testing.assert_close(found, general(level, p), rtol=1e-14, atol=1e-13)
    assert bool((found[:, 2] == -math.inf).all())
    assert float(found[0, 3].exp()) == pytest.approx(64)


def test_nan_stays_with_its_member() -> None:
    level = torch.tensor([[0.0, math.nan], [1.0, 0.0]], dtype=torch.float64)
    found = log_power_sum(level, torch.tensor(1.0, dtype=torch.float64))
    assert bool(found.isfinite()[0]) and bool(found.isnan()[1])


def test_gradients_and_infinite_levels_take_the_general_route() -> None:
    u, i, p = sp.IndexedBase("u", real=True), sp.Symbol("i", integer=True), sp.Symbol("p")
    kernel = torch_kernel(LogSumExpOver(LogScaled(u[i], p), (i, 1, 3)), [u, p])
    level = torch.tensor([1.0, -math.inf, 2.0], dtype=torch.float64, requires_grad=True)
    value = kernel(level, 0.5)
    value.backward()
    share = 1 / (1 + math.exp(0.5))
    expected = torch.tensor([0.5 * share, 0.0, 0.5 * (1 - share)], dtype=torch.float64)
    torch.testing.assert_close(level.grad, expected)
    assert float(kernel(level.detach(), 0.5)) == pytest.approx(float(value.detach()), rel=1e-15)
    assert float(kernel(torch.tensor([math.inf, 0.0, 0.0]), 2.0)) == math.inf
