"""Small real checkpoints of every family, written by the transformers classes themselves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

transformers = pytest.importorskip("transformers")
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

_COMMON = {
    "hidden_size": 16,
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "intermediate_size": 24,
}
_GROUPED = {**_COMMON, "num_key_value_heads": 2, "vocab_size": 40, "pad_token_id": 0}


def _configurations() -> dict[str, tuple[type, Any]]:
    t = transformers
    distil = {"dim": 16, "n_heads": 4, "n_layers": 3, "hidden_dim": 24, "vocab_size": 40}
    gpt = {"vocab_size": 40, "n_embd": 16, "n_head": 4, "n_layer": 3, "n_positions": 32}
    vit = {**_COMMON, "image_size": 8, "patch_size": 4}
    return {
        "bert": (t.BertForSequenceClassification, t.BertConfig(vocab_size=40, **_COMMON)),
        "roberta": (
            t.RobertaForSequenceClassification,
            t.RobertaConfig(vocab_size=40, layer_norm_eps=1e-5, **_COMMON),
        ),
        "distilbert": (
            t.DistilBertForSequenceClassification,
            t.DistilBertConfig(**distil),
        ),
        "gpt2": (t.GPT2LMHeadModel, t.GPT2Config(**gpt)),
        "gpt2-scaled": (
            t.GPT2LMHeadModel,
            t.GPT2Config(scale_attn_by_inverse_layer_idx=True, n_inner=24, **gpt),
        ),
        "llama": (t.LlamaForCausalLM, t.LlamaConfig(**_GROUPED)),
        "mistral": (t.MistralForCausalLM, t.MistralConfig(**_GROUPED)),
        "qwen2": (t.Qwen2ForCausalLM, t.Qwen2Config(**_GROUPED)),
        "qwen3": (t.Qwen3ForCausalLM, t.Qwen3Config(head_dim=8, **_GROUPED)),
        "phi3": (t.Phi3ForCausalLM, t.Phi3Config(**_GROUPED)),
        "vit": (t.ViTForImageClassification, t.ViTConfig(**vit)),
    }


FAMILIES = list(_configurations())


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., tuple[Any, Path]]:
    """`make(family, biases=True)` -> the library's model in float64, and the folder it wrote."""

    def build(family: str, *, biases: bool = True, seed: int = 0) -> tuple[Any, Path]:
        kind, config = _configurations()[family]
        config._attn_implementation = "eager"
        model = kind(config).double().eval()
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
                parameter.copy_(0.3 * noise + (1.0 if "norm" in name.lower() else 0.0))
                if name.endswith("bias") and not biases:
                    parameter.zero_()
        folder = tmp_path / f"{family}-{seed}-{biases}"
        model.save_pretrained(folder)
        return model, folder

    return build
