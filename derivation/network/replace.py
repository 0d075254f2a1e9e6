"""The activations of a network, and the same network with another one (F7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from majorant.derivation.network.stages import (
    FeedForward,
    GatedFeedForward,
    Network,
    Pointwise,
    Residual,
    Stage,
)


def with_activation(network: Network, activation: str) -> Network:
    """Every feed-forward layer with this activation; the readout keeps its own.

    >>> from majorant.derivation.network.faithful import post_norm_encoder
    >>> net = with_activation(post_norm_encoder(1, 1, 4, 4, "gelu"), "tanh")
    >>> net.blocks[0].stages[2].branch[0].activation
    'tanh'
    """
    return replace(network, blocks=tuple(
        replace(block, stages=_stages(block.stages, activation)) for block in network.blocks))


def activations_of(network: Network) -> set[str]:
    """Names of all activations in the network.

    >>> from majorant.derivation.network.faithful import post_norm_encoder
    >>> sorted(activations_of(post_norm_encoder(1, 1, 4, 4, "gelu", outputs=2, pooler=True)))
    ['gelu', 'tanh']
    """
    found: set[str] = set()
    todo = [*network.entry, *network.exit, *network.readout,
            *(stage for block in network.blocks for stage in block.stages)]
    while todo:
        stage = todo.pop()
        if isinstance(stage, FeedForward | GatedFeedForward | Pointwise):
            found.add(stage.activation)
        if isinstance(stage, Residual):
            todo += stage.branch
    return found


def _stages(stages: tuple[Stage, ...], activation: str) -> tuple[Any, ...]:
    return tuple(_stage(stage, activation) for stage in stages)


def _stage(stage: Stage, activation: str) -> Stage:
    if isinstance(stage, FeedForward | GatedFeedForward):
        return replace(stage, activation=activation)
    if isinstance(stage, Residual):
        return replace(stage, branch=_stages(stage.branch, activation))
    return stage
