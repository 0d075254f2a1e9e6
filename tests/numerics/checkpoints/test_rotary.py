"""Scaled rotary positions: the multiplier is that of the real network, or an error."""

from typing import Any

import pytest

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.rotary import logit_multiplier

transformers = pytest.importorskip("transformers")
PLAIN = {"rope_type": "default", "rope_theta": 10000.0}
YARN = {"type": "yarn", "factor": 4.0}


@pytest.mark.parametrize("config", [
    {"rope_scaling": YARN},
    {"rope_parameters": PLAIN, "rope_scaling": YARN},
    {"rope_parameters": {**PLAIN, **YARN, "rope_type": "yarn"}},
    {"rope_parameters": {"rope_type": "longrope", "factor": 4.0, "rope_theta": 10000.0,
                         "original_max_position_embeddings": 16,
                         "short_factor": [1.0] * 2, "long_factor": [1.0] * 2}},
])
def test_the_multiplier_is_at_least_that_of_transformers(config: dict[str, Any]) -> None:
    sizes = {"hidden_size": 16, "num_attention_heads": 4, "max_position_embeddings": 64}
    made = transformers.LlamaConfig.from_dict({**sizes, **config})
    rotary = transformers.models.llama.modeling_llama.LlamaRotaryEmbedding(made)
    real = rotary.attention_scaling
    assert real > 1
    assert real**2 <= logit_multiplier({**sizes, **config}, "m") <= real**2 * (1 + 1e-12)


@pytest.mark.parametrize("rope", [
    "foo", [1], {**YARN, "factor": "x"}, {**YARN, "factor": float("nan")},
    {**YARN, "attention_factor": -1.0}, {"type": "yarn"}, {"type": "spiral"}, {"type": ["yarn"]},
])
@pytest.mark.parametrize("key", ["rope_parameters", "rope_scaling"])
def test_a_description_that_says_nothing_clear_is_refused(key: str, rope: Any) -> None:
    with pytest.raises(UnusableInput, match=r"^m: "):
        logit_multiplier({key: rope, "max_position_embeddings": 64}, "m")


def test_positions_by_kind_of_layer_take_the_largest() -> None:
    kinds = {"full_attention": YARN, "sliding_attention": PLAIN}
    assert logit_multiplier({"rope_parameters": kinds}, "m") > 1.29
