"""Embedding tables as trained matrices: the input is then a row of zeros and ones.

A token's row is `e W`, with `W` the tables (tokens, positions, segments) stacked and `e` one unit
vector for each, side by side: `||e|| = sqrt(k)` for `k` tables. So `W` is one more matrix, covered
in spectral norm as the others are, and the input does not depend on the sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.model import Model

EMBEDDING_NORM = "embedding.norm"


@dataclass(frozen=True)
class StackedTables:
    """Shape `(entries of all tables, N)`, the norm of an input row, rounded up, and the array."""

    shape: tuple[int, int]
    radius: float
    load: Callable[[], Tensor]


def embedding_tables(model: Model) -> StackedTables:
    """The tables of a model, stacked. Raises `UnusableInput` where the input is not a table."""
    embedding = model.embedding
    if embedding.tokens is None:
        raise UnusableInput(f"{model.family}: the input comes from no token table (image patches), "
                            "so there is no table to train")
    tables = [t for t in (embedding.tokens, embedding.positions, embedding.segments) if t]
    rows = sum(table.shape[0] for table in tables)
    return StackedTables((rows, model.dimensions.width), math.sqrt(len(tables)) * (1 + 2.0**-50),
                         lambda: torch.cat([table.load() for table in tables]))
