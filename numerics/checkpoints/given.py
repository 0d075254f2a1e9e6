"""What a user says about a model because its files do not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.model import Model
from majorant.numerics.checkpoints.open import open_model


@dataclass(frozen=True)
class Given:
    """Head counts where there is no `config.json`; the norm of input rows where no table says it.

    `input_radius` bounds the norm of every row that enters the first block; nothing checks it.

    >>> Given(input_radius=-1.0)
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.UnusableInput: input-radius: expected a positive number, got -1.0
    """

    heads: int | None = None
    kv_heads: int | None = None
    input_radius: float | None = None

    def __post_init__(self) -> None:
        for name in ("heads", "kv_heads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UnusableInput(f"{name.replace('_', '-')}: expected a positive number, got "
                                    f"{value}")
        radius = self.input_radius
        if radius is not None and not (math.isfinite(radius) and radius > 0):
            raise UnusableInput(f"input-radius: expected a positive number, got {radius}")

    def open(self, source: str | Path, reference: Model | None = None) -> Model:
        """`open_model` with the head counts."""
        return open_model(source, heads=self.heads, kv_heads=self.kv_heads, reference=reference)

    def radius_for(self, model: Model) -> float | None:
        """The given radius, or `None`; `UnusableInput` where the tables of `model` say it."""
        if self.input_radius is not None and model.embedding.tokens is not None:
            raise UnusableInput(f"input-radius: {model.source.label} has embedding tables, which "
                                "give the norm of its input; leave --input-radius out")
        return self.input_radius
