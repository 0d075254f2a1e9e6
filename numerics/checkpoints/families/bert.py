"""BERT and what is built like it (MiniLM, sentence-transformers): post-norm, full mask, GELU."""

from majorant.numerics.checkpoints.family import Family, Head, Slot

BERT = Family(
    name="bert",
    model_types=("bert",),
    block="encoder.layer.{layer}.",
    query=Slot(("attention.self.query",)),
    key=Slot(("attention.self.key",)),
    value=Slot(("attention.self.value",)),
    output=Slot(("attention.output.dense",)),
    feed_in=Slot(("intermediate.dense",)),
    feed_out=Slot(("output.dense",)),
    attention_norm=("attention.output.LayerNorm",),
    feed_forward_norm=("output.LayerNorm",),
    norm_kind="layer",
    placement="post",
    mask="full",
    tokens=("embeddings.word_embeddings",),
    positions=("embeddings.position_embeddings",),
    segments=("embeddings.token_type_embeddings",),
    embedding_norm=("embeddings.LayerNorm",),
    heads=(
        Head((("pooler.dense", "tanh"), ("classifier", None)), "first"),
        Head((("classifier", None),), "token"),
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
    required={
        "position_embedding_type": ("absolute", None),
        "is_decoder": (False, None),
        "add_cross_attention": (False, None),
    },
    ignored=(
        (r"embeddings\.position_ids$", "buffer of position numbers, not a weight"),
        (r"^cls\.", "pre-training head: not part of the blocks or of the read-out"),
    ),
)
