"""Torch kernels: axes for indices, limits that vary, gradients, shapes, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
import torch

from majorant.derivation.errors import UnusableInput
from majorant.derivation.functions import CountingFunction, MaxOver, MinOver, PositivePower
from majorant.derivation.published import alpha_after, published_contribution, schatten_quantity
from majorant.derivation.symbols import (
    K,
    N,
    a,
    i,
    kappa,
    kappa_of,
    l,
    p,
    r,
    sigma,
    tau,
)
from majorant.numerics.lowering import ball_function, torch_kernel
from majorant.numerics.lowering.arguments import arguments_of

r_of = sp.IndexedBase(sp.Symbol("r_of", integer=True, nonnegative=True))
SPECTRA = torch.tensor([[3.0, 2.0, 1.0], [5.0, 0.0, 0.0]], dtype=torch.float64)


def test_matrices_times_grid_points_in_one_call() -> None:
    expr = published_contribution(schatten_quantity(a, p, r), kappa_of[a], N, p)
    kernel = torch_kernel(expr, [sigma, kappa_of, N, p, r, a])
    grid = torch.linspace(0, 2, 9, dtype=torch.float64)
    rows = torch.arange(1, 3)[:, None]
    kappas = torch.tensor([0.1, 7.0], dtype=torch.float64)
    table = kernel(SPECTRA, kappas, 16, grid, 3, rows)
    assert table.shape == (2, 9)
    for matrix in range(2):
        for column, index in enumerate(grid.tolist()):
            values = SPECTRA[matrix][SPECTRA[matrix] > 0]
            schatten = float((values**index).sum())
            q = index + 2
            expected = (
                schatten ** (1 / q) * float(kappas[matrix]) ** (index / q) * 16 ** ((index + 1) / q)
            )
            assert table[matrix, column].item() == pytest.approx(expected, rel=1e-13)


def test_limits_that_depend_on_an_outer_index_are_masked_with_finite_gradients() -> None:
    inner = sp.Sum(sp.log(sigma[a, i]) * sp.sqrt(sigma[a, i]), (i, 1, r_of[a]))
    kernel = torch_kernel(sp.Sum(inner, (a, 1, K)), [sigma, r_of, K])
    spectra = SPECTRA.clone().requires_grad_()
    value = kernel(spectra, torch.tensor([3, 1]), 2)
    (gradient,) = torch.autograd.grad(value, spectra)
    expected = sum(np.log(s) * np.sqrt(s) for s in (3, 2, 1, 5))
    assert value.item() == pytest.approx(expected)
    assert torch.isfinite(gradient).all() and gradient[1, 1:].tolist() == [0.0, 0.0]


def test_an_empty_range_among_others_is_neutral() -> None:
    expr = sp.Sum(sp.Product(kappa_of[i], (i, a + 1, K)), (a, 1, K))
    kernel = torch_kernel(expr, [kappa_of, K])
    assert kernel(torch.tensor([2.0, 3.0, 5.0]), 3).item() == 15 + 5 + 1
    assert torch_kernel(sp.Sum(i, (i, 1, K)), [K])(0).item() == 0


def test_a_variable_that_no_member_uses_counts_every_member() -> None:
    assert torch_kernel(sp.Sum(kappa, (i, 1, K)), [kappa, K])(2.0, 5).item() == 10
    assert torch_kernel(sp.Product(kappa, (i, 1, K)), [kappa, K])(2.0, 5).item() == 32


def test_families_with_a_batch_and_limits_per_batch_entry() -> None:
    expr = sp.Sum(sigma[a, i] * kappa, (i, 1, r), (a, 1, 2))
    kernel = torch_kernel(expr, [sigma, kappa, r])
    family = torch.arange(24, dtype=torch.float64).reshape(2, 3, 4)  # indices (2, 3), batch (4,)
    value = kernel(family, torch.ones(5, 1, dtype=torch.float64), torch.tensor([1, 2, 3, 0]))
    assert value.shape == (5, 4)
    for column, rank in enumerate((1, 2, 3, 0)):
        assert value[0, column].item() == family[:, :rank, column].sum().item()


def test_diagonal_and_shifted_entries() -> None:
    kernel = torch_kernel(sp.Sum(sigma[i, i] - sigma[i, i + 1], (i, 1, 2)), [sigma])
    table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert kernel(table).item() == (1 - 2) + (5 - 6)


def test_minimum_counting_and_their_gradients() -> None:
    expr = MinOver(kappa_of[i] ** 2, (i, 1, K)) + MaxOver(kappa_of[i], (i, 1, K))
    at = torch.tensor([3.0, 1.0, 2.0], dtype=torch.float64, requires_grad=True)
    value = torch_kernel(expr, [kappa_of, K])(at, 3)
    (gradient,) = torch.autograd.grad(value, at)
    assert value.item() == 4 and gradient.tolist() == [1.0, 2.0, 0.0]
    counted = torch_kernel(CountingFunction(sigma[a, i], tau, (i, 1, 3)), [sigma, a, tau])
    levels = torch.tensor([0.5, 2.0, 9.0])
    assert counted(SPECTRA, 1, levels).tolist() == [3.0, 1.0, 0.0]


@pytest.mark.parametrize("expr", [
    sp.sqrt(kappa) * sp.log(1 + kappa / tau), PositivePower(kappa, tau), sp.tanh(kappa) ** tau,
    sp.Piecewise((kappa**2, kappa > tau), (sp.exp(tau), True)), sp.Max(kappa, tau) * sp.erf(kappa),
], ids=str)
def test_gradients_are_those_of_finite_differences(expr: sp.Expr) -> None:
    args = arguments_of(expr)
    values = [torch.tensor([0.7, 2.3], dtype=torch.float64, requires_grad=True),
              torch.tensor([1.1, 0.4], dtype=torch.float64, requires_grad=True)][: len(args)]
    assert torch.autograd.gradcheck(torch_kernel(expr, args), tuple(values))


def test_functional_transforms_work_on_kernels_without_varying_limits() -> None:
    kernel = torch_kernel(sp.Piecewise((kappa**2, kappa > 1), (kappa, True)), [kappa])
    at = torch.tensor([0.5, 3.0], dtype=torch.float64)
    slopes = torch.func.vmap(torch.func.grad(kernel))(at)
    assert slopes.tolist() == [1.0, 6.0]


def test_alpha_of_every_block_at_once() -> None:
    expr = alpha_after()
    args = [*arguments_of(expr)]
    blocks, heads = 4, 2
    generator = torch.Generator().manual_seed(0)
    shapes = {"C_Q_of": (blocks, heads), "C_V_of": (blocks, heads), "C_in_of": (blocks,),
              "C_out_of": (blocks,)}
    values = {name: torch.rand(*shape, generator=generator, dtype=torch.float64)
              for name, shape in shapes.items()}
    values |= {"L_phi": torch.tensor(1.13), "H": torch.tensor(heads), "L": torch.tensor(blocks),
               "l": torch.arange(1, blocks + 1)}
    batch = torch_kernel(expr, args)(*[values[str(arg)] for arg in args])
    assert batch.shape == (blocks,) and batch[-1].item() == 1
    balls = ball_function(expr, args)
    for block in range(1, blocks + 1):
        plain = [block if arg == l else values[str(arg)] for arg in args]
        assert batch[block - 1].item() == pytest.approx(float(balls(*plain)), rel=1e-6)


def test_inputs_of_every_kind_and_refusals() -> None:
    kernel = torch_kernel(sp.Sum(sigma[a, i], (i, 1, r)) * kappa, [sigma, kappa, r, a])
    assert kernel(SPECTRA.numpy(), sp.Rational(1, 2), np.int64(3), 1).item() == 3.0
    assert kernel(SPECTRA.float(), 0.5, 3, 1).dtype == torch.float32
    for bad, message in (
        ((SPECTRA, 1.0, 4, 1), "has 3 entries"),
        ((SPECTRA, 1.0, 3, 3), "has 2 entries"),
        ((SPECTRA[0], 1.0, 3, 1), "at least 2 axes"),
        ((SPECTRA, 1.0, 2.5, 1), "must be an integer"),
        ((SPECTRA, 1j, 3, 1), "expected"),
        ((SPECTRA, True, 3, 1), "expected|real"),
        (([[1.0], [1.0, 2.0]], 1.0, 3, 1), "pad"),
        ((SPECTRA, torch.ones(2), torch.ones(3), 1), "do not broadcast"),
        ((SPECTRA, 1.0), "expected 4 values"),
    ):
        with pytest.raises(UnusableInput, match=message):
            kernel(*bad)
