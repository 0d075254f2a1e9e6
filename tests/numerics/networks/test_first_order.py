"""Radii, Lipschitz constants and sensitivities never lie below what networks do (A3-A5)."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from majorant.derivation.network import (
    Network,
    normalized,
    parameters,
    post_norm_encoder,
    pre_norm_decoder,
    propagate,
)
from majorant.numerics.networks.forward import forward
from majorant.numerics.rings import LogFloatRing

WIDTH, TOKENS = 4, 3
NETWORKS = {
    "normalized": normalized(2, 2, WIDTH, 5, "gelu", outputs=2),
    "encoder": post_norm_encoder(1, 2, WIDTH, 6, "silu", eps="0.5", outputs=2, pooler=True),
    "encoder_softplus": post_norm_encoder(1, 1, WIDTH, 6, "softplus", eps="0.5", pooling="mean"),
    "decoder": pre_norm_decoder(1, 2, WIDTH, 6, "gelu_tanh", eps="0.5", outputs=2),
    "llama": pre_norm_decoder(2, 2, WIDTH, 6, "silu", kind="rms", eps="0.5", key_heads=1,
                              gated=True, rotary=True, biases=True, outputs=2),
}


def _tensors(network: Network, seed: int, size: float) -> dict[str, Tensor]:
    torch.manual_seed(seed)
    tensors = {}
    for key, parameter in parameters(network).items():
        shape = ((parameter.rows, parameter.cols) if parameter.kind == "matrix"
                 else (parameter.cols,))
        tensors[key] = size * torch.randn(shape, dtype=torch.float64)
    return tensors


def _norm(kind: str, tensor: Tensor) -> float:
    if kind == "matrix":
        return float(torch.linalg.matrix_norm(tensor, 2))
    return float(tensor.norm() if kind == "vector" else tensor.abs().max())


def _norms(network: Network, tensors: dict[str, Tensor], radius: float) -> dict[str, float]:
    kinds = {key: parameter.kind for key, parameter in parameters(network).items()}
    logs = {key: math.log(_norm(kinds[key], tensor)) for key, tensor in tensors.items()}
    return logs | {"input": math.log(radius)}


def _largest_row(x: Tensor) -> float:
    return float(x.reshape(-1, x.shape[-1]).norm(dim=-1).max())


@pytest.mark.parametrize("name", NETWORKS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.floats(0.05, 2.0))
def test_outputs_and_their_differences_stay_below_the_bounds(
        name: str, seed: int, size: float) -> None:
    network = NETWORKS[name]
    tensors = _tensors(network, seed, size)
    radius = 1.0 if name == "normalized" else 1.7
    bounds = propagate(network, _norms(network, tensors, radius), LogFloatRing())
    x = torch.randn(TOKENS, WIDTH, dtype=torch.float64)
    x = radius * x / x.norm(dim=-1, keepdim=True) * torch.rand(TOKENS, 1).clamp_min(0.3)
    y = x + 1e-4 * torch.randn_like(x)
    y = y / (y.norm(dim=-1, keepdim=True) / radius).clamp_min(1)
    out = forward(network, tensors, x)
    assert _largest_row(out) <= math.exp(bounds.radii["output"]) * (1 + 1e-12)
    moved = _largest_row(forward(network, tensors, y) - out)
    assert moved <= math.exp(bounds.lip) * _largest_row(y - x) * (1 + 1e-6) + 1e-12


@pytest.mark.parametrize("name", NETWORKS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.floats(0.05, 2.0), step=st.floats(1e-5, 1.0))
def test_sensitivities_bound_every_single_and_joint_move(
        name: str, seed: int, size: float, step: float) -> None:
    """One parameter moved at a time, and all at once, by small and by large steps."""
    network = NETWORKS[name]
    own = _tensors(network, seed, size)
    other = {key: tensor + step * torch.randn_like(tensor) for key, tensor in own.items()}
    radius = 1.0 if name == "normalized" else 1.7
    kinds = {key: parameter.kind for key, parameter in parameters(network).items()}
    bounds = propagate(network, _norms(network, own, radius), LogFloatRing(),
                       centres=_norms(network, other, radius))
    kappa = {key: math.exp(value) for key, value in bounds.kappa.items()}
    moves = {key: _norm(kinds[key], own[key] - other[key]) for key in own}
    x = torch.randn(TOKENS, WIDTH, dtype=torch.float64)
    x = radius * x / x.norm(dim=-1, keepdim=True)
    out = forward(network, own, x)
    for key in own:
        moved = _largest_row(forward(network, {**own, key: other[key]}, x) - out)
        assert moved <= kappa[key] * moves[key] * (1 + 1e-9) + 1e-11, key
    moved = _largest_row(forward(network, other, x) - out)
    assert moved <= sum(kappa[key] * moves[key] for key in own) * (1 + 1e-9) + 1e-11
