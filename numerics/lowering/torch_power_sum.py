"""`log(sum_i x_i^p)` for whole families at once: the inner loop of every Schatten quantity."""

from __future__ import annotations

import math

import torch
from torch import Tensor

# Elements of one piece of the product `p * level`: it stays in the processor's cache.
PIECE = 65_536


def log_power_sum(level: Tensor, p: Tensor) -> Tensor:
    """`log(sum_i exp(p * level_i))` over the leading axis, without storing the product.

    `level` `(R, batch...)` are logarithms, -oo for a term that does not count at any `p`; `p` has
    no axis `i` and broadcasts with the batch; the result has the broadcast shape, -oo where no
    term counts. No gradients, and no `level` of +oo. Rows are done in pieces, and a piece leaves
    out the members whose later terms are all -oo, so that padding costs nothing.

    >>> import math
    >>> level = torch.tensor([[0.0, 0.0], [math.log(2), -math.inf]], dtype=torch.float64)
    >>> log_power_sum(level, torch.tensor(2.0, dtype=torch.float64)).exp().round()
    tensor([5., 1.], dtype=torch.float64)
    """
    missing = max(0, p.ndim + 1 - level.ndim)
    level = level.reshape(len(level), *[1] * missing, *level.shape[1:])
    counts = level != -math.inf
    padded = not bool(counts.all())
    largest = level.amax(0)
    if padded:
        largest = torch.where(largest == -math.inf, 0.0, largest)
        level = torch.where(counts, level, largest)
    top = torch.where(p >= 0, p * largest, p * level.amin(0))
    axis = max(range(top.ndim), key=lambda at: _extent(level, at - top.ndim), default=0) - top.ndim
    alive = _lengths(counts, axis) if padded else None
    total, start = torch.zeros_like(top), 0
    room = torch.empty(max(PIECE, top.numel()), dtype=top.dtype, device=top.device)
    while start < len(level):
        keep, exponent, shift = None, p, top
        if alive is not None and bool((alive <= start).any()):
            keep = (alive > start).nonzero().reshape(-1)
            if not len(keep):
                break
            exponent, shift = _select(p, axis, keep), _select(top, axis, keep)
        rows = min(len(level) - start, max(1, PIECE // max(1, shift.numel())))
        piece = slice(start, start + rows)
        terms = room[: rows * shift.numel()].view(rows, *shift.shape)
        torch.mul(exponent, _select(level[piece], axis, keep), out=terms)
        terms.sub_(shift).exp_()
        if padded and not bool((valid := _select(counts[piece], axis, keep)).all()):
            terms.mul_(valid)
        if keep is None:
            total += terms.sum(0)
        else:
            total.index_add_(axis, keep, terms.sum(0))
        start += rows
    return top + total.log()


def _extent(tensor: Tensor, axis: int) -> int:
    return tensor.shape[axis] if -axis <= tensor.ndim else 1


def _lengths(counts: Tensor, axis: int) -> Tensor:
    """Per member along `axis`, one more than the last row with a term that counts."""
    rows = torch.arange(1, len(counts) + 1, device=counts.device)
    last = (counts * rows.reshape(-1, *[1] * (counts.ndim - 1))).amax(0)
    others = [at for at in range(last.ndim) if at != last.ndim + axis]
    return last.amax(others) if others else last


def _select(tensor: Tensor, axis: int, keep: Tensor | None) -> Tensor:
    if keep is None or _extent(tensor, axis) == 1:
        return tensor
    return tensor.index_select(axis, keep)
