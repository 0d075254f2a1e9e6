"""Train one model of a case: the readout of a block fixed in advance, or a whole network."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from majorant.experiments.falsify.settings import Case
from majorant.experiments.networks.normalized import ROLES, NormalizedNetwork
from majorant.experiments.normalized.certify import verified_parameters
from majorant.numerics.optimize import Parameter

# With orthonormal embeddings a token then attends to equal tokens: weight 1 - O(e^-FOCUS).
FOCUS = 8.0


def start(case: Case) -> NormalizedNetwork:
    """The network before training, float64. The block of a `readout` case owes nothing to data."""
    width = case.task.cells
    network = NormalizedNetwork(blocks=1, heads=1, width=width, hidden=width, rank=width,
                                rank_ff=width, seed=case.seed).double()
    if case.trains == "readout":
        with torch.no_grad():
            for role in ROLES:
                for side in ("left", "right"):
                    scale = FOCUS if (role, side) == ("QK", "left") else 1.0
                    getattr(network, f"{role}_{side}").copy_(scale * torch.eye(width))
            network.readout.zero_()
    return network


def train(case: Case, cells: Tensor, label: Tensor) -> NormalizedNetwork:
    """Hinge loss by full-batch Adam with a falling step, plus the penalty of the case."""
    network = start(case)
    tokens = case.task.table()[cells]
    frozen = case.trains == "readout"
    weights = [network.readout] if frozen else list(network.parameters())
    features = _features(network, tokens) if frozen else None
    optimizer = torch.optim.Adam(weights, lr=0.05 if frozen else 0.02)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, case.steps)
    for _ in range(case.steps):
        optimizer.zero_grad()
        score = network(tokens) if features is None else features @ network.readout
        loss = (1 - label * score).clamp_min(0).mean()
        if case.penalty:
            if frozen:
                loss = loss + case.penalty * network.readout.square().sum()
            else:
                sizes = torch.stack([s.max() for s in network.spectra().values()])
                loss = loss + case.penalty * sizes.square().sum()
        loss.backward()
        optimizer.step()
        schedule.step()
    return network


@torch.no_grad()
def _features(network: NormalizedNetwork, tokens: Tensor) -> Tensor:
    """The row that the readout of a frozen block sees, `(n, N)`."""
    kept = network.readout.clone()
    columns = []
    for unit in torch.eye(network.width, dtype=torch.float64):
        network.readout.copy_(unit)
        columns.append(network(tokens))
    network.readout.copy_(kept)
    return torch.stack(columns, dim=1)


@torch.no_grad()
def margins(network: NormalizedNetwork, case: Case, cells: Tensor, label: Tensor) -> Tensor:
    """`label * score`, float64."""
    table = case.task.table()
    return torch.cat([y * network(table[x]) for x, y in
                      zip(cells.split(10_000), label.split(10_000), strict=True)])


def sizes(network: NormalizedNetwork, case: Case) -> tuple[Parameter, ...]:
    """Verified sizes; what was fixed before the sample is declared so and costs nothing."""
    return tuple(replace(p, trained=case.trains == "whole" or p.id == "readout")
                 for p in verified_parameters(network))
