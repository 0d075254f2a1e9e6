"""What a stage contributes: radius, Lipschitz constant and movements, and how they compose.

For two choices of weights `W` (the network) and `W^` (a centre), both in the class, let `e` be
the distance of the two hidden states. One primitive gives `e_out <= lip * e_in + sum_a local_a
||W_a - W^_a||` (A5's step): `lip` belongs to `W`, the inputs to `W^`. Composition is A5's
telescoping, primitive by primitive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from majorant.derivation.ring import Ring

Movements = dict[str, Any]


@dataclass(frozen=True)
class Probe:
    """The input of a normalization inside a step: `e_probe <= lip * e_in + sum local`."""

    name: str
    lip: Any
    local: Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """A stage, or a sequence of stages, at given norms."""

    name: str
    radius_in: Any
    radius_out: Any
    lip: Any
    local: Mapping[str, Any]
    probes: tuple[Probe, ...] = ()


def accumulate(ring: Ring[Any], movements: Movements, extra: Mapping[str, Any],
               factor: Any = None) -> None:
    """Add `factor * extra` to `movements`: a shared parameter sums over its uses."""
    for key, value in extra.items():
        term = value if factor is None else ring.mul(factor, value)
        movements[key] = ring.add(movements[key], term) if key in movements else term


def compose(name: str, steps: Iterable[Step], ring: Ring[Any], radius: Any) -> Step:
    """The steps one after another; `radius` is that of the input (for an empty sequence)."""
    steps = tuple(steps)
    probes: list[Probe] = []
    prefix: Movements = {}
    prefix_lip = ring.fraction(Fraction(1))
    for step in steps:
        for probe in step.probes:
            local = dict(probe.local)
            accumulate(ring, local, prefix, probe.lip)
            probes.append(Probe(probe.name, ring.mul(probe.lip, prefix_lip), local))
        prefix = {key: ring.mul(step.lip, value) for key, value in prefix.items()}
        accumulate(ring, prefix, step.local)
        prefix_lip = ring.mul(prefix_lip, step.lip)
    return Step(name, steps[0].radius_in if steps else radius,
                steps[-1].radius_out if steps else radius, prefix_lip, prefix, tuple(probes))
