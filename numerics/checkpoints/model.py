"""A Transformer checkpoint as the bounds see it: dimensions, facts and lazy matrices."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from majorant.numerics.checkpoints.layers import Attention, Dense, FeedForward, Norm
from majorant.numerics.checkpoints.source import Source
from majorant.numerics.checkpoints.store import Store
from majorant.numerics.checkpoints.view import View

Placement = Literal["pre", "post"]


@dataclass(frozen=True)
class Dimensions:
    """`layers` L, `width` N, `heads` H, `kv_heads`, `head_width` d_h, `ff_width` N_ff."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    head_width: int
    ff_width: int


@dataclass(frozen=True)
class Block:
    """One block. `placement` says where the norms sit (`a`, `f` attention and feed-forward):

    * `post` (BERT): `y = attention_norm(x + a(x))`, `z = feed_forward_norm(y + f(y))`;
    * `pre` (GPT-2, Llama, ViT): `y = x + a(attention_norm(x))`,
      `z = y + f(feed_forward_norm(y))`.
    """

    index: int
    placement: Placement
    attention: Attention
    attention_norm: Norm
    feed_forward: FeedForward
    feed_forward_norm: Norm

    @property
    def layer_norms(self) -> tuple[Norm, Norm]:
        """`(attention_norm, feed_forward_norm)`."""
        return self.attention_norm, self.feed_forward_norm


@dataclass(frozen=True)
class Embedding:
    """The tables that make the first block's input: their rows are summed, then normalized.

    Absent tables are `None`; `norm` is `None` outside the BERT family. For ViT, `tokens` is
    `None`: its patches pass through a convolution, which is listed under `Model.skipped`.
    """

    tokens: View | None
    positions: View | None
    segments: View | None
    norm: Norm | None


@dataclass(frozen=True)
class Readout:
    """What follows the last block (and `Model.final_norm`): pooling, then `layers` in order.

    `pooling`: `first` token, `last` token, `mean` of the unmasked tokens, or `token` (each token
    by itself, language models). `normalizes`: the result is divided by its Euclidean norm.
    """

    pooling: Literal["first", "last", "mean", "token"]
    layers: tuple[Dense, ...]
    normalizes: bool = False


@dataclass(frozen=True)
class Skipped:
    """A tensor of the checkpoint that no matrix of the model uses, and why.

    `inside_block`: it sits in a block and no rule of the family explains it, so the real block
    may compute something else than the one described; bounds on the real block must refuse.
    """

    name: str
    shape: tuple[int, ...]
    reason: str
    inside_block: bool = False


@dataclass(frozen=True)
class Tied:
    """Several names for one tensor; counted once, under `names[0]`."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Model:
    """What `open_model` returns. No weight is in memory; each `View.load()` reads one tensor.

    `family` is the architecture table's name, `model_type` the configuration's own word (the
    family's name if there is no configuration), `assumptions` every fact that was not read from
    the checkpoint, in words, `prefix` what precedes the block names in the file.
    """

    source: Source
    store: Store
    family: str
    model_type: str
    prefix: str
    placement: Placement
    dimensions: Dimensions
    embedding: Embedding
    blocks: tuple[Block, ...]
    final_norm: Norm | None
    readout: Readout | None
    skipped: tuple[Skipped, ...]
    tied: tuple[Tied, ...]
    assumptions: tuple[str, ...]

    @property
    def bert_like(self) -> bool:
        """Whether the published proxies are defined: plain feed-forward, full mask, no rotation.

        Theory 4.1 reads BERT-like encoders, with `V` and `QK` per head and two feed-forward
        matrices per layer.
        """
        return self.placement == "post" and all(
            not b.feed_forward.gated and b.attention.mask == "full" and not b.attention.rotary
            for b in self.blocks
        )

    def unexplained(self) -> Iterator[Skipped]:
        """Tensors inside blocks that no rule explains (see `Skipped.inside_block`)."""
        return (skipped for skipped in self.skipped if skipped.inside_block)
