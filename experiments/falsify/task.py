"""Cells: a task on which small Transformers overfit, with a test error that can be measured.

A sequence holds cells; its label depends on the first one only. Two frequent cells have a fixed
label, the rare ones a fair coin: whoever fits the coins of the sample pays on fresh sequences.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from majorant.derivation.errors import UnusableInput

CLEAN = 2


@dataclass(frozen=True)
class Cells:
    """`cells` kinds of tokens, `length` tokens a sequence, mass `noise` on the coin-flip cells.

    The error of the best predictor is `noise / 2`. Raises `UnusableInput` outside `cells >= 3`,
    `length >= 1`, `0 < noise < 1`.

    >>> task = Cells(cells=8, length=4, noise=0.25)
    >>> cells, label = task.sample(5, seed=0)
    >>> cells.shape, label.abs().tolist()
    (torch.Size([5, 4]), [1.0, 1.0, 1.0, 1.0, 1.0])
    """

    cells: int
    length: int
    noise: float

    def __post_init__(self) -> None:
        if self.cells <= CLEAN or self.length < 1 or not 0 < self.noise < 1:
            raise UnusableInput(f"cells {self.cells}, length {self.length}, noise {self.noise}: "
                                f"expected more than {CLEAN} cells, a token, 0 < noise < 1")

    def sample(self, n: int, *, seed: int) -> tuple[Tensor, Tensor]:
        """`n` independent sequences, `(n, length)`, and their labels, -1 or 1, `(n,)`."""
        draw = torch.Generator().manual_seed(seed)
        cells = torch.randint(self.cells, (n, self.length), generator=draw)
        noisy = torch.rand(n, generator=draw, dtype=torch.float64) < self.noise
        rare = torch.randint(CLEAN, self.cells, (n,), generator=draw)
        frequent = torch.randint(CLEAN, (n,), generator=draw)
        cells[:, 0] = torch.where(noisy, rare, frequent)
        coin = torch.randint(2, (n,), generator=draw)
        label = torch.where(noisy, coin, frequent).double()
        return cells, 2 * label - 1

    def table(self) -> Tensor:
        """Frozen embeddings, one unit row a cell, float64."""
        return torch.eye(self.cells, dtype=torch.float64)
