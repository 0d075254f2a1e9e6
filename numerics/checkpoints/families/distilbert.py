"""DistilBERT: BERT's block under its own names, without segments or a pooler."""

from majorant.numerics.checkpoints.family import Family, Head, Slot

DISTILBERT = Family(
    name="distilbert",
    model_types=("distilbert",),
    block="transformer.layer.{layer}.",
    query=Slot(("attention.q_lin",)),
    key=Slot(("attention.k_lin",)),
    value=Slot(("attention.v_lin",)),
    output=Slot(("attention.out_lin",)),
    feed_in=Slot(("ffn.lin1",)),
    feed_out=Slot(("ffn.lin2",)),
    attention_norm=("sa_layer_norm",),
    feed_forward_norm=("output_layer_norm",),
    norm_kind="layer",
    placement="post",
    mask="full",
    tokens=("embeddings.word_embeddings",),
    positions=("embeddings.position_embeddings",),
    embedding_norm=("embeddings.LayerNorm",),
    heads=(
        Head((("pre_classifier", "relu"), ("classifier", None)), "first"),
        Head((("classifier", None),), "token"),
    ),
    keys={
        "width": ("dim",),
        "heads": ("n_heads",),
        "layers": ("n_layers",),
        "ff_width": ("hidden_dim",),
        "activation": ("activation",),
        # The library hard-codes 1e-12; no configuration key exists.
        "eps": (),
    },
    defaults={"activation": "gelu", "eps": 1e-12},
    ignored=(
        (r"embeddings\.position_ids$", "buffer of position numbers, not a weight"),
        (r"^vocab_", "pre-training head: not part of the blocks or of the read-out"),
    ),
)
