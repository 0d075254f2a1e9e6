"""Upper bound on the norm of the rows that enter the first block (frozen inputs)."""

from __future__ import annotations

import math

from torch import Tensor

from majorant.derivation.errors import NoBound
from majorant.numerics.checkpoints.layers import Norm
from majorant.numerics.checkpoints.model import Model
from majorant.numerics.checkpoints.view import View

_ROWS = 4096


def norm_upper(vector: Tensor) -> float:
    """The Euclidean norm of a float64 vector, rounded upward.

    The sum of squares in floating point is off by at most a factor `1 + 2 n u` (any order).

    >>> import torch
    >>> norm_upper(torch.tensor([3.0, 4.0], dtype=torch.float64)) >= 5.0
    True
    """
    n = vector.numel()
    largest = float(vector.abs().max()) if n else 0.0
    if largest == 0.0:
        return 0.0
    square = float((vector / largest).square().sum())
    return largest * math.sqrt(square) * (1.0 + (2 * n + 8) * 2.0**-52)


def normalized_radius(norm: Norm) -> float:
    """`||gain||_inf sqrt(N) + ||bias||`, rounded upward."""
    gain = float(norm.gain().abs().max())
    bias = norm.bias()
    shift = 0.0 if bias is None else norm_upper(bias)
    return (gain * math.sqrt(norm.width) + shift) * (1.0 + 2.0**-50)


def input_radius(model: Model) -> float:
    """The largest norm of an input row of `model`.

    After an embedding norm that is `||gain||_inf sqrt(N) + ||bias||`; otherwise the sum of the
    largest row norms of the tables. Raises `UnusableInput` for tables that are not finite,
    `NoBound` for models whose input is not a table (ViT patches): give the radius.
    """
    embedding = model.embedding
    tables = [t for t in (embedding.tokens, embedding.positions, embedding.segments) if t]
    rows = [_largest_row(table) for table in tables]
    if embedding.norm is not None:
        return normalized_radius(embedding.norm)
    if embedding.tokens is None:
        raise NoBound(
            f"{model.family}: the input rows come from no token table (image patches), so their "
            "norm is not known from the checkpoint; give it with --input-radius (an assumption)")
    return sum(rows) * (1.0 + 2.0**-50)


def _largest_row(table: View) -> float:
    values = table.load()
    return max(
        float(block.square().sum(dim=1).max()) ** 0.5
        for block in values.split(_ROWS)
    ) * (1.0 + (2 * table.shape[1] + 8) * 2.0**-52)
