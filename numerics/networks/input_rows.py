"""The rows that enter the first block for a sequence of token ids: what the tables say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.model import Model
from majorant.numerics.checkpoints.rotary import rotary_entries
from majorant.numerics.networks.embedding_tables import EMBEDDING_NORM


def input_rows(model: Model, config: dict[str, Any] | None = None,
               observe: Callable[[str, Tensor], None] | None = None) -> Callable[[Tensor], Tensor]:
    """A function from token ids (..., T) to rows (..., T, N), float64: summed tables, normalized.

    Every token is of segment 0. Positions count from 0 (RoBERTa: from the padding id plus 1).
    `config` is the checkpoint's configuration (an adapter has none of its own: give its base's);
    `observe` is told the variances inside the embeddings' normalization.
    Raises `UnusableInput` for models whose input is not a token table, whose rotary positions are
    not the plain ones of base 10000, or whose attention has a sliding window.
    """
    found = model.source.json("config.json") if config is None else config
    facts = found if isinstance(found, dict) else {}
    embedding = model.embedding
    if embedding.tokens is None:
        raise UnusableInput(f"{model.family}: the input comes from no token table (image patches); "
                            "measure with your own forward pass")
    if model.blocks[0].attention.rotary:
        _plain_rotary(facts, model.source.label)
    tokens = embedding.tokens.load()
    positions = None if embedding.positions is None else embedding.positions.load()
    first = int(facts.get("pad_token_id", 1)) + 1 if model.family == "roberta" else 0
    segment = None if embedding.segments is None else embedding.segments.load()[0]
    norm = None if embedding.norm is None else (
        embedding.norm.gain(), embedding.norm.bias(), embedding.norm.eps)

    def rows(ids: Tensor) -> Tensor:
        length = ids.shape[-1]
        if ids.min() < 0 or ids.max() >= len(tokens):
            raise UnusableInput(f"token ids: expected 0 to {len(tokens) - 1}, the sample has "
                                f"{int(ids.min())} to {int(ids.max())}")
        x = tokens[ids]
        if positions is not None:
            if first + length > len(positions):
                raise UnusableInput(f"a sequence of {length} tokens: the model has positions for "
                                    f"{len(positions) - first}")
            x = x + positions[first : first + length]
        if segment is not None:
            x = x + segment
        if norm is None:
            return x
        x = x - x.mean(dim=-1, keepdim=True)
        gain, bias, eps = norm
        variance = x.square().mean(dim=-1, keepdim=True)
        if observe is not None:
            observe(EMBEDDING_NORM, variance[..., 0])
        x = x / (variance + eps).sqrt() * gain
        return x if bias is None else x + bias

    return rows


def _plain_rotary(config: dict[str, Any], where: str) -> None:
    for rope in rotary_entries(config, where) or [{}]:
        base = config.get("rope_theta", rope.get("rope_theta", 10000.0))
        kind = rope.get("rope_type", rope.get("type", "default"))
        share = config.get("partial_rotary_factor", rope.get("partial_rotary_factor", 1.0))
        if (base, kind, share) != (10000.0, "default", 1.0) or config.get("sliding_window"):
            raise UnusableInput(
                f"{where}: the reader's forward pass knows plain rotary positions of base 10000 "
                f"without a sliding window; this model has base {base}, type {kind!r}, share "
                f"{share}, window {config.get('sliding_window')}. Measure with your own forward "
                "pass")
