"""The vocabulary of an architecture table: which name is which matrix, and how it is stored."""

from dataclasses import dataclass, field
from typing import Any, Literal

Stored = Literal["out_in", "in_out"]


@dataclass(frozen=True)
class Slot:
    """A linear map of a block: the stems (without `.weight`) that may hold it.

    `part` is set where one stored matrix holds several maps side by side: `query`, `key` and
    `value` are split by the head counts, `gate` and `up` in halves.
    """

    stems: tuple[str, ...]
    part: Literal["query", "key", "value", "gate", "up"] | None = None


@dataclass(frozen=True)
class Head:
    """A way to read the last block out: linear maps in order, each `(stem, activation)`.

    The first stem must be present for this head to be the one. `pooling` is where it looks.
    """

    layers: tuple[tuple[str, str | None], ...]
    pooling: Literal["first", "last", "mean", "token"]


@dataclass(frozen=True)
class Family:
    """One architecture: a table of names and facts, no code.

    `model_types` are the words of `config.json`; `block` the name pattern of a block, with
    `{layer}`; `keys` maps a fact (`width`, `heads`, `kv_heads`, `head_width`, `layers`,
    `ff_width`, `activation`, `eps`) to the configuration's keys for it; `defaults` are the
    library's values where a configuration leaves a key out; `required` are keys with the only
    value that the table describes; `ignored` are `(regular expression, reason)` for tensors that
    have no role.
    """

    name: str
    model_types: tuple[str, ...]
    block: str
    query: Slot
    key: Slot
    value: Slot
    output: Slot
    feed_in: Slot
    feed_out: Slot
    attention_norm: tuple[str, ...]
    feed_forward_norm: tuple[str, ...]
    norm_kind: Literal["layer", "rms"]
    placement: Literal["pre", "post"]
    mask: Literal["full", "causal"]
    keys: dict[str, tuple[str, ...]]
    defaults: dict[str, Any]
    stored: Stored = "out_in"
    gate: Slot | None = None
    rotary: bool = False
    query_norm: tuple[str, ...] = ()
    key_norm: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    embedding_norm: tuple[str, ...] = ()
    final_norm: tuple[str, ...] = ()
    heads: tuple[Head, ...] = ()
    required: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    ignored: tuple[tuple[str, str], ...] = ()
