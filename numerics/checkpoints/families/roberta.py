"""RoBERTa, XLM-RoBERTa and CamemBERT: BERT's blocks under other head names."""

from dataclasses import replace

from majorant.numerics.checkpoints.families.bert import BERT
from majorant.numerics.checkpoints.family import Head

ROBERTA = replace(
    BERT,
    name="roberta",
    model_types=("roberta", "xlm-roberta", "camembert"),
    heads=(
        Head((("classifier.dense", "tanh"), ("classifier.out_proj", None)), "first"),
        Head((("classifier", None),), "token"),
        Head((("pooler.dense", "tanh"),), "first"),
    ),
    defaults={"activation": "gelu", "eps": 1e-5},
    ignored=(
        (r"embeddings\.position_ids$", "buffer of position numbers, not a weight"),
        (r"^lm_head\.", "pre-training head: not part of the blocks or of the read-out"),
    ),
)
