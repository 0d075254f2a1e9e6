"""Run a network description: the function that the bounds are about, in torch.

The tests measure derivatives of exactly this function; with a description made from a checkpoint
it reproduces the checkpoint's model. Nothing bounds its floating-point rounding: numbers measured
with it (`measure`) say so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import stages


def _gelu_tanh(x: Tensor) -> Tensor:
    """As torch's own, whose third derivative in forward mode is NaN from about 30 on."""
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "gelu_tanh": _gelu_tanh,
    "silu": functional.silu,
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "softplus": functional.softplus,
    "mish": functional.mish,
    "elu": functional.elu,
}


# A matrix `W` itself, or the factors `(A, B)` of `W = A B^T`.
Weights = Mapping[str, Tensor | tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class _Pass:
    """The weights of one run, and who is told the variances inside its normalizations."""

    tensors: Weights
    observe: Callable[[str, Tensor], None] | None

    def vector(self, parameter: stages.Parameter) -> Tensor:
        value = self.tensors[parameter.id]
        assert isinstance(value, Tensor)
        return value

    def times(self, x: Tensor, parameter: stages.Parameter) -> Tensor:
        value = self.tensors[parameter.id]
        return x @ value if isinstance(value, Tensor) else x @ value[0] @ value[1].mT


def forward(network: stages.Network, tensors: Weights, rows: Tensor,
            observe: Callable[[str, Tensor], None] | None = None) -> Tensor:
    """Output of the network on `rows` (tokens x width): one row, or all rows for `tokens`.

    `rows` may have leading axes: sequences of one length. `tensors` maps parameter ids to arrays
    (`x -> x W`), or to the factors of a product. Masks: `full` and `padding` attend to all rows,
    `causal` to earlier ones. Pooling `cls` takes row 0. `observe(name, variance)` is called in
    every normalization with the variance (`rms`: the mean square) of each token's row.

    >>> from majorant.derivation.network import normalized, parameters
    >>> net = normalized(1, 1, 4, 4, "relu")
    >>> eye = {key: torch.eye(4, dtype=torch.float64) for key in parameters(net)}
    >>> forward(net, eye, torch.ones(1, 4, dtype=torch.float64) / 2).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    run = _Pass(tensors, observe)
    for part in (network.entry, *(block.stages for block in network.blocks), network.exit):
        rows = _sequence(part, run, rows)
    if network.pooling == "cls":
        rows = rows[..., 0, :]
    elif network.pooling == "last":
        rows = rows[..., -1, :]
    elif network.pooling == "mean":
        rows = rows.mean(dim=-2)
    return _sequence(network.readout, run, rows)


def _sequence(part: tuple[stages.Stage, ...], run: _Pass, x: Tensor) -> Tensor:
    for stage in part:
        x = _RUN[type(stage)](stage, run, x)
    return x


def _add(x: Tensor, bias: stages.Parameter | None, run: _Pass) -> Tensor:
    return x if bias is None else x + run.vector(bias)


def _residual(stage: stages.Residual, run: _Pass, x: Tensor) -> Tensor:
    return x + _sequence(stage.branch, run, x)


def _linear(stage: stages.Linear, run: _Pass, x: Tensor) -> Tensor:
    return _add(run.times(x, stage.weight), stage.bias, run)


def _activate(name: str, x: Tensor) -> Tensor:
    if name not in _ACTIVATIONS:
        raise UnusableInput(f"activation {name!r}: cannot be run. Known: {sorted(_ACTIVATIONS)}")
    return _ACTIVATIONS[name](x)


def _pointwise(stage: stages.Pointwise, run: _Pass, x: Tensor) -> Tensor:
    return _activate(stage.activation, x)


def _projection(stage: stages.Projection, run: _Pass, x: Tensor) -> Tensor:
    return x / x.square().sum(dim=-1, keepdim=True).clamp_min(1.0).sqrt()


def _normalization(stage: stages.Normalization, run: _Pass, x: Tensor) -> Tensor:
    if stage.kind == "layer":
        x = x - x.mean(dim=-1, keepdim=True)
    variance = x.square().mean(dim=-1, keepdim=True)
    if run.observe is not None:
        run.observe(stage.name, variance[..., 0])
    x = x / (variance + float(stage.eps)).sqrt()
    if stage.gain is not None:
        x = x * run.vector(stage.gain)
    return _add(x, stage.bias, run)


def _feed_forward(stage: stages.FeedForward, run: _Pass, x: Tensor) -> Tensor:
    hidden = _activate(stage.activation,
                       _add(run.times(x, stage.w_in), stage.b_in, run))
    return _add(run.times(hidden, stage.w_out), stage.b_out, run)


def _gated(stage: stages.GatedFeedForward, run: _Pass, x: Tensor) -> Tensor:
    gate = _activate(stage.activation, _add(run.times(x, stage.gate), stage.b_gate, run))
    up = _add(run.times(x, stage.up), stage.b_up, run)
    return _add(run.times(gate * up, stage.down), stage.b_down, run)


def _attention(stage: stages.Attention, run: _Pass, x: Tensor) -> Tensor:
    outputs = []
    for head in stage.heads:
        logits = _logits(head.logits, run, x)
        if stage.mask == "causal":
            later = torch.ones_like(logits, dtype=torch.bool).triu(diagonal=1)
            logits = logits.masked_fill(later, -torch.inf)
        weights = torch.softmax(logits, dim=-1)
        values = head.values
        if isinstance(values, stages.ValueForm):
            outputs.append(run.times(weights @ x, values.form))
            continue
        out = weights @ _add(run.times(x, values.value), values.bias, run)
        outputs.append(out if values.output is None else run.times(out, values.output))
    if stage.output is not None:
        return _add(run.times(torch.cat(outputs, dim=-1), stage.output), stage.bias, run)
    return _add(torch.stack(outputs).sum(dim=0), stage.bias, run)


def _logits(logits: stages.QueryKeyForm | stages.QueryKeyFactors, run: _Pass,
            x: Tensor) -> Tensor:
    if isinstance(logits, stages.QueryKeyForm):
        scores = run.times(x, logits.form) @ x.mT
        if logits.bias is None:
            return scores
        return scores + (x @ run.vector(logits.bias))[..., None, :]
    query = _add(run.times(x, logits.query), logits.query_bias, run)
    key = _add(run.times(x, logits.key), logits.key_bias, run)
    silent = replace(run, observe=None)  # floors are for the normalizations of whole rows
    if logits.query_norm is not None:
        query = _normalization(logits.query_norm, silent, query)
    if logits.key_norm is not None:
        key = _normalization(logits.key_norm, silent, key)
    if logits.rotary:
        query, key = _rotate(query), _rotate(key)
    scale = _number(logits.multiplier) * _number(logits.scale_squared) ** 0.5
    return query @ key.mT * scale


def _number(text: str) -> float:
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


def _rotate(x: Tensor) -> Tensor:
    """Rotary positions with base 10000; halves of the row are rotated against each other."""
    tokens, width = x.shape[-2:]
    half = width // 2
    rates = 10000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(tokens, dtype=x.dtype)[:, None] * rates
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * angles.cos() - second * angles.sin(),
                      second * angles.cos() + first * angles.sin()], dim=-1)


_RUN: dict[type, Callable[[Any, _Pass, Tensor], Tensor]] = {
    stages.Residual: _residual,
    stages.Linear: _linear,
    stages.Pointwise: _pointwise,
    stages.Projection: _projection,
    stages.Normalization: _normalization,
    stages.FeedForward: _feed_forward,
    stages.GatedFeedForward: _gated,
    stages.Attention: _attention,
}
