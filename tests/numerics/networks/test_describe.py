"""Descriptions of checkpoints compute what the library's own models compute."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network, from_json, parameters, propagate, to_json
from majorant.numerics.checkpoints import open_model
from majorant.numerics.networks import DescribedNetwork, describe, describe_twin
from majorant.numerics.networks.forward import forward
from majorant.numerics.networks.norms import norm_balls
from majorant.numerics.rings import BallRing

transformers = pytest.importorskip("transformers")
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

_SIZES = {"hidden_size": 16, "num_attention_heads": 4, "num_hidden_layers": 2,
          "intermediate_size": 24}
_GROUPED = {**_SIZES, "num_key_value_heads": 2, "vocab_size": 40, "pad_token_id": 0}


def _model(family: str, folder: Path) -> Any:
    t = transformers
    kind, config = {
        "bert": lambda: (t.BertModel, t.BertConfig(vocab_size=40, **_SIZES)),
        "gpt2": lambda: (t.GPT2Model, t.GPT2Config(
            vocab_size=40, n_embd=16, n_head=4, n_layer=2, n_positions=32)),
        "llama": lambda: (t.LlamaModel, t.LlamaConfig(**_GROUPED)),
        "qwen2": lambda: (t.Qwen2Model, t.Qwen2Config(**_GROUPED)),
        "qwen3": lambda: (t.Qwen3Model, t.Qwen3Config(head_dim=4, **_GROUPED)),
        "vit": lambda: (t.ViTModel, t.ViTConfig(image_size=8, patch_size=4, **_SIZES)),
    }[family]()
    config._attn_implementation = "eager"
    torch.manual_seed(0)
    model = kind(config).double().eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(0.3 * torch.randn_like(parameter)
                            + (1.0 if "norm" in name.lower() or "ln_" in name else 0.0))
    model.save_pretrained(folder)
    return model


def _tensors(described: DescribedNetwork) -> dict[str, torch.Tensor]:
    tensors = {}
    for key, source in described.sources.items():
        loaded = source.load()
        if isinstance(loaded, tuple):
            loaded = loaded[0] @ loaded[1].T
        tensors[key] = loaded * (float(source.scale_squared) ** 0.5)
    return tensors


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "qwen2", "qwen3", "vit"])
def test_the_description_computes_the_model(family: str, tmp_path: Path) -> None:
    model = _model(family, tmp_path)
    described = describe(open_model(str(tmp_path)), input_radius=50.0)
    inputs = ({"pixel_values": torch.randn(1, 3, 8, 8, dtype=torch.float64)} if family == "vit"
              else {"input_ids": torch.tensor([[3, 7, 1, 9, 22]])})
    with torch.no_grad():
        out = model(**inputs, output_hidden_states=True)
    rows = out.hidden_states[0][0]
    tensors = _tensors(described)
    network = described.network
    whole = Network(network.family, network.width, "input", network.blocks, exit=network.exit,
                    pooling="tokens")
    state = forward(whole, tensors, rows)
    expected = out.last_hidden_state[0]
    # the library does parts of these in float32
    single = family in ("llama", "qwen2", "qwen3", "vit")
    torch.testing.assert_close(state, expected, rtol=1e-3 if single else 1e-8,
                               atol=1e-5 if single else 1e-8)

    balls = norm_balls(described)
    for key, parameter in parameters(network).items():
        tensor = tensors[key]
        norm = (torch.linalg.matrix_norm(tensor, 2) if parameter.kind == "matrix"
                else tensor.norm() if parameter.kind == "vector" else tensor.abs().max())
        assert abs(float(balls[key].mid()) - float(norm)) < 1e-9 * (1 + float(norm)), key
        assert float(balls[key].rad()) < 1e-9 * (1 + float(norm)), key
    bound = propagate(whole, balls, BallRing())
    assert float(rows.norm(dim=-1).max()) <= 50
    assert float(expected.norm(dim=-1).max()) <= float(bound.radii["output"].upper())
    assert from_json(to_json(network)) == network


def test_normalized_queries_and_keys_share_their_gains(tmp_path: Path) -> None:
    """Qwen3: one gain for the queries of a layer and one for its keys, and no variance floor."""
    _model("qwen3", tmp_path)
    network = describe(open_model(str(tmp_path)), floors=True).network
    attention = network.blocks[0].stages[0].branch[1]  # type: ignore[union-attr]
    norms = {head.logits.query_norm for head in attention.heads}  # type: ignore[union-attr]
    (norm,) = norms
    assert norm.floor is None
    assert norm.gain.id == "block0.q_norm.gain"


def test_patches_need_a_radius(tmp_path: Path) -> None:
    _model("vit", tmp_path)
    described = describe(open_model(str(tmp_path)))
    with pytest.raises(UnusableInput, match="--input-radius"):
        described.input_radius()


def test_the_input_radius_bounds_every_embedded_row(tmp_path: Path) -> None:
    for family in ("bert", "gpt2", "llama"):
        model = _model(family, tmp_path / family)
        described = describe(open_model(str(tmp_path / family)))
        ids = torch.arange(30)[None] % 40
        with torch.no_grad():
            rows = model(input_ids=ids, output_hidden_states=True).hidden_states[0][0]
        largest = float(rows.norm(dim=-1).max())
        assert largest <= described.input_radius() <= 10 * largest


def test_the_twin_has_no_biases_and_radius_one(tmp_path: Path) -> None:
    _model("bert", tmp_path)
    twin = describe_twin(open_model(str(tmp_path)))
    assert set(twin.sources) == set(parameters(twin.network))
    assert all(p.kind == "matrix" for p in parameters(twin.network).values())
    assert twin.input_radius() == 1.0
    assert math.isclose(float(propagate(twin.network, norm_balls(twin), BallRing())
                              .radii["block0"].mid()), 1.0)


def test_gated_models_have_no_twin(tmp_path: Path) -> None:
    _model("llama", tmp_path)
    with pytest.raises(UnusableInput, match="faithful"):
        describe_twin(open_model(str(tmp_path)))
