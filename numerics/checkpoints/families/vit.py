"""ViT and DeiT: pre-norm, full mask, GELU; the patches pass a convolution that is not a block."""

from dataclasses import replace

from majorant.numerics.checkpoints.family import Family, Head, Slot

_PATCHES = "convolution over image patches: an input map, held fixed; it is not a block's matrix"
_TABLE = "input table (class token or positions): held fixed; it is not a block's matrix"

VIT = Family(
    name="vit",
    model_types=("vit", "deit"),
    block="encoder.layer.{layer}.",
    query=Slot(("attention.attention.query",)),
    key=Slot(("attention.attention.key",)),
    value=Slot(("attention.attention.value",)),
    output=Slot(("attention.output.dense",)),
    feed_in=Slot(("intermediate.dense",)),
    feed_out=Slot(("output.dense",)),
    attention_norm=("layernorm_before",),
    feed_forward_norm=("layernorm_after",),
    norm_kind="layer",
    placement="pre",
    mask="full",
    final_norm=("layernorm",),
    heads=(
        Head((("classifier", None),), "first"),
        Head((("pooler.dense", "tanh"),), "first"),
    ),
    keys={
        "width": ("hidden_size",),
        "heads": ("num_attention_heads",),
        "layers": ("num_hidden_layers",),
        "ff_width": ("intermediate_size",),
        "activation": ("hidden_act",),
        "eps": ("layer_norm_eps",),
    },
    defaults={"activation": "gelu", "eps": 1e-12},
    ignored=(
        (r"embeddings\.patch_embeddings\.projection\.(weight|bias)$", _PATCHES),
        (r"embeddings\.(cls_token|distillation_token|mask_token|position_embeddings)$", _TABLE),
    ),
)

# The same block under the names of transformers 5.
VIT_FLAT = replace(
    VIT,
    block="layers.{layer}.",
    query=Slot(("attention.q_proj",)),
    key=Slot(("attention.k_proj",)),
    value=Slot(("attention.v_proj",)),
    output=Slot(("attention.o_proj",)),
    feed_in=Slot(("mlp.fc1",)),
    feed_out=Slot(("mlp.fc2",)),
)
