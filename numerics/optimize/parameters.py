"""What a certificate knows of one trained parameter: shape and verified upper ends of its size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from majorant.derivation.errors import UnusableInput

KINDS = ("matrix", "vector", "gain")


@dataclass(frozen=True)
class Parameter:
    """A matrix with its spectrum, a vector with its 2-norm, or a gain with its sup norm.

    `sigma` holds verified upper ends, descending; singular values beyond the list are exactly 0.
    With a reference (C9), `sigma` or `norm` is that of `W - W0`, `reference_norm >= ‖W0‖` and
    `own_norm >= ‖W‖`.

    >>> Parameter("q", "matrix", (8, 8), sigma=(2.0, 0.5)).rank
    2
    """

    id: str
    kind: str
    shape: tuple[int, ...]
    sigma: tuple[float, ...] = ()
    norm: float = 0.0
    trained: bool = True
    reference_norm: float | None = None
    own_norm: float | None = None

    def __post_init__(self) -> None:
        sizes = [*self.sigma, self.norm, self.reference_norm or 0.0, self.own_norm or 0.0]
        if self.kind not in KINDS:
            raise UnusableInput(f"{self.id}: kind must be one of {', '.join(KINDS)}, "
                                f"got {self.kind!r}")
        if len(self.shape) != (2 if self.kind == "matrix" else 1) or min(self.shape) < 1:
            raise UnusableInput(f"{self.id}: {self.kind} of shape {self.shape}")
        if not all(math.isfinite(x) and x >= 0 for x in sizes):
            raise UnusableInput(f"{self.id}: sizes must be finite and non-negative")
        if any(x < y for x, y in zip(self.sigma, self.sigma[1:], strict=False)):
            raise UnusableInput(f"{self.id}: singular values must be descending")
        if self.kind == "matrix" and len(self.sigma) > min(self.shape):
            raise UnusableInput(f"{self.id}: {len(self.sigma)} singular values for {self.shape}")

    @property
    def rank(self) -> int:
        """How many singular values are not known to be 0."""
        return sum(1 for x in self.sigma if x > 0)

    @property
    def size(self) -> float:
        """Upper end of the spectral norm, the 2-norm or the sup norm."""
        if self.kind == "matrix":
            return self.sigma[0] if self.sigma else 0.0
        return self.norm

    def json(self) -> dict[str, Any]:
        """The certificate's entry for this parameter."""
        entry: dict[str, Any] = {"kind": self.kind, "shape": list(self.shape),
                                 "trained": self.trained}
        if self.kind == "matrix":
            entry["sigma"] = list(self.sigma)
        else:
            entry["norm"] = self.norm
        if self.reference_norm is not None:
            entry |= {"reference_norm": self.reference_norm, "own_norm": self.own_norm}
        return entry


def read_parameters(table: Mapping[str, Any] | Sequence[Parameter]) -> list[Parameter]:
    """Parameters from their JSON entries (or already read), in the order of their ids.

    >>> read_parameters({"b": {"kind": "vector", "shape": [4], "norm": 1.5}})[0].size
    1.5
    """
    if not isinstance(table, Mapping):
        return sorted(table, key=lambda p: p.id)
    found = []
    for name, entry in sorted(table.items()):
        if isinstance(entry, Parameter):
            found.append(entry)
            continue
        reference = entry.get("reference_norm")
        found.append(Parameter(
            name, entry["kind"], tuple(int(x) for x in entry["shape"]),
            sigma=tuple(float(x) for x in entry.get("sigma", ())),
            norm=float(entry.get("norm", 0.0)), trained=bool(entry.get("trained", True)),
            reference_norm=None if reference is None else float(reference),
            own_norm=None if reference is None else float(entry["own_norm"])))
    return found
