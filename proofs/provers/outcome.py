"""What a prover hands back: a proof with its reasons, or a point to look at, or nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import sympy


@dataclass(frozen=True)
class Proof:
    """A proof: the prover that closed it, and its reasons, one per line."""

    by: str
    lines: tuple[str, ...]

    def under(self, line: str, by: str = "") -> Proof:
        """The proof as a sub-proof of a statement."""
        return Proof(by or self.by, (line, *("  " + inner for inner in self.lines)))


class OutOfTime(Exception):
    """The time budget of a step is spent."""


@dataclass
class Clock:
    """A deadline that long loops ask about."""

    deadline: float

    @classmethod
    def of(cls, seconds: float) -> Clock:
        """A clock that stops after so many seconds."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.deadline - time.monotonic()

    def check(self) -> None:
        """Raise `OutOfTime` when the time is spent."""
        if time.monotonic() > self.deadline:
            raise OutOfTime

    def part(self, seconds: float) -> Clock:
        """A clock for a step, never beyond this one."""
        return Clock(min(self.deadline, time.monotonic() + seconds))


@dataclass
class Hints:
    """Points at which a prover saw a certainly negative gap; the falsifier confirms them."""

    points: list[dict[sympy.Symbol, sympy.Rational]] = field(default_factory=list)
