"""Radii, Lipschitz constants and sensitivities never lie below what networks do (A3-A5)."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
import torch
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import (
    Network,
    from_json,
    normalized,
    parameters,
    post_norm_encoder,
    pre_norm_decoder,
    propagate,
    to_json,
)
from majorant.numerics.networks.forward import forward
from majorant.numerics.rings import BallRing, LogFloatRing

WIDTH, TOKENS = 4, 3
NETWORKS = {
    "normalized": normalized(2, 2, WIDTH, 5, "gelu", outputs=2),
    "encoder": post_norm_encoder(1, 2, WIDTH, 6, "silu", eps="0.5", outputs=2, pooler=True),
    "encoder_softplus": post_norm_encoder(1, 1, WIDTH, 6, "softplus", eps="0.5", pooling="mean"),
    "decoder": pre_norm_decoder(1, 2, WIDTH, 6, "gelu_tanh", eps="0.5", outputs=2),
    "llama": pre_norm_decoder(2, 2, WIDTH, 6, "silu", kind="rms", eps="0.5", key_heads=1,
                              gated=True, rotary=True, biases=True, outputs=2),
    "qwen3": pre_norm_decoder(1, 2, WIDTH, 6, "silu", kind="rms", eps="0.5", key_heads=1,
                              gated=True, rotary=True, biases=True, head_eps="0.3", outputs=2),
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


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.floats(0.1, 1.5), step=st.floats(1e-4, 0.5))
def test_inputs_of_normalizations_move_less_than_their_sensitivities(
        seed: int, size: float, step: float) -> None:
    """G7: the input of each LayerNorm, measured on the network cut off before it."""
    network = post_norm_encoder(2, 1, WIDTH, 5, "gelu", eps="0.5")
    own = _tensors(network, seed, size)
    other = {key: tensor + step * torch.randn_like(tensor) for key, tensor in own.items()}
    kinds = {key: parameter.kind for key, parameter in parameters(network).items()}
    bounds = propagate(network, _norms(network, own, 1.7), LogFloatRing(),
                       centres=_norms(network, other, 1.7))
    moves = {key: _norm(kinds[key], own[key] - other[key]) for key in own}
    x = torch.randn(TOKENS, WIDTH, dtype=torch.float64)
    x = 1.7 * x / x.norm(dim=-1, keepdim=True)
    for number, block in enumerate(network.blocks):
        for name, depth in (("norm1", 1), ("norm2", 3)):
            cut = replace(network, pooling="tokens", blocks=(
                *network.blocks[:number], replace(block, stages=block.stages[:depth])))
            kappa = bounds.norm_kappas[f"block{number}.{name}"]
            moved = _largest_row(forward(cut, own, x) - forward(cut, other, x))
            limit = sum(math.exp(value) * moves[key] for key, value in kappa.items())
            assert moved <= limit * (1 + 1e-9) + 1e-11
            assert set(kappa) == set(parameters(cut))


def test_a_variance_floor_lowers_the_lipschitz_constant() -> None:
    bare = post_norm_encoder(1, 1, WIDTH, 5, eps="1e-12")
    floored = post_norm_encoder(1, 1, WIDTH, 5, eps="1e-12", floor=True)
    norms = dict.fromkeys(parameters(bare), 0.0) | {"input": 0.0}
    floors = {"block0.norm1.floor": math.log(0.25), "block0.norm2.floor": math.log(0.25)}
    without = propagate(bare, norms, LogFloatRing()).lip
    with_floor = propagate(floored, norms | floors, LogFloatRing()).lip
    # two normalizations, each 1e6 without a floor and 2 with it
    assert math.isclose(without - with_floor, 2 * math.log(1e6 / 2), rel_tol=1e-9)


def test_matrices_that_are_shared_sum_over_their_uses() -> None:
    llama = pre_norm_decoder(1, 4, 8, 6, "silu", kind="rms", key_heads=2, gated=True, rotary=True,
                             biases=False)
    norms = dict.fromkeys(parameters(llama), 0.0) | {"input": 0.0}
    kappa = propagate(llama, norms, LogFloatRing()).kappa
    # two query heads use one key matrix, and all have the same norms
    assert math.isclose(kappa["block0.group0.K"] - kappa["block0.head0.Q"], math.log(2))


def test_a_parameter_without_a_norm_is_named() -> None:
    network = normalized(1, 1, WIDTH, 4, "gelu")
    with pytest.raises(UnusableInput, match=r"block0.head0.QK"):
        propagate(network, {"input": 0.0}, LogFloatRing())
    norms = dict.fromkeys(parameters(network), 0.0)
    with pytest.raises(UnusableInput, match="input"):
        propagate(network, norms, LogFloatRing())
    wrong = normalized(1, 1, WIDTH, 4, "sine")
    with pytest.raises(UnusableInput, match="sine"):
        propagate(wrong, norms | {"input": 0.0}, LogFloatRing())


def test_ninety_six_blocks_stay_finite_in_the_log_domain() -> None:
    network = post_norm_encoder(96, 2, WIDTH, 4, "gelu", eps="1e-12")
    norms = dict.fromkeys(parameters(network), math.log(1e4)) | {"input": 0.0}
    bounds = propagate(network, norms, LogFloatRing())
    assert 709 < bounds.lip < math.inf
    assert all(math.isfinite(value) for value in bounds.kappa.values())
    with ctx.workprec(128):
        balls = {key: arb(10) ** 4 for key in parameters(network)} | {"input": arb(1)}
        lip = propagate(network, balls, BallRing()).lip
        assert math.isclose(float(lip.log().mid()), bounds.lip, rel_tol=1e-12)


def test_descriptions_survive_json_and_refuse_what_they_do_not_know() -> None:
    for network in NETWORKS.values():
        assert from_json(json.loads(json.dumps(to_json(network)))) == network
    data = to_json(NETWORKS["encoder"])
    data["blocks"][0]["stages"][1]["colour"] = "red"
    with pytest.raises(UnusableInput, match=r"blocks\[0\].stages\[1\].*colour"):
        from_json(data)
    data = to_json(NETWORKS["encoder"])
    data["blocks"][0]["stages"][1]["width"] = "4"
    with pytest.raises(UnusableInput, match="expected int"):
        from_json(data)
    data = to_json(NETWORKS["encoder"])
    data["pooling"] = "max"
    with pytest.raises(UnusableInput, match="pooling"):
        from_json(data)
    data = to_json(NETWORKS["encoder"])
    data["readout"] = [{"type": "Network"}]
    with pytest.raises(UnusableInput, match="expected Attention or"):
        from_json(data)
