"""Sensitivities of rotary, gated blocks: no movement of a matrix moves the output by more."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from majorant.derivation.network.families import normalized_gated
from majorant.numerics.networks.forward import forward
from majorant.numerics.proxies.gated import gated_log_sensitivities
from majorant.numerics.spectra import spectra

transformers = pytest.importorskip("transformers")


def test_moving_a_matrix_moves_the_output_by_at_most_kappa(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = transformers.LlamaModel(transformers.LlamaConfig(
        vocab_size=20, hidden_size=8, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, intermediate_size=12))
    with torch.no_grad():
        for weight in model.layers.parameters():
            if weight.ndim == 2:
                weight.copy_(torch.randn_like(weight) * 0.6)
    model.save_pretrained(tmp_path)
    found = spectra(tmp_path)
    kappas = gated_log_sensitivities(found)
    network = normalized_gated(2, 4, 2, 8, 2, 12, "silu")
    weights: dict[str, Any] = {}
    for layer, block in enumerate(_blocks(tmp_path)):
        att, ff = block.attention, block.feed_forward
        for h in range(4):
            weights[f"block{layer}.head{h}.Q"] = att.query(h)
            weights[f"block{layer}.group{att.kv_head(h)}.K"] = att.key(h)
            value, output = att.value_output(h)
            weights[f"block{layer}.head{h}.V"] = value @ output.T
        weights |= {f"block{layer}.M_in": ff.w_in(), f"block{layer}.M_out": ff.w_out(),
                    f"block{layer}.M_gate": ff.w_gate()}
    ids = [name.replace("blocks.", "block", 1).replace(".kv_heads.", ".group")
           .replace(".heads.", ".head") for name in found.names]
    assert set(ids) == set(weights)
    rows = torch.randn(5, 8, dtype=torch.float64)
    rows = rows / rows.norm(dim=-1, keepdim=True)
    still = forward(network, weights, rows)
    tightest = 0.0
    for name, log_kappa in zip(ids, kappas.tolist(), strict=True):
        # shrinking keeps every norm below what the sensitivities were computed from
        step = 0.05 * weights[name]
        moved = forward(network, weights | {name: weights[name] - step}, rows)
        ratio = float((moved - still).norm() / torch.linalg.matrix_norm(step, 2))
        tightest = max(tightest, ratio / math.exp(log_kappa))
    assert 1e-6 < tightest <= 1


def _blocks(folder: Path) -> Any:
    from majorant.numerics.checkpoints import open_model

    return open_model(folder).blocks
