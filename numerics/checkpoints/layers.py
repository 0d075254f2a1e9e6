"""The parts of a block: norms, attention, feed-forward, as lazy references with their facts."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.view import View


@dataclass(frozen=True)
class Norm:
    """`LayerNorm` (`kind="layer"`, the mean is removed) or `RMSNorm` (`kind="rms"`).

    `x -> gain * (x - mean) / sqrt(var + eps) + bias`; a missing gain is 1, a missing bias 0.
    """

    kind: Literal["layer", "rms"]
    width: int
    eps: float
    gain_view: View | None
    bias_view: View | None

    def gain(self) -> torch.Tensor:
        """Gain, shape `(width,)`, float64."""
        if self.gain_view is None:
            return torch.ones(self.width, dtype=torch.float64)
        return self.gain_view.load()

    def bias(self) -> torch.Tensor | None:
        """Bias, shape `(width,)`, float64; `None` if there is none."""
        return None if self.bias_view is None else self.bias_view.load()


@dataclass(frozen=True)
class Dense:
    """One linear map `x -> act(x W + b)`; `activation` is `None` if it is linear."""

    weight: View
    bias_view: View | None = None
    activation: str | None = None

    def bias(self) -> torch.Tensor | None:
        """Bias, float64, or `None`."""
        return None if self.bias_view is None else self.bias_view.load()


@dataclass(frozen=True)
class Attention:
    """Multi-head attention in row-vector orientation.

    `query_view` is `(N, H d_h)`, `key_view` and `value_view` `(N, H_kv d_h)`, `output_view`
    `(H d_h, N)`. Logits of head `h` are `(x_t W_q + b_q) R_{t-s} (x_s W_k + b_k)^T * scale`, with
    `R = I` unless `rotary`. `scale` is `sqrt(scale_squared)`, exact as a fraction; with scaled
    rotary positions `logit_multiplier` (rounded up) comes on top. `query_norm` and `key_norm`
    (Qwen3) act on each head's rows before the rotation.
    """

    query_view: View
    key_view: View
    value_view: View
    output_view: View
    query_bias_view: View | None
    key_bias_view: View | None
    value_bias_view: View | None
    output_bias_view: View | None
    heads: int
    kv_heads: int
    head_width: int
    scale_squared: Fraction
    mask: Literal["full", "causal"]
    rotary: bool
    logit_multiplier: float = 1.0
    query_norm: Norm | None = None
    key_norm: Norm | None = None

    @property
    def scale(self) -> float:
        """The factor on the logits, usually `1/sqrt(d_h)`, as a float."""
        return float(self.scale_squared) ** 0.5

    def kv_head(self, head: int) -> int:
        """The key-value head that query head `head` uses (grouped-query attention)."""
        if not 0 <= head < self.heads:
            raise UnusableInput(f"head {head}: expected 0 <= head < {self.heads}.")
        return head // (self.heads // self.kv_heads)

    def query(self, head: int) -> torch.Tensor:
        """`W_q` of one head, `(N, d_h)`, float64."""
        return self._columns(self.query_view, head).load()

    def key(self, head: int) -> torch.Tensor:
        """`W_k` that query head `head` uses, `(N, d_h)`, float64."""
        return self._columns(self.key_view, self.kv_head(head)).load()

    def value(self, head: int) -> torch.Tensor:
        """`W_v` that query head `head` uses, `(N, d_h)`, float64."""
        return self._columns(self.value_view, self.kv_head(head)).load()

    def output(self, head: int) -> torch.Tensor:
        """The rows of `W_o` that belong to one head, `(d_h, N)`, float64."""
        width = self.head_width
        return self.output_view.row_range(head * width, (head + 1) * width).load()

    def query_bias(self, head: int) -> torch.Tensor | None:
        """`b_q` of one head, `(d_h,)`, float64, or `None`."""
        view = self.query_bias_view
        return None if view is None else self._columns(view, head).load()

    def key_bias(self, head: int) -> torch.Tensor | None:
        """`b_k` that query head `head` uses, `(d_h,)`, float64, or `None`."""
        view = self.key_bias_view
        return None if view is None else self._columns(view, self.kv_head(head)).load()

    def value_bias(self, head: int) -> torch.Tensor | None:
        """`b_v` that query head `head` uses, `(d_h,)`, float64, or `None`."""
        view = self.value_bias_view
        return None if view is None else self._columns(view, self.kv_head(head)).load()

    def output_bias(self) -> torch.Tensor | None:
        """`b_o`, `(N,)`, float64, or `None`; shared by the heads."""
        return None if self.output_bias_view is None else self.output_bias_view.load()

    def query_key(self, head: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Factors `(A, B)` of `QK = A B^T`, each `(N, d_h)`; no scale (theory 4.1)."""
        return self.query(head), self.key(head)

    def value_output(self, head: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Factors `(A, B)` of `V = A B^T`, each `(N, d_h)` (theory 4.1)."""
        return self.value(head), self.output(head).T

    def _columns(self, view: View, index: int) -> View:
        return view.column_range(index * self.head_width, (index + 1) * self.head_width)


@dataclass(frozen=True)
class FeedForward:
    """Plain `act(x W_in + b_in) W_out + b_out`, or gated, which is
    `(act(x W_gate + b_gate) * (x W_in + b_in)) W_out + b_out`.

    `W_in` is `(N, N_ff)`, `W_out` `(N_ff, N)`. `activation` is one of `relu`, `gelu`, `gelu_tanh`,
    `silu`, `tanh`, `sigmoid`, `softplus`, or the configuration's own word if it is none of these.
    """

    activation: str
    input_view: View
    output_view: View
    gate_view: View | None
    input_bias_view: View | None
    output_bias_view: View | None
    gate_bias_view: View | None

    @property
    def gated(self) -> bool:
        """Whether there is a gate matrix."""
        return self.gate_view is not None

    @property
    def width(self) -> int:
        """`N_ff`."""
        return self.input_view.shape[1]

    def w_in(self) -> torch.Tensor:
        """`W_in` (the up projection, if gated), `(N, N_ff)`, float64."""
        return self.input_view.load()

    def w_out(self) -> torch.Tensor:
        """`W_out` (the down projection), `(N_ff, N)`, float64."""
        return self.output_view.load()

    def w_gate(self) -> torch.Tensor | None:
        """`W_gate`, `(N, N_ff)`, float64, or `None`."""
        return None if self.gate_view is None else self.gate_view.load()

    def b_in(self) -> torch.Tensor | None:
        """Bias of the hidden layer, `(N_ff,)`, float64, or `None`."""
        return None if self.input_bias_view is None else self.input_bias_view.load()

    def b_out(self) -> torch.Tensor | None:
        """Bias of the output, `(N,)`, float64, or `None`."""
        return None if self.output_bias_view is None else self.output_bias_view.load()

    def b_gate(self) -> torch.Tensor | None:
        """Bias of the gate, `(N_ff,)`, float64, or `None`."""
        return None if self.gate_bias_view is None else self.gate_bias_view.load()
