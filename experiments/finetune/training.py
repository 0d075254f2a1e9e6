"""Training `V` and `w` by a smooth hinge, on cached features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from majorant.experiments.finetune.features import read_piece, texts_in
from majorant.experiments.finetune.model import Batch, FineTuned


@dataclass(frozen=True)
class Schedule:
    """Epochs over the sample, step sizes and penalties."""

    epochs: int = 4
    rate_readout: float = 0.02
    rate_update: float = 0.01
    decay_readout: float = 3e-4
    decay_update: float = 1e-3
    minibatch: int = 512


def start_readout(model: FineTuned, pieces: Sequence[Path], signs: Tensor, keep: Tensor,
                  decay: float) -> None:
    """Fit the head alone (`V = 0`) on pooled features, by L-BFGS."""
    with torch.no_grad():
        pooled = torch.cat([model.pooled(Batch.of(read_piece(p)))[0].double() for p in pieces])
    x, y = pooled[keep], signs[keep]
    w = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([w], max_iter=80, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = torch.nn.functional.softplus(1 - y * (x @ w), beta=3).mean()
        loss = loss + decay / 2 * w.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    with torch.no_grad():
        model.readout.copy_(w.float())


def train(model: FineTuned, pieces: Sequence[Path], signs: Tensor, keep: Tensor,
          schedule: Schedule, seed: int, start: int, state: dict[str, Any] | None,
          after_epoch: Callable[[int, dict[str, Any]], None]) -> None:
    """Train both parameters on the texts marked in `keep`, from epoch `start` on.

    Pieces are visited in a seeded order; `after_epoch(number, state)` is called after each epoch
    with the optimizer's state, from which a later call continues as if it had not stopped.
    """
    optimizer = torch.optim.Adam([
        {"params": [model.readout], "lr": schedule.rate_readout},
        {"params": [model.update], "lr": schedule.rate_update}])
    if state is not None:
        optimizer.load_state_dict(state)
    places = offsets_of(pieces)
    for epoch in range(start, schedule.epochs):
        generator = torch.Generator().manual_seed(seed * 1009 + epoch)
        rate = 0.5 * (1 + torch.cos(torch.tensor(torch.pi * epoch / schedule.epochs)))
        for group, base in zip(optimizer.param_groups,
                               (schedule.rate_readout, schedule.rate_update), strict=True):
            group["lr"] = base * float(rate)
        for number in torch.randperm(len(pieces), generator=generator).tolist():
            batch = Batch.of(read_piece(pieces[number]))
            texts = len(batch.lengths)
            sign = signs[places[number]:places[number] + texts].float()
            inside = keep[places[number]:places[number] + texts]
            for part in torch.randperm(texts, generator=generator).split(schedule.minibatch):
                chosen = part[inside[part]]
                if len(chosen) == 0:
                    continue
                small = select(batch, chosen)
                optimizer.zero_grad()
                margin = sign[chosen] * model(small)
                loss = torch.nn.functional.softplus(1 - margin, beta=3).mean()
                loss = loss + schedule.decay_readout / 2 * model.readout.square().sum()
                loss = loss + schedule.decay_update / 2 * model.update.square().sum()
                loss.backward()
                optimizer.step()
        after_epoch(epoch, optimizer.state_dict())


def offsets_of(pieces: Sequence[Path]) -> list[int]:
    """Number of texts before each piece."""
    found, total = [], 0
    for path in pieces:
        found.append(total)
        total += texts_in(path)
    return found


def select(batch: Batch, texts: Tensor) -> Batch:
    """The tokens of some texts, in the order given."""
    position = torch.full((len(batch.lengths),), -1)
    position[texts] = torch.arange(len(texts))
    segment = position[batch.segment]
    tokens = segment >= 0
    return Batch(batch.base[tokens], batch.code[tokens], segment[tokens], batch.lengths[texts])


@dataclass(frozen=True)
class Pooled:
    """Per text, in float64: pooled output (texts, N), least variance, largest code row norm."""

    output: Tensor
    variance: Tensor
    code: Tensor


@torch.no_grad()
def pooled(model: FineTuned, pieces: Sequence[Path]) -> Pooled:
    """One pass over the cached features with the model's update."""
    outputs, least, largest = [], [], []
    for path in pieces:
        batch = Batch.of(read_piece(path), torch.float64)
        output, variance = model.pooled(batch)
        outputs.append(output)
        least.append(variance)
        code = batch.code[:, : len(model.update)].norm(dim=1)
        largest.append(torch.zeros(len(batch.lengths), dtype=torch.float64).scatter_reduce(
            0, batch.segment, code, "amax"))
    return Pooled(torch.cat(outputs), torch.cat(least), torch.cat(largest))
