"""Llama, Mistral, Qwen2 and Qwen3: pre-RMSNorm, grouped heads, rotary positions, gated SiLU."""

from majorant.numerics.checkpoints.family import Family, Head, Slot

LLAMA = Family(
    name="llama",
    model_types=("llama", "mistral", "qwen2", "qwen3"),
    block="layers.{layer}.",
    query=Slot(("self_attn.q_proj",)),
    key=Slot(("self_attn.k_proj",)),
    value=Slot(("self_attn.v_proj",)),
    output=Slot(("self_attn.o_proj",)),
    feed_in=Slot(("mlp.up_proj",)),
    feed_out=Slot(("mlp.down_proj",)),
    gate=Slot(("mlp.gate_proj",)),
    attention_norm=("input_layernorm",),
    feed_forward_norm=("post_attention_layernorm",),
    norm_kind="rms",
    placement="pre",
    mask="causal",
    rotary=True,
    query_norm=("self_attn.q_norm",),
    key_norm=("self_attn.k_norm",),
    tokens=("embed_tokens",),
    final_norm=("norm",),
    heads=(
        Head((("score", None),), "last"),
        Head((("lm_head", None),), "token"),
    ),
    keys={
        "width": ("hidden_size",),
        "heads": ("num_attention_heads",),
        "kv_heads": ("num_key_value_heads",),
        "head_width": ("head_dim",),
        "layers": ("num_hidden_layers",),
        "ff_width": ("intermediate_size",),
        "activation": ("hidden_act",),
        "eps": ("rms_norm_eps",),
    },
    defaults={"activation": "silu", "eps": 1e-6},
    ignored=((r"rotary_emb\.inv_freq$", "buffer of rotary frequencies, not a weight"),),
)
