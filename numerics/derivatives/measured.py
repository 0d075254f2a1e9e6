"""Measured derivatives of a function of token rows: nested forward mode, along given directions.

For tests and demonstrations: what the bounds must never lie below, and how far above they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def directional(f: Callable[[Tensor], Tensor], x: Tensor, directions: Sequence[Tensor]) -> Tensor:
    """`D^k f(x)[h_1, ..., h_k]` for `k = len(directions)`, of the shape of `f(x)`.

    >>> x = torch.tensor([[2.0]], dtype=torch.float64)
    >>> directional(lambda y: y**3, x, [torch.ones_like(x)] * 2).item()
    12.0
    """
    if not directions:
        return f(x)
    first, *rest = directions

    def inner(y: Tensor) -> Tensor:
        return directional(f, y, rest)

    tangent: Tensor = torch.func.jvp(inner, (x,), (first,))[1]
    return tangent


def row_norm(x: Tensor) -> Tensor:
    """`||X||_{2,inf}`: the largest Euclidean norm of a row (of the vector, for one row)."""
    return x.reshape(-1, x.shape[-1]).norm(dim=-1).max()


def in_ball(x: Tensor, radius: float = 1.0) -> Tensor:
    """Rows that are longer than `radius` pulled back to it."""
    return x / (x.norm(dim=-1, keepdim=True) / radius).clamp_min(1.0)
