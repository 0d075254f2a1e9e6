"""Dual majorants: how far values and first derivatives move with the weights (P5)."""

from __future__ import annotations

import hashlib
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import MajorantError, UnusableInput
from majorant.derivation.network import (
    normalized,
    parameters,
    post_norm_encoder,
    pre_norm_decoder,
    propagate,
)
from majorant.numerics.derivatives.measured import directional, in_ball, row_norm
from majorant.numerics.derivatives.sensitivity import derivative_sensitivities
from majorant.numerics.networks.forward import forward
from majorant.numerics.rings import LogFloatRing
from majorant.numerics.rings.dual import DualRing

WIDTH = 4
NETWORKS = {
    "encoder": post_norm_encoder(1, 2, WIDTH, 5, "gelu", eps="0.5", outputs=2, pooler=True),
    "decoder": pre_norm_decoder(1, 1, WIDTH, 5, "softplus", eps="0.5", outputs=2),
    "llama": pre_norm_decoder(1, 2, WIDTH, 5, "silu", kind="rms", eps="0.5", key_heads=1,
                              gated=True, rotary=True, biases=True, outputs=2),
    "qwen3": pre_norm_decoder(1, 2, WIDTH, 5, "silu", kind="rms", eps="0.5", key_heads=1,
                              gated=True, rotary=True, biases=True, head_eps="0.4", outputs=2),
}


@pytest.mark.parametrize("name", NETWORKS)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.floats(0.1, 1.5), step=st.floats(1e-4, 0.5))
def test_values_and_first_derivatives_move_less_than_the_tangents(
        name: str, seed: int, size: float, step: float) -> None:
    torch.manual_seed(seed)
    network = NETWORKS[name]
    shapes = parameters(network)
    own = {key: size * torch.randn((p.rows, p.cols) if p.kind == "matrix" else (p.cols,),
                                   dtype=torch.float64) for key, p in shapes.items()}
    other = {key: w + step * torch.randn_like(w) for key, w in own.items()}

    def norm(key: str, w: torch.Tensor) -> float:
        kind = shapes[key].kind
        return float(torch.linalg.matrix_norm(w, 2) if kind == "matrix"
                     else w.norm() if kind == "vector" else w.abs().max())

    norms = {key: math.log(max(norm(key, own[key]), norm(key, other[key]))) for key in own}
    moves = derivative_sensitivities(network, norms | {"input": 0.3}, LogFloatRing())
    x = in_ball(9 * torch.randn(3, WIDTH, dtype=torch.float64), math.exp(0.3))
    h = in_ball(9 * torch.randn_like(x))
    for order in (0, 1):
        at_own = directional(lambda r: forward(network, own, r), x, [h] * order)
        for key in sorted(own, key=lambda key: hashlib.md5(f'{key}{seed}'.encode()).digest())[:6]:
            mixed = {**own, key: other[key]}
            at_mixed = directional(lambda r, mixed=mixed: forward(network, mixed, r), x,
                                   [h] * order)
            limit = math.exp(moves[order][key]) * norm(key, own[key] - other[key])
            assert float(row_norm(at_own - at_mixed)) <= limit * (1 + 1e-9) + 1e-11, (key, order)


@pytest.mark.parametrize("name", ["encoder", "decoder"])
def test_order_zero_is_the_sensitivity_of_the_first_order_calculus(name: str) -> None:
    network = NETWORKS[name]
    norms = {key: 0.1 * (k % 7) for k, key in enumerate(parameters(network))} | {"input": 0.2}
    kappa = propagate(network, norms, LogFloatRing()).kappa
    moves = derivative_sensitivities(network, norms, LogFloatRing())[0]
    assert set(moves) == set(kappa)
    for key, value in kappa.items():
        assert math.isclose(value, moves[key], rel_tol=1e-10), key


def test_projections_are_refused_already_at_order_one() -> None:
    network = normalized(1, 1, WIDTH, WIDTH, "gelu")
    with pytest.raises(UnusableInput, match="not smooth"):
        derivative_sensitivities(network, dict.fromkeys(parameters(network), 0.0)
                                 | {"input": 0.0}, LogFloatRing())


def test_roots_and_quotients_of_moving_numbers_are_refused() -> None:
    ring = DualRing(LogFloatRing())
    x = ring.variable("x", 0.0)
    with pytest.raises(MajorantError, match="moves with x"):
        ring.sqrt(x)
    with pytest.raises(MajorantError, match="moves with x"):
        ring.div(ring.constant(0.0), x)
    with pytest.raises(MajorantError, match="moves with x"):
        ring.minimum(x, ring.constant(0.0))
