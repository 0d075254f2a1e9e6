"""Phi-3: Llama's block with query, key, value in one matrix, and gate and up in another."""

from dataclasses import replace

from majorant.numerics.checkpoints.families.llama import LLAMA
from majorant.numerics.checkpoints.family import Slot

_FUSED = ("self_attn.qkv_proj",)
_GATED = ("mlp.gate_up_proj",)

PHI3 = replace(
    LLAMA,
    name="phi3",
    model_types=("phi3",),
    query=Slot(_FUSED, part="query"),
    key=Slot(_FUSED, part="key"),
    value=Slot(_FUSED, part="value"),
    gate=Slot(_GATED, part="gate"),
    feed_in=Slot(_GATED, part="up"),
    query_norm=(),
    key_norm=(),
    defaults={"activation": "silu", "eps": 1e-5},
)
