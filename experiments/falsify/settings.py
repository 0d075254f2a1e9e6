"""The cases of a run: what is trained, on how much, with and without spectral regularization."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from majorant.derivation.errors import UnusableInput
from majorant.experiments.falsify.task import Cells


@dataclass(frozen=True)
class Case:
    """One model. `readout`: the block is fixed before the sample; `whole`: everything is trained.

    `penalty` multiplies the sum of the squared spectral norms of the trained matrices.
    """

    trains: Literal["readout", "whole"]
    task: Cells
    n: int
    penalty: float
    steps: int
    seed: int

    @property
    def id(self) -> str:
        """A name that is unique in a run."""
        kind = "spectral" if self.penalty else "plain"
        return f"{self.trains}-{kind}-d{self.task.cells}-n{self.n}-q{self.task.noise}-s{self.seed}"

    def json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Settings:
    """How many seeds of each case, the size of the test sample, and the failure probability."""

    readout_seeds: int
    whole_seeds: int
    whole_n: int
    test_sequences: int
    delta: str = "0.05"

    def json(self) -> dict[str, Any]:
        """Plain data, to recognize a run that is resumed."""
        return asdict(self)

    def cases(self, seed: int) -> list[Case]:
        """All models of a run; no two share a sample."""
        found: list[Case] = []
        readouts = ((36, 400, 0.25), (48, 500, 0.25), (64, 700, 0.25))
        wholes = ((6, self.whole_n, 0.3),)
        for trains, shapes, seeds, steps in (("readout", readouts, self.readout_seeds, 300),
                                             ("whole", wholes, self.whole_seeds, 300)):
            for cells, n, noise in shapes:
                for penalty in (0.0, 1e-3):
                    for _ in range(seeds):
                        found.append(Case(trains, Cells(cells, 4, noise),  # type: ignore[arg-type]
                                          n, penalty, steps, 10_000 * seed + len(found)))
        return found


PRESETS = {
    "full": Settings(readout_seeds=8, whole_seeds=4, whole_n=1000, test_sequences=40_000),
    "quick": Settings(readout_seeds=1, whole_seeds=1, whole_n=200, test_sequences=20_000),
}


def preset_settings(name: str) -> Settings:
    """The settings of a preset by name; `UnusableInput` lists the known ones.

    >>> len(preset_settings("full").cases(0))
    56
    """
    if name not in PRESETS:
        raise UnusableInput(f"preset {name!r}: expected one of {', '.join(PRESETS)}")
    return PRESETS[name]
