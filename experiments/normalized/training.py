"""Training, and then dropping singular directions for as long as the loss stands it.

A low rank is what makes the entropy of chapter 2 small: a matrix of rank k costs k (N1 + N2)
logarithms. So the network is first trained at a generous rank, then loses directions in rounds,
each time those whose loss on training data rises least, with some training in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from majorant.experiments.networks.normalized import NormalizedNetwork
from majorant.experiments.normalized.task import Sequences, TwoHopRecall
from majorant.experiments.normalized.truncation import truncate
from majorant.numerics.penalty import log_leading_factor

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Phase:
    """Truncate to ranks that sum to `rank` (if given), then `steps` of Adam from `rate` to 0.

    The phase ends before its last step once the error over the last hundred steps is at most
    `stop_at` (never, if negative). A truncation after which the error stays above `tolerance` is
    taken back, and ends the compression. `penalty` multiplies the log of the leading factor.
    """

    name: str
    steps: int
    rate: float
    penalty: float = 0.0
    rank: int | None = None
    stop_at: float = -1.0
    tolerance: float = 1.0


@dataclass(frozen=True)
class Schedule:
    """What is done to the network. One step reads `batch` sequences of the training sample.

    The ranks go down on a geometric path to `rank` in `rounds`, and from there one by one to
    `least_rank`, for as long as the error comes back below `tolerance`.

    >>> phases = Schedule(rounds=2, rank=14, least_rank=13).phases(start_rank=56)
    >>> [(phase.name, phase.rank) for phase in phases][1:4]
    [('compress to 28', 28), ('compress to 14', 14), ('compress to 13', 13)]
    """

    batch: int = 256
    rate: float = 1e-2
    learn_steps: int = 3000
    rounds: int = 8
    round_steps: int = 250
    polish_steps: int = 1000
    rank: int = 21
    least_rank: int = 10
    settled: float = 2e-4
    tolerance: float = 2e-3
    penalty: float = 1e-3
    margin: float = 0.5
    sharpness: float = 4.0

    def phases(self, start_rank: int) -> list[Phase]:
        """Learn, compress, polish."""
        path = [max(self.rank, round(start_rank * (self.rank / start_rank) ** (i / self.rounds)))
                for i in range(1, self.rounds + 1)]
        path += range(self.rank - 1, self.least_rank - 1, -1)
        return [
            Phase("learn", self.learn_steps, self.rate, stop_at=self.settled),
            *(Phase(f"compress to {rank}", self.round_steps, self.rate / 2, self.penalty, rank,
                    self.settled, self.tolerance) for rank in path),
            Phase("polish", self.polish_steps, self.rate / 2, self.penalty),
        ]


def smooth_hinge(margins: Tensor, margin: float, sharpness: float) -> Tensor:
    """`softplus(s (margin - m)) / s`, averaged over the margins `m`.

    >>> round(float(smooth_hinge(torch.tensor([0.5]), 0.5, 4.0)), 6)
    0.173287
    """
    return torch.nn.functional.softplus(sharpness * (margin - margins)).mean() / sharpness


class Batches:
    """Minibatches by number over a fixed sample: each epoch has its own order, so that a resumed
    run continues with the batch that would have come next.

    >>> sample = TwoHopRecall().sample(10, seed=0)
    >>> batches = Batches(sample, 4, seed=1)
    >>> [len(batches[number].label) for number in (0, 1, 7)]
    [4, 4, 4]
    """

    def __init__(self, sample: Sequences, batch: int, seed: int) -> None:
        self._sample, self._batch, self._seed = sample, min(batch, len(sample.label)), seed
        self._per_epoch = len(sample.label) // self._batch
        self._epoch, self._order = -1, torch.empty(0, dtype=torch.long)

    def __getitem__(self, number: int) -> Sequences:
        epoch, place = divmod(number, self._per_epoch)
        if epoch != self._epoch:
            generator = torch.Generator().manual_seed((self._seed << 16) + epoch)
            self._order = torch.randperm(len(self._sample.label), generator=generator)
            self._epoch = epoch
        rows = self._order[place * self._batch : (place + 1) * self._batch]
        return Sequences(*(column[rows] for column in self._sample))


class Trainer:
    """Runs the phases of a schedule; its whole state is `state()`, so that it can be resumed."""

    def __init__(self, network: NormalizedNetwork, task: TwoHopRecall, sample: Sequences,
                 schedule: Schedule, seed: int) -> None:
        self.network, self.task, self.schedule = network, task, schedule
        self.batches = Batches(sample, schedule.batch, seed)
        self.phases = schedule.phases(sum(network.ranks().values()))
        self.phase, self.step, self.batch = 0, 0, 0
        self.errors: list[float] = []
        self.history: list[dict[str, Any]] = []
        # The network before the last truncation, and whether a truncation was taken back.
        self._before = self._copy()
        self._full_stop = False
        self._optimizer = self._fresh_optimizer()
        self._description = network.description()
        self._table, self._positions = task.table(torch.float32), task.positions(torch.float32)

    def _fresh_optimizer(self) -> torch.optim.Adam:
        return torch.optim.Adam(self.network.parameters(), lr=1.0, betas=(0.9, 0.98))

    def _copy(self) -> dict[str, Tensor]:
        return {name: value.clone() for name, value in self.network.state_dict().items()}

    def state(self) -> dict[str, Any]:
        """Everything that a resumed run needs (tensors, numbers and lists only)."""
        return {"network": self.network.state_dict(), "optimizer": self._optimizer.state_dict(),
                "phase": self.phase, "step": self.step, "batch": self.batch,
                "errors": self.errors, "history": self.history,
                "before": self._before, "full_stop": self._full_stop}

    def load(self, state: dict[str, Any]) -> None:
        """Continue from a `state()`."""
        self.network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.phase, self.step, self.batch = state["phase"], state["step"], state["batch"]
        self.errors, self.history = list(state["errors"]), list(state["history"])
        self._before, self._full_stop = state["before"], state["full_stop"]

    def _margins(self, batch: Sequences) -> Tensor:
        scores = self.network(self.task.rows(batch), table=self._table, positions=self._positions)
        return batch.label * scores

    def loss(self, batch: Sequences) -> Tensor:
        """Mean smooth hinge of a batch, without the penalty."""
        return smooth_hinge(self._margins(batch), self.schedule.margin, self.schedule.sharpness)

    def recent_error(self) -> float:
        """Fraction of errors over the last hundred steps of the phase (1 before the first)."""
        last = self.errors[-100:]
        return sum(last) / len(last) if last else 1.0

    def run(self, save: Callable[[], None], progress: Progress | None = None,
            until: str | None = None) -> None:
        """Run the remaining phases (up to and including the one named `until`).

        `save()` is called every 250 steps and after each phase.
        """
        total = sum(phase.steps for phase in self.phases)
        while self.phase < len(self.phases):
            phase = self.phases[self.phase]
            if phase.rank is not None and self._full_stop:
                self.phase += 1
                continue
            if self.step == 0 and phase.rank is not None:
                self._before = self._copy()
                self._truncate(phase.rank)
            before = sum(p.steps for p in self.phases[: self.phase])
            while self.step < phase.steps and not self._settled(phase):
                self._one_step(phase)
                if progress and self.step % 10 == 0:
                    progress(before + self.step, total,
                             f"{phase.name}: training error {self.recent_error():.4f}")
                if self.step % 250 == 0:
                    save()
            self._close(phase)
            save()
            if phase.name == until:
                return

    def _close(self, phase: Phase) -> None:
        """Record the phase, take its truncation back if it cost too much, make ready the next."""
        error = self.recent_error()
        taken_back = phase.rank is not None and error > phase.tolerance
        self.history.append({"phase": phase.name, "steps": self.step, "training_error": error,
                             "rank": sum(self.network.ranks().values()), "kept": not taken_back})
        if taken_back:
            self.network.load_state_dict(self._before)
            self._full_stop = True
        self.phase, self.step, self.errors = self.phase + 1, 0, []
        self._optimizer = self._fresh_optimizer()

    def _settled(self, phase: Phase) -> bool:
        return len(self.errors) >= 100 and self.recent_error() <= phase.stop_at

    def _truncate(self, rank: int) -> None:
        parts = [self.batches[self.batch + i] for i in range(4)]
        self.batch += 4
        held = Sequences(*(torch.cat(column) for column in zip(*parts, strict=True)))
        truncate(self.network, rank, lambda: float(self.loss(held)))

    def _one_step(self, phase: Phase) -> None:
        for group in self._optimizer.param_groups:
            warm = min(1.0, (self.step + 1) / 20)
            group["lr"] = phase.rate * warm * (1.0 - self.step / phase.steps)
        margins = self._margins(self.batches[self.batch])
        total = smooth_hinge(margins, self.schedule.margin, self.schedule.sharpness)
        if phase.penalty:
            total = total + phase.penalty * log_leading_factor(
                self._description, self.network.spectra())
        self._optimizer.zero_grad()
        total.backward()
        for parameter in self.network.parameters():
            if parameter.grad is not None:
                # The logarithm in the penalty has no slope where a whole matrix has vanished.
                parameter.grad.nan_to_num_(0.0, 0.0, 0.0)
        self._optimizer.step()
        # A margin that is not a number is an error.
        self.errors.append(float((~(margins.detach() > 0)).double().mean()))
        self.step += 1
        self.batch += 1
