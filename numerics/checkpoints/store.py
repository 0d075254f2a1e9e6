"""What a checkpoint contains, by name: the header of every tensor, and one tensor at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch


@dataclass(frozen=True)
class Entry:
    """The header of one stored tensor: nothing of its data.

    `dtype` is the name that torch uses (`float32`, `bfloat16`, ...), `file` the file's name.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    file: str

    @property
    def size(self) -> int:
        """Number of elements.

        >>> Entry("w", "float32", (3, 4), "model.safetensors").size
        12
        """
        size = 1
        for extent in self.shape:
            size *= extent
        return size


class Store(Protocol):
    """Named tensors on disk. Headers are read once; data are read when asked and not kept."""

    def entries(self) -> Mapping[str, Entry]:
        """Every tensor's header, by its full name."""

    def read(self, name: str) -> torch.Tensor:
        """The tensor as stored; it may lie in a mapped file that lives as long as the tensor."""

    def sample(self, name: str) -> bytes:
        """The raw bytes of a few of its rows: equal tensors have equal samples."""


def row_bytes(rows: torch.Tensor) -> bytes:
    """The bytes of a small tensor of any dtype, in memory order."""
    return rows.contiguous().flatten().view(torch.uint8).numpy().tobytes()
