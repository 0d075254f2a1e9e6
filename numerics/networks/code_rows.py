"""Rows of the last activation times a declared fixed factor: what its radius has to hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from majorant.derivation.network.stages import Block, FeedForward, Network, Parameter, Residual
from majorant.numerics.checkpoints.adapter import AdapterStore
from majorant.numerics.checkpoints.declared import read_declared
from majorant.numerics.checkpoints.model import Model
from majorant.numerics.networks.forward import Weights, forward

CODE = "code"


@torch.no_grad()
def longest_code_rows(model: Model, network: Network, weights: Weights,
                      rows: Callable[[Tensor], Tensor],
                      sequences: Sequence[Tensor]) -> Tensor | None:
    """Norm of the longest code row of each sequence; `None` without a declared fixed factor.

    The declaration is taken at its word here: whoever uses the radius verifies it.
    """
    declared = read_declared(model.source)
    if declared is None or declared.factor is None or not isinstance(model.store, AdapterStore):
        return None
    change = model.store.low_rank(declared.factor.weight)
    last = network.blocks[-1].stages
    place = next((k for k, stage in enumerate(last) if isinstance(stage, Residual)
                  and isinstance(stage.branch[-1], FeedForward)), None)
    if change is None or place is None:
        return None
    residual = last[place]
    assert isinstance(residual, Residual)
    feed_forward = residual.branch[-1]
    assert isinstance(feed_forward, FeedForward)
    factor = Parameter(CODE, "matrix", *change.left.shape)
    coded = replace(feed_forward, w_out=factor, b_out=None)
    cut = replace(network, blocks=(*network.blocks[:-1], Block(CODE, (
        *last[:place], *residual.branch[:-1], coded))), exit=(), pooling="tokens", readout=())
    found = {**weights, CODE: change.left}
    return torch.stack([forward(cut, found, rows(ids)).norm(dim=-1).max() for ids in sequences])
