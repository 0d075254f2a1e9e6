"""The cases of the one-trajectory demonstration: chains, shapes of the class, lengths, seeds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.experiments.pathwise.deviation import Noise

#: One token of one number; one token of two numbers; two tokens of two numbers, two heads.
SHAPES = ("width=1,hidden=3", "width=2,tokens=1,hidden=3", "width=2,tokens=2,hidden=3,heads=2,"
          "norm=0.7")


@dataclass(frozen=True)
class Case:
    """One chain, one class, one trajectory."""

    rho: str
    noise: Noise
    start: float
    shape: str
    steps: int
    seed: int

    @property
    def contraction(self) -> Fraction:
        return Fraction(self.rho)

    def json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Settings:
    """Everything that decides a run, apart from the seed."""

    rhos: tuple[str, ...] = ("0", "1/2", "9/10")
    noises: tuple[Noise, ...] = ("cube", "corners")
    starts: tuple[float, ...] = (0.0, 1.0)
    shapes: tuple[str, ...] = SHAPES
    steps: tuple[int, ...] = (100, 1600)
    seeds: int = 1
    ascents: int = 2
    iterations: int = 60

    def cases(self, seed: int) -> list[Case]:
        """All combinations; each has its own trajectory."""
        chosen = [(rho, noise, start, shape, steps)
                  for rho in self.rhos for noise in self.noises for start in self.starts
                  for shape in self.shapes for steps in self.steps]
        return [Case(*parts, 1000 * seed + self.seeds * number + repeat)
                for number, parts in enumerate(chosen) for repeat in range(self.seeds)]


PRESETS = {
    "full": Settings(),
    "quick": Settings(rhos=("1/2",), noises=("corners",), starts=(0.0,), shapes=SHAPES[:1],
                      steps=(100, 400), seeds=2, iterations=60),
}


def preset_settings(name: str) -> Settings:
    """The settings of a preset; `UnusableInput` lists the known ones."""
    if name not in PRESETS:
        raise UnusableInput(f"preset {name!r}: expected {' or '.join(PRESETS)}")
    return PRESETS[name]
