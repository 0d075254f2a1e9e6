"""The penalty: its value by hand, its gradient, what it refuses."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network, normalized, parameters, propagate
from majorant.numerics.penalty import log_leading_factor
from majorant.numerics.rings import LogFloatRing

NETWORK = normalized(2, 2, 6, 5, "relu", 1)


def spectra(network: Network, seed: int, *, grad: bool = False) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    found = {}
    for name, part in parameters(network).items():
        rank = min(part.rows, part.cols)
        values = torch.rand(rank, generator=generator, dtype=torch.float64) * 3 + 0.1
        found[name] = values.requires_grad_(grad)
    return found


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), index=st.sampled_from([1, 2]))
def test_the_value_is_the_sum_of_schatten_factors(seed: int, index: int) -> None:
    given_spectra = spectra(NETWORK, seed)
    norms = {name: math.log(float(v.max())) for name, v in given_spectra.items()} | {"input": 0.0}
    kappa = propagate(NETWORK, norms, LogFloatRing()).kappa
    by_hand = sum(
        math.sqrt((part.rows + part.cols) * float((given_spectra[name] ** index).sum()))
        * math.exp(kappa[name] * index / 2)
        for name, part in parameters(NETWORK).items())
    value = log_leading_factor(NETWORK, given_spectra, index=index)
    assert float(value) == pytest.approx(math.log(by_hand), rel=1e-12)


def test_the_gradient_is_the_derivative() -> None:
    values = spectra(NETWORK, 1, grad=True)
    assert torch.autograd.gradcheck(
        lambda *columns: log_leading_factor(NETWORK, dict(zip(values, columns, strict=True))),
        tuple(values.values()), eps=1e-6, atol=1e-6)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), which=st.integers(0, 12), factor=st.floats(1.01, 10.0))
def test_a_larger_matrix_is_never_cheaper(seed: int, which: int, factor: float) -> None:
    values = spectra(NETWORK, seed)
    name = list(values)[which]
    larger = values | {name: values[name] * factor}
    assert log_leading_factor(NETWORK, larger) > log_leading_factor(NETWORK, values)


def test_a_dead_head_costs_nothing_and_has_no_gradient() -> None:
    values = spectra(NETWORK, 2)
    for role in ("QK", "V"):
        values[f"block1.head0.{role}"] = torch.zeros(6, dtype=torch.float64)
    for column in values.values():
        column.requires_grad_()
    value = log_leading_factor(NETWORK, values)
    value.backward()
    assert math.isfinite(float(value))
    for name, column in values.items():
        assert column.grad is None or bool(torch.isfinite(column.grad).all()), name
    alone = normalized(2, 2, 6, 5, "relu", 1)
    without = {k: v.detach() for k, v in values.items()}
    assert float(value) == pytest.approx(float(log_leading_factor(alone, without)))


def test_norms_beyond_double_precision_stay_finite() -> None:
    deep = normalized(60, 1, 4, 4, "relu", 1)
    huge = {name: torch.full((1,), 1e9, dtype=torch.float64) for name in parameters(deep)}
    assert 709 < float(log_leading_factor(deep, huge)) < 1e5


@pytest.mark.parametrize("index", [0, 3, 0.5])
def test_other_indices_are_refused(index: float) -> None:
    with pytest.raises(UnusableInput, match="index"):
        log_leading_factor(NETWORK, spectra(NETWORK, 0), index=index)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0])
def test_spectra_without_meaning_are_refused(bad: float) -> None:
    values = spectra(NETWORK, 0)
    values["block0.M_in"] = torch.tensor([1.0, bad])
    with pytest.raises(UnusableInput, match=r"block0\.M_in"):
        log_leading_factor(NETWORK, values)


def test_a_missing_or_unknown_parameter_is_refused() -> None:
    values = spectra(NETWORK, 0)
    del values["readout"]
    with pytest.raises(UnusableInput, match="readout"):
        log_leading_factor(NETWORK, values)
    with pytest.raises(UnusableInput, match="extra"):
        log_leading_factor(NETWORK, spectra(NETWORK, 0) | {"extra": torch.ones(1)})
