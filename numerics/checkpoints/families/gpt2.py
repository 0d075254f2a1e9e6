"""GPT-2: pre-norm, causal mask, one fused `c_attn`; its `Conv1D` stores `(in, out)`."""

from majorant.numerics.checkpoints.family import Family, Head, Slot

GPT2 = Family(
    name="gpt2",
    model_types=("gpt2",),
    block="h.{layer}.",
    query=Slot(("attn.c_attn",), part="query"),
    key=Slot(("attn.c_attn",), part="key"),
    value=Slot(("attn.c_attn",), part="value"),
    output=Slot(("attn.c_proj",)),
    feed_in=Slot(("mlp.c_fc",)),
    feed_out=Slot(("mlp.c_proj",)),
    attention_norm=("ln_1",),
    feed_forward_norm=("ln_2",),
    norm_kind="layer",
    placement="pre",
    mask="causal",
    stored="in_out",
    tokens=("wte",),
    positions=("wpe",),
    final_norm=("ln_f",),
    heads=(
        Head((("score", None),), "last"),
        Head((("lm_head", None),), "token"),
    ),
    keys={
        "width": ("n_embd", "hidden_size"),
        "heads": ("n_head", "num_attention_heads"),
        "layers": ("n_layer", "num_hidden_layers"),
        "ff_width": ("n_inner",),
        "activation": ("activation_function",),
        "eps": ("layer_norm_epsilon",),
    },
    defaults={"activation": "gelu_new", "eps": 1e-5},
    required={"add_cross_attention": (False, None)},
    ignored=((r"(^|\.)attn\.(masked_)?bias$", "buffer of the causal mask, not a weight"),),
)
