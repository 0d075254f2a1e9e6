"""Run a network description: the function that the bounds are about, in torch.

The tests measure derivatives of exactly this function; with a description made from a checkpoint
it reproduces the checkpoint's model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import stages

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "gelu_tanh": partial(functional.gelu, approximate="tanh"),
    "silu": functional.silu,
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "softplus": functional.softplus,
    "mish": functional.mish,
    "elu": functional.elu,
}


def forward(network: stages.Network, tensors: Mapping[str, Tensor], rows: Tensor) -> Tensor:
    """Output of the network on `rows` (tokens x width): one row, or all rows for `tokens`.

    `tensors` maps parameter ids to arrays (`x -> x W`). Masks: `full` and `padding` attend to all
    rows, `causal` to earlier ones. Pooling `cls` takes row 0.

    >>> from majorant.derivation.network import normalized, parameters
    >>> net = normalized(1, 1, 4, 4, "relu")
    >>> eye = {key: torch.eye(4, dtype=torch.float64) for key in parameters(net)}
    >>> forward(net, eye, torch.ones(1, 4, dtype=torch.float64) / 2).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    for part in (network.entry, *(block.stages for block in network.blocks), network.exit):
        rows = _sequence(part, tensors, rows)
    if network.pooling == "cls":
        rows = rows[0]
    elif network.pooling == "last":
        rows = rows[-1]
    elif network.pooling == "mean":
        rows = rows.mean(dim=0)
    return _sequence(network.readout, tensors, rows)


def _sequence(part: tuple[stages.Stage, ...], tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    for stage in part:
        x = _RUN[type(stage)](stage, tensors, x)
    return x


def _add(x: Tensor, bias: stages.Parameter | None, tensors: Mapping[str, Tensor]) -> Tensor:
    return x if bias is None else x + tensors[bias.id]


def _residual(stage: stages.Residual, tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    return x + _sequence(stage.branch, tensors, x)


def _linear(stage: stages.Linear, tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    return _add(x @ tensors[stage.weight.id], stage.bias, tensors)


def _activate(name: str, x: Tensor) -> Tensor:
    if name not in _ACTIVATIONS:
        raise UnusableInput(f"activation {name!r}: cannot be run. Known: {sorted(_ACTIVATIONS)}")
    return _ACTIVATIONS[name](x)


def _pointwise(stage: stages.Pointwise, tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    return _activate(stage.activation, x)


def _projection(stage: stages.Projection, tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    return x / x.square().sum(dim=-1, keepdim=True).clamp_min(1.0).sqrt()


def _normalization(stage: stages.Normalization, tensors: Mapping[str, Tensor],
                   x: Tensor) -> Tensor:
    if stage.kind == "layer":
        x = x - x.mean(dim=-1, keepdim=True)
    x = x / (x.square().mean(dim=-1, keepdim=True) + float(stage.eps)).sqrt()
    if stage.gain is not None:
        x = x * tensors[stage.gain.id]
    return _add(x, stage.bias, tensors)


def _feed_forward(stage: stages.FeedForward, tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    hidden = _activate(stage.activation,
                       _add(x @ tensors[stage.w_in.id], stage.b_in, tensors))
    return _add(hidden @ tensors[stage.w_out.id], stage.b_out, tensors)


def _gated(stage: stages.GatedFeedForward, tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    gate = _activate(stage.activation, _add(x @ tensors[stage.gate.id], stage.b_gate, tensors))
    up = _add(x @ tensors[stage.up.id], stage.b_up, tensors)
    return _add((gate * up) @ tensors[stage.down.id], stage.b_down, tensors)


def _attention(stage: stages.Attention, tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    outputs = []
    for head in stage.heads:
        logits = _logits(head.logits, tensors, x)
        if stage.mask == "causal":
            later = torch.ones_like(logits, dtype=torch.bool).triu(diagonal=1)
            logits = logits.masked_fill(later, -torch.inf)
        weights = torch.softmax(logits, dim=-1)
        values = head.values
        if isinstance(values, stages.ValueForm):
            outputs.append(weights @ x @ tensors[values.form.id])
            continue
        out = weights @ _add(x @ tensors[values.value.id], values.bias, tensors)
        outputs.append(out if values.output is None else out @ tensors[values.output.id])
    if stage.output is not None:
        return _add(torch.cat(outputs, dim=-1) @ tensors[stage.output.id], stage.bias, tensors)
    return _add(torch.stack(outputs).sum(dim=0), stage.bias, tensors)


def _logits(logits: stages.QueryKeyForm | stages.QueryKeyFactors, tensors: Mapping[str, Tensor],
            x: Tensor) -> Tensor:
    if isinstance(logits, stages.QueryKeyForm):
        scores = x @ tensors[logits.form.id] @ x.T
        return scores if logits.bias is None else scores + x @ tensors[logits.bias.id]
    query = _add(x @ tensors[logits.query.id], logits.query_bias, tensors)
    key = _add(x @ tensors[logits.key.id], logits.key_bias, tensors)
    if logits.rotary:
        query, key = _rotate(query), _rotate(key)
    scale = _number(logits.multiplier) * _number(logits.scale_squared) ** 0.5
    return query @ key.T * scale


def _number(text: str) -> float:
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


def _rotate(x: Tensor) -> Tensor:
    """Rotary positions with base 10000; halves of the row are rotated against each other."""
    tokens, width = x.shape
    half = width // 2
    rates = 10000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(tokens, dtype=x.dtype)[:, None] * rates
    first, second = x[:, :half], x[:, half:]
    return torch.cat([first * angles.cos() - second * angles.sin(),
                      second * angles.cos() + first * angles.sin()], dim=-1)


_RUN: dict[type, Callable[[Any, Mapping[str, Tensor], Tensor], Tensor]] = {
    stages.Residual: _residual,
    stages.Linear: _linear,
    stages.Pointwise: _pointwise,
    stages.Projection: _projection,
    stages.Normalization: _normalization,
    stages.FeedForward: _feed_forward,
    stages.GatedFeedForward: _gated,
    stages.Attention: _attention,
}
