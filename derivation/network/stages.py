"""The parts that a network description is made of: structure without numbers.

A network is a sequence of stages; every weight appears as a `Parameter`, whose norm is looked up
by its id when the description is propagated. Two stages that use one parameter share its id.
Rows are multiplied from the right, `x -> x W`, in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Parameter:
    """A trained array: its id and shape, and the norm in which it is measured.

    `matrix`: spectral norm; `vector`: Euclidean norm (`rows` is 1); `gain`: largest absolute
    entry (`rows` is 1).

    >>> Parameter("block0.M_in", "matrix", 32, 64).rows
    32
    """

    id: str
    kind: Literal["matrix", "vector", "gain"]
    rows: int
    cols: int


@dataclass(frozen=True)
class QueryKeyForm:
    """Logits `x_t Q x_s^T + c x_s^T` with the scale inside `Q`; `c` comes from a query bias.

    A key bias changes no attention weight here and is left out (A3, biases).
    """

    form: Parameter
    bias: Parameter | None = None


@dataclass(frozen=True)
class QueryKeyFactors:
    """Logits `(x_t W_q + b_q) R (x_s W_k + b_k)^T * multiplier * sqrt(scale_squared)`.

    `rotary`: R is a rotation that depends on t - s, otherwise the identity. `form_norm` is the id
    of a number, the spectral norm of the scaled product, if it is known (used without rotation,
    on the network's own side only). `scale_squared` (`1/64` for heads of width 64) and
    `multiplier` are decimals or fractions. `query_norm`, `key_norm`: normalizations of the head's
    rows before the rotation (Qwen3).
    """

    query: Parameter
    key: Parameter
    scale_squared: str
    query_bias: Parameter | None = None
    key_bias: Parameter | None = None
    rotary: bool = False
    multiplier: str = "1"
    form_norm: str | None = None
    query_norm: Normalization | None = None
    key_norm: Normalization | None = None

    @property
    def normalizes(self) -> bool:
        """Whether queries or keys are normalized."""
        return self.query_norm is not None or self.key_norm is not None


@dataclass(frozen=True)
class ValueForm:
    """Values `x_s V`; `value_norm` is the id of `||W_v||` where the factor is known too."""

    form: Parameter
    value_norm: str | None = None


@dataclass(frozen=True)
class ValueFactors:
    """Values `(x_s W_v + b_v) W_o` with the head's own rows of the output matrix.

    `output` is None where `Attention.output` holds the output matrix of all heads.
    """

    value: Parameter
    output: Parameter | None = None
    bias: Parameter | None = None


@dataclass(frozen=True)
class Head:
    """One attention head."""

    logits: QueryKeyForm | QueryKeyFactors
    values: ValueForm | ValueFactors


@dataclass(frozen=True)
class Attention:
    """Sum of heads plus a shift (`bias`: output bias and what value biases add to it).

    `mask` is informative: the bounds hold for every mask that leaves each row an unmasked key.
    `output`: the output matrix of all heads as one parameter (then heads have no own `output`).
    `output_norm`: the id of `||W_o||` where heads are given as products and it is known.
    """

    heads: tuple[Head, ...]
    bias: Parameter | None = None
    output: Parameter | None = None
    output_norm: str | None = None
    mask: Literal["full", "causal", "padding"] = "full"


@dataclass(frozen=True)
class FeedForward:
    """`phi(x M_in + b_in) M_out + b_out`."""

    w_in: Parameter
    w_out: Parameter
    activation: str
    b_in: Parameter | None = None
    b_out: Parameter | None = None


@dataclass(frozen=True)
class GatedFeedForward:
    """`(phi(x W_gate + b_gate) * (x W_up + b_up)) W_down + b_down`."""

    gate: Parameter
    up: Parameter
    down: Parameter
    activation: str
    b_gate: Parameter | None = None
    b_up: Parameter | None = None
    b_down: Parameter | None = None


@dataclass(frozen=True)
class Normalization:
    """LayerNorm (`layer`) or RMSNorm (`rms`) over `width` entries.

    `eps` is a decimal; `floor` is the id of a number, a lower bound on the variance (mean square
    for RMSNorm) that holds wherever the bound is used (0 if None).
    """

    name: str
    kind: Literal["layer", "rms"]
    width: int
    eps: str
    gain: Parameter | None = None
    bias: Parameter | None = None
    floor: str | None = None


@dataclass(frozen=True)
class Projection:
    """Rows on the unit ball, `x / max(1, ||x||)`."""


@dataclass(frozen=True)
class Linear:
    """`x W + b`."""

    weight: Parameter
    bias: Parameter | None = None


@dataclass(frozen=True)
class Pointwise:
    """An activation on every entry of rows of `width` entries."""

    activation: str
    width: int


@dataclass(frozen=True)
class Residual:
    """`x + branch(x)`."""

    branch: tuple[Stage, ...]


Stage = (
    Attention
    | FeedForward
    | GatedFeedForward
    | Normalization
    | Projection
    | Linear
    | Pointwise
    | Residual
)


@dataclass(frozen=True)
class Block:
    """A named group of stages (one Transformer block)."""

    name: str
    stages: tuple[Stage, ...]


@dataclass(frozen=True)
class Network:
    """Blocks, then a pooling of the tokens, then a readout on one row.

    `input_radius` is the id of a number that bounds the norm of every input row. `entry` are
    stages before the first block (an embedding normalization that is trained, say), `exit`
    stages after the last (a final normalization). Pooling is 1-Lipschitz in the (2, inf) norm.
    """

    family: Literal["normalized", "faithful"]
    width: int
    input_radius: str
    blocks: tuple[Block, ...]
    entry: tuple[Stage, ...] = ()
    exit: tuple[Stage, ...] = ()
    pooling: Literal["cls", "last", "mean", "tokens"] = "cls"
    readout: tuple[Stage, ...] = ()
    outputs: int | None = None
