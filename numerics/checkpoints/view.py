"""A matrix or vector of the model that has not been read yet."""

from dataclasses import dataclass, replace

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.store import Store
from majorant.numerics.checkpoints.usable import as_float64


@dataclass(frozen=True)
class View:
    """A part of one stored tensor, in row-vector orientation (`x -> x W`); `load()` reads it.

    `name` is the stored tensor's full name, `rows` and `columns` the half-open ranges of the
    oriented matrix that this view is (for a vector, `rows` is its range and `columns` is
    `(0, 1)`). Views of one tensor are equal exactly if they are the same part.
    """

    store: Store
    name: str
    transposed: bool
    rows: tuple[int, int]
    columns: tuple[int, int]
    vector: bool = False

    @classmethod
    def whole(cls, store: Store, name: str, stored: str = "out_in") -> "View":
        """All of a tensor: a vector, or a matrix stored `out_in` (Linear) or `in_out` (Conv1D)."""
        entry = store.entries()[name]
        if len(entry.shape) == 1:
            return cls(store, name, False, (0, entry.shape[0]), (0, 1), vector=True)
        if len(entry.shape) != 2:
            raise UnusableInput(
                f"{name} in {entry.file} has shape {entry.shape}: expected a matrix or a vector."
            )
        first, second = entry.shape
        if stored == "out_in":
            return cls(store, name, True, (0, second), (0, first))
        return cls(store, name, False, (0, first), (0, second))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of what `load()` returns: `(in, out)`, or `(length,)` for a vector."""
        rows = self.rows[1] - self.rows[0]
        return (rows,) if self.vector else (rows, self.columns[1] - self.columns[0])

    @property
    def file(self) -> str:
        """Name of the file that holds the tensor."""
        return self.store.entries()[self.name].file

    @property
    def dtype(self) -> str:
        """The stored dtype, by its torch name."""
        return self.store.entries()[self.name].dtype

    def row_range(self, start: int, stop: int) -> "View":
        """The rows `start <= i < stop` of this view (entries, if it is a vector)."""
        return replace(self, rows=_within(self.rows, start, stop, self.name))

    def column_range(self, start: int, stop: int) -> "View":
        """The columns `start <= j < stop` of this view (entries, if it is a vector)."""
        if self.vector:
            return self.row_range(start, stop)
        return replace(self, columns=_within(self.columns, start, stop, self.name))

    def load(self) -> torch.Tensor:
        """Read, check and widen: a float64 CPU tensor of `shape` in memory of its own.

        Nothing is cached; the strides are those of the file (call `.contiguous()` if it matters).

        Raises `UnusableInput` for NaN, infinities, integer codes, complex or truncated data.
        """
        raw = self.store.read(self.name)
        if self.vector:
            part = raw[self.rows[0] : self.rows[1]]
        else:
            oriented = raw.T if self.transposed else raw
            part = oriented[self.rows[0] : self.rows[1], self.columns[0] : self.columns[1]]
        return as_float64(self.name, part, self.file)


def _within(outer: tuple[int, int], start: int, stop: int, name: str) -> tuple[int, int]:
    if not 0 <= start < stop <= outer[1] - outer[0]:
        raise UnusableInput(
            f"{name}: the part {start}:{stop} was asked of {outer[1] - outer[0]} entries; "
            "the configuration's head counts or widths do not fit this tensor."
        )
    return outer[0] + start, outer[0] + stop
