"""Training, and then dropping singular directions for as long as the loss stands it.

A low rank is what makes the entropy of chapter 2 small: a matrix of rank k costs k (N1 + N2)
logarithms. So the network is first trained at a generous rank, then loses columns in rounds, each
time those whose loss on a training batch rises least, with some training in between.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from majorant.experiments.networks.normalized import ROLES, NormalizedNetwork
from majorant.experiments.normalized.task import Sequences, TwoHopRecall

Progress = Callable[[int, int, str], None]
Penalty = Callable[[NormalizedNetwork], Tensor]


@dataclass(frozen=True)
class Schedule:
    """Steps and rates; one step reads `batch` sequences of the training sample.

    `settle`: training ends early once the running error is below `settled` (then only the
    remaining learning-rate descent is cut short). `target_rank` is the sum of all ranks wanted.
    """

    batch: int = 256
    rate: float = 1e-2
    main_steps: int = 3000
    rounds: int = 8
    round_steps: int = 150
    final_steps: int = 1500
    target_rank: int = 18
    penalty: float = 1e-3
    margin: float = 0.5
    sharpness: float = 4.0


def hinge(margins: Tensor, schedule: Schedule) -> Tensor:
    """Smooth hinge: `softplus(s (margin_wanted - margin)) / s`, averaged.

    >>> import torch
    >>> float(hinge(torch.tensor([0.5]), Schedule())) == math.log(2) / 4.0
    False
    >>> round(float(hinge(torch.tensor([0.5]), Schedule())), 6)
    0.173287
    """
    scaled = schedule.sharpness * (schedule.margin - margins)
    return torch.nn.functional.softplus(scaled).mean() / schedule.sharpness


class Batches:
    """Endless minibatches over a fixed sample, in a new order each epoch.

    >>> sample = TwoHopRecall().sample(10, seed=0)
    >>> [len(next(b).label) for b in [Batches(sample, 4, seed=1)] for _ in range(3)]
    [4, 4, 4]
    """

    def __init__(self, sample: Sequences, batch: int, seed: int) -> None:
        self._sample, self._batch = sample, min(batch, len(sample.label))
        self._generator = torch.Generator().manual_seed(seed)
        self._order = self._walk()

    def _walk(self) -> Iterator[Tensor]:
        n = len(self._sample.label)
        while True:
            order = torch.randperm(n, generator=self._generator)
            yield from order[: n - n % self._batch].split(self._batch)

    def __next__(self) -> Sequences:
        rows = next(self._order)
        return Sequences(*(column[rows] for column in self._sample))


class Trainer:
    """Holds the network, the sample and the penalty; each phase is a method.

    `penalty(network)` is added to the loss times `schedule.penalty` where a phase asks for it.
    """

    def __init__(self, network: NormalizedNetwork, task: TwoHopRecall, sample: Sequences,
                 schedule: Schedule, penalty: Penalty, seed: int) -> None:
        self.network, self.task, self.schedule, self.penalty = network, task, schedule, penalty
        self._batches = Batches(sample, schedule.batch, seed)

    def margins(self, batch: Sequences) -> Tensor:
        """`label * score` of each sequence of a batch, in float32, with gradients."""
        return batch.label * self.network(self.task.embed(batch))

    def train(self, steps: int, rate: float, *, penalized: bool, stop_below: float = 0.0,
              progress: Progress | None = None, text: str = "") -> tuple[float, float]:
        """Adam with a linear descent of the rate to 0; returns the mean loss and error of the
        last hundred steps. Stops early when that error is at most `stop_below` (if positive)."""
        optimizer = torch.optim.Adam(self.network.parameters(), lr=rate, betas=(0.9, 0.98))
        losses: list[float] = []
        errors: list[float] = []
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 20) * (1.0 - step / steps)
            margins = self.margins(next(self._batches))
            loss = hinge(margins, self.schedule)
            total = loss
            if penalized:
                total = loss + self.schedule.penalty * self.penalty(self.network)
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
            errors.append(float((margins.detach() <= 0).double().mean()))
            recent = sum(errors[-100:]) / len(errors[-100:])
            if progress and (step % 10 == 9 or step == steps - 1):
                progress(step + 1, steps, f"{text} loss {losses[-1]:.4f} error {recent:.4f}")
            if stop_below > 0 and step >= 100 and recent <= stop_below:
                break
        return sum(losses[-100:]) / len(losses[-100:]), sum(errors[-100:]) / len(errors[-100:])

    @torch.no_grad()
    def balance(self) -> None:
        """Rewrite each product as `(U sqrt(S)) (V sqrt(S))^T`: the same matrix, columns sorted."""
        for role in ROLES:
            left, right = self.network.factors(role)
            rank = left.shape[-1]
            u, s, vt = torch.linalg.svd((left @ right.mT).double(), full_matrices=False)
            root = s[..., None, :rank].sqrt()
            getattr(self.network, f"{role}_left").copy_(u[..., :rank] * root)
            getattr(self.network, f"{role}_right").copy_(vt[..., :rank, :].mT * root)

    @torch.no_grad()
    def truncate(self, total_rank: int, batches: int = 4) -> float:
        """Drop smallest singular directions, one at a time, each time where the loss rises least,
        until the ranks sum to `total_rank`; returns the loss after it."""
        self.balance()
        held = [next(self._batches) for _ in range(batches)]
        batch = Sequences(*(torch.cat(column) for column in zip(*held, strict=True)))
        loss = math.nan
        while sum(self.network.ranks().values()) > total_rank:
            trials = []
            for _name, role, index in self.network.slots():
                kept = getattr(self.network, f"{role}_kept")[index]
                rank = int(kept.sum())
                if rank == 0:
                    continue
                kept[rank - 1] = 0.0
                trials.append((float(hinge(self.margins(batch), self.schedule)), kept, rank))
                kept[rank - 1] = 1.0
            loss, kept, rank = min(trials, key=lambda trial: trial[0])
            kept[rank - 1] = 0.0
        return loss

    def compress(self, progress: Progress | None = None) -> None:
        """Rounds of truncation and penalized training down to the target rank."""
        schedule = self.schedule
        start = sum(self.network.ranks().values())
        for number in range(1, schedule.rounds + 1):
            share = (schedule.target_rank / start) ** (number / schedule.rounds)
            self.truncate(max(schedule.target_rank, round(start * share)))
            self.train(schedule.round_steps, schedule.rate / 2, penalized=True, progress=progress,
                       text=f"rank {sum(self.network.ranks().values())}")
