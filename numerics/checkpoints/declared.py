"""What a fine-tune's folder declares beyond its tensors: `majorant.json`.

A LoRA adapter does not say which head follows it, nor that one of its factors was drawn from a
seed and never trained. The file says both; whoever uses a declaration verifies it against the
weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.assemble import Assembly
from majorant.numerics.checkpoints.layers import Dense
from majorant.numerics.checkpoints.model import Readout
from majorant.numerics.checkpoints.source import Source
from majorant.numerics.checkpoints.view import View

FILE = "majorant.json"
FORMAT, VERSION = "majorant-structure", 1
_POOLING = ("first", "last", "mean")


@dataclass(frozen=True)
class FixedFactor:
    """The factor `lora_A` of `weight` is the first rows of `seeded_factor(seed)`, transposed."""

    weight: str
    seed: int
    columns: int


@dataclass(frozen=True)
class Declared:
    """How the rows are pooled, the names of the head's weights in order, and a fixed factor."""

    pooling: str
    head: tuple[str, ...]
    factor: FixedFactor | None

    def json(self) -> dict[str, Any]:
        """The file's object."""
        found: dict[str, Any] = {"format": FORMAT, "version": VERSION, "pooling": self.pooling,
                                 "head": list(self.head)}
        if self.factor is not None:
            found["fixed_factor"] = vars(self.factor)
        return found


def seeded_factor(width: int, columns: int, seed: int) -> np.ndarray:
    """The fixed factor `U` of an update `U V`: `width x columns`, entries +-1/sqrt(width).

    >>> seeded_factor(4, 1, 0).shape, float(np.linalg.norm(seeded_factor(4, 1, 0)))
    ((4, 1), 1.0)
    """
    signs = np.random.default_rng(seed).integers(0, 2, size=(width, columns)) * 2.0 - 1.0
    return np.asarray(signs / np.sqrt(width))


def read_declared(source: Source) -> Declared | None:
    """The declaration of a folder, or `None`; `UnusableInput` where it says nothing clear."""
    data = source.json(FILE)
    if data is None:
        return None
    where = f"{source.label}: {FILE}"
    if not isinstance(data, dict) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        raise UnusableInput(f"{where}: expected format {FORMAT!r}, version {VERSION}")
    if extra := sorted(set(data) - {"format", "version", "pooling", "head", "fixed_factor"}):
        raise UnusableInput(f"{where}: unknown field {extra[0]!r}")
    pooling, head, factor = data.get("pooling"), data.get("head"), data.get("fixed_factor")
    if pooling not in _POOLING:
        raise UnusableInput(f"{where}: pooling: expected one of {', '.join(_POOLING)}, "
                            f"got {pooling!r}")
    if not isinstance(head, list) or not all(isinstance(name, str) for name in head):
        raise UnusableInput(f"{where}: head: expected a list of names of weights")
    return Declared(pooling, tuple(head), None if factor is None else _factor(factor, where))


def _factor(data: Any, where: str) -> FixedFactor:
    if not isinstance(data, dict) or set(data) != {"weight", "seed", "columns"}:
        raise UnusableInput(f"{where}: fixed_factor: expected weight, seed and columns")
    for name in ("seed", "columns"):
        value = data[name]
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
            raise UnusableInput(f"{where}: {name}: expected a whole number, got {value!r}")
    return FixedFactor(str(data["weight"]), data["seed"], data["columns"])


def declared_readout(assembly: Assembly, declared: Declared) -> Readout:
    """The head that a folder declares, from the tensors of these names."""
    entries, layers = assembly.store.entries(), []
    for name in declared.head:
        if name not in entries:
            raise UnusableInput(f"{assembly.where}: {FILE} names the head's weight {name}, which "
                                "the checkpoint does not hold")
        bias = name.removesuffix(".weight") + ".bias"
        assembly.used.update({name, bias} & set(entries))
        layers.append(Dense(View.whole(assembly.store, name, "out_in"),
                            View.whole(assembly.store, bias) if bias in entries else None))
    return Readout(declared.pooling, tuple(layers))  # type: ignore[arg-type]
