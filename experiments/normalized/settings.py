"""The sizes of the experiment: as documented, and a small one for tests."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.experiments.normalized.task import TwoHopRecall
from majorant.experiments.normalized.training import Schedule


@dataclass(frozen=True)
class Settings:
    """Everything that decides a run, apart from the seed.

    `delta` is a decimal string: the failure probability, exactly. `attempts` is how often training
    may start again from another initialization when it ends above `give_up` training error.
    """

    task: TwoHopRecall = field(default_factory=TwoHopRecall)
    schedule: Schedule = field(default_factory=Schedule)
    blocks: int = 2
    heads: int = 2
    hidden: int = 32
    rank: int = 4
    rank_ff: int = 6
    sequences: int = 1_000_000
    test_sequences: int = 200_000
    control_sequences: int = 40_000
    delta: str = "0.05"
    attempts: int = 5
    give_up: float = 2e-3

    def json(self) -> dict[str, Any]:
        """Plain data, for the report and to recognize a run that is resumed."""
        return asdict(self)


FULL = Settings()
"""Two blocks, two heads, width 32, a million sequences: the documented run."""

QUICK = Settings(
    task=TwoHopRecall(keys=3, length=6, width=12, copies=1),
    schedule=Schedule(batch=128, learn_steps=500, rounds=3, round_steps=100, polish_steps=150,
                      rank=24, least_rank=24, tolerance=0.05),
    hidden=12, rank=3, rank_ff=4, sequences=40_000, test_sequences=20_000,
    control_sequences=10_000, attempts=1)
"""Under a minute on an idle machine; with 40,000 sequences its bound is already non-vacuous."""

PRESETS = {"full": FULL, "quick": QUICK}


def preset_settings(name: str) -> Settings:
    """The settings of a preset by name; `UnusableInput` lists the known ones.

    >>> preset_settings("full").task.keys
    6
    """
    if name not in PRESETS:
        raise UnusableInput(f"preset {name!r}: expected one of {', '.join(PRESETS)}")
    return PRESETS[name]
