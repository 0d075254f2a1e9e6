"""All spectra of one model, with where they come from, as arrays when arrays are wanted."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.model import Dimensions, Model, Skipped, Tied
from majorant.numerics.spectra.spectrum import Role, Spectrum


@dataclass(frozen=True)
class Origin:
    """Where spectra come from: what a spectra file keeps of its model.

    `digest` is the SHA-256 of the checkpoint (`Source.digest`), `""` if it was not computed;
    `reference` names the base model whose weights were subtracted, or is `None`.
    """

    label: str
    family: str
    model_type: str
    bert_like: bool
    dimensions: Dimensions
    digest: str = ""
    reference: str | None = None
    assumptions: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    tied: tuple[Tied, ...] = ()

    @classmethod
    def of(cls, model: Model, digest: str = "", reference: str | None = None) -> "Origin":
        """The origin of spectra of `model`."""
        return cls(
            label=model.source.label,
            family=model.family,
            model_type=model.model_type,
            bert_like=model.bert_like,
            dimensions=model.dimensions,
            digest=digest,
            reference=reference,
            assumptions=model.assumptions,
            skipped=model.skipped,
            tied=model.tied,
        )


@dataclass(frozen=True)
class SpectrumSet:
    """The spectra of a model in a fixed order: by block, then `QK` (or `Q`, `K`), `V`, `M_*`.

    Names are keys: unique, and the same however the checkpoint is sharded.
    """

    spectra: tuple[Spectrum, ...]
    origin: Origin
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {spectrum.name: i for i, spectrum in enumerate(self.spectra)}
        if len(index) != len(self.spectra):
            raise UnusableInput(f"{self.origin.label}: two spectra have the same name.")
        object.__setattr__(self, "_index", index)

    def __len__(self) -> int:
        return len(self.spectra)

    def __iter__(self) -> Iterator[Spectrum]:
        return iter(self.spectra)

    def __getitem__(self, name: str) -> Spectrum:
        """The spectrum with this name; `UnusableInput` if there is none."""
        if name not in self._index:
            raise UnusableInput(f"{name}: no such spectrum; the first are {list(self._index)[:4]}.")
        return self.spectra[self._index[name]]

    @property
    def verified(self) -> bool:
        """Whether every spectrum has proved ends."""
        return all(spectrum.verified for spectrum in self.spectra)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self._index)

    def of(self, role: Role, layer: int | None = None) -> tuple[Spectrum, ...]:
        """The spectra of one role, of one block if `layer` is given, in order."""
        return tuple(
            s for s in self.spectra if s.role == role and (layer is None or s.layer == layer)
        )

    def padded(
        self, role: Role | None = None, *, upper: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Singular values as one array `(K, R)`, filled with 0, and the mask of stored values.

        Rows are in the order of `spectra` (of `of(role)`); `upper=True` takes the proved upper
        ends. `R` is the longest spectrum (1 at least).
        """
        rows = [s.upper() if upper else s.singular_values for s in self._selected(role)]
        width = max([1, *(len(row) for row in rows)])
        values = np.zeros((len(rows), width))
        mask = np.zeros((len(rows), width), dtype=np.bool_)
        for i, row in enumerate(rows):
            values[i, : len(row)] = row
            mask[i, : len(row)] = True
        return values, mask

    def spectral_norms(self, role: Role) -> NDArray[np.float64]:
        """Spectral norms of one role as an array `(layers, matrices per layer)`."""
        return self._grid(role, [s.spectral_norm for s in self.of(role)])

    def norms_21(self, role: Role) -> NDArray[np.float64]:
        """Column-norm sums of one role as an array `(layers, matrices per layer)`."""
        return self._grid(role, [s.norm_21 for s in self.of(role)])

    def content_hash(self) -> str:
        """SHA-256 over names, shapes, values and radii: equal exactly if the numbers are."""
        total = hashlib.sha256()
        for s in self.spectra:
            head = f"{s.name}|{s.role}|{s.layer}|{s.head}|{s.shape[0]}x{s.shape[1]}|{s.verified}|"
            numbers = np.array([s.frobenius, s.norm_21, s.relative, s.absolute])
            total.update(head.encode())
            total.update(np.nan_to_num(numbers, nan=-1.0).astype("<f8").tobytes())
            total.update(len(s.singular_values).to_bytes(8, "little"))
            total.update(s.singular_values.astype("<f8").tobytes())
        return total.hexdigest()

    def _selected(self, role: Role | None) -> tuple[Spectrum, ...]:
        return self.spectra if role is None else self.of(role)

    def _grid(self, role: Role, values: list[float]) -> NDArray[np.float64]:
        if not values:
            raise UnusableInput(f"{self.origin.label}: has no matrices of role {role}.")
        return np.array(values).reshape(self.origin.dimensions.layers, -1)
