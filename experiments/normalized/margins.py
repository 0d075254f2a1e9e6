"""Margins of a sample in float64, with a bound on what rounding can have done to them."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import Tensor

from majorant.experiments.networks.normalized import NormalizedNetwork
from majorant.experiments.normalized.task import Sequences, TwoHopRecall

CHUNK = 10_000


@torch.no_grad()
def margins(network: NormalizedNetwork, task: TwoHopRecall, sample: Sequences, *,
            uniform: tuple[bool, ...] = (),
            progress: Callable[[int, int, str], None] | None = None) -> Tensor:
    """`label * score` of every sequence, float64, shape `(n,)`; `uniform` as in the network.

    The weights are taken as they are stored (a float32 weight is an exact float64 number).
    """
    exact = copy.deepcopy(network).double()
    table, positions = task.table(), task.positions()
    n = len(sample.label)
    found = []
    for start in range(0, n, CHUNK):
        part = Sequences(*(column[start : start + CHUNK] for column in sample))
        scores = exact(task.rows(part), uniform, table=table, positions=positions)
        found.append(part.label * scores)
        if progress:
            progress(min(start + CHUNK, n), n, "margins")
    return torch.cat(found)
