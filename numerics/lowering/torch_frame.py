"""The run-time side of a torch kernel: axes for indices, reductions, gathers, branches.

Every value has shape `(innermost index, ..., outermost index, batch...)`: the axis of the index
at depth `k` is `-(batch_ndim + k)`, so right-aligned broadcasting does the rest and a reduction
always removes the leading axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from majorant.derivation.errors import UnusableInput
from majorant.numerics.lowering.torch_operations import (
    log_scaled,
    log_sum_exp_over,
    tensor_like,
)
from majorant.numerics.lowering.torch_power_sum import log_power_sum

Body = Callable[[Tensor], Any]


class Frame:
    """State of one call: number of batch axes, dtype, device, current depth of indices."""

    def __init__(self, batch_ndim: int, dtype: torch.dtype, device: torch.device) -> None:
        self.batch_ndim, self.dtype, self.device = batch_ndim, dtype, device
        self.depth = 0
        self.plain: dict[int, tuple[int, int, int]] = {}  # id of an index -> depth, first, last

    def tensor(self, value: Any) -> Tensor:
        """A tensor of the call's dtype and device."""
        if isinstance(value, Tensor):
            return value
        return torch.as_tensor(value, dtype=self.dtype, device=self.device)

    # reductions

    def sum_over(self, lo: Any, hi: Any, body: Body) -> Tensor:
        """Sum over an index; 0 for an empty range."""
        return self.reduce(lo, hi, body, 0.0, torch.sum)

    def product_over(self, lo: Any, hi: Any, body: Body) -> Tensor:
        """Product over an index; 1 for an empty range."""
        return self.reduce(lo, hi, body, 1.0, torch.prod)

    def min_over(self, lo: Any, hi: Any, body: Body) -> Tensor:
        """Minimum over an index; +oo for an empty range."""
        return self.reduce(lo, hi, body, math.inf, torch.amin)

    def max_over(self, lo: Any, hi: Any, body: Body) -> Tensor:
        """Maximum over an index; -oo for an empty range."""
        return self.reduce(lo, hi, body, -math.inf, torch.amax)

    def log_sum_exp_over(self, lo: Any, hi: Any, body: Body) -> Tensor:
        """Log of a sum of exponentials over an index; -oo for an empty range."""
        return self.reduce(lo, hi, body, -math.inf, log_sum_exp_over)

    def log_power_sum(self, lo: Any, hi: Any, body: Body, p: Any) -> Tensor:
        """Log of the sum of `exp(p * body(index))` over an index, one `p` for all of them."""
        exponent = self.tensor(p)

        def combine(level: Tensor, dim: int) -> Tensor:
            if level.requires_grad or exponent.requires_grad or bool((level == math.inf).any()):
                return log_sum_exp_over(log_scaled(level, exponent), dim)
            return log_power_sum(level, exponent)

        return self.reduce(lo, hi, body, -math.inf, combine)

    def reduce(
        self, lo: Any, hi: Any, body: Body, neutral: float, combine: Callable[..., Tensor]
    ) -> Tensor:
        """Evaluate `body` with a new leading axis for the index, and reduce that axis."""
        first, last = self.whole(lo), self.whole(hi)
        uniform = isinstance(first, int) and isinstance(last, int)
        if uniform:
            start, stop, filled = first, last, None
        else:
            first, last = (torch.as_tensor(end, device=self.device) for end in (first, last))
            filled = last >= first
            present = bool(filled.any())
            start = int(first.expand(filled.shape)[filled].min()) if present else 1
            stop = int(last.expand(filled.shape)[filled].max()) if present else 0
        if stop < start:
            return self.tensor(neutral)
        self.depth += 1
        axis, ndim = -(self.batch_ndim + self.depth), self.batch_ndim + self.depth
        steps = torch.arange(start, stop + 1, device=self.device).reshape(-1, *[1] * (ndim - 1))
        mask = None
        if filled is None:
            index = steps.to(self.dtype)
            self.plain[id(index)] = (self.depth, start, stop)
        else:
            # Members outside their own range are evaluated at an index of the range and masked
            # out: they never see an undefined value, so gradients stay finite.
            mask = (steps >= first) & (steps <= last)
            inside = torch.minimum(torch.maximum(steps, first), last)
            index = torch.where(filled, inside, start).to(self.dtype)
        value = self.tensor(body(index))
        self.plain.pop(id(index), None)
        self.depth -= 1
        value = value.reshape([1] * (ndim - value.ndim) + list(value.shape))
        if mask is not None:
            value = torch.where(mask, value, neutral)
        elif value.shape[axis] == 1 and stop > start:
            value = value.expand(stop - start + 1, *value.shape[1:])
        return combine(value, dim=axis)

    def whole(self, end: Any) -> Any:
        """A limit as a Python integer, or as an integer tensor where it varies."""
        if isinstance(end, int):
            return end
        tensor = self.tensor(end).detach()
        rounded = torch.round(tensor)
        if not bool((rounded == tensor).all()):
            raise UnusableInput(f"a limit of a sum must be an integer, got {tensor.tolist()}")
        if rounded.numel() == 1:
            return int(rounded)
        return rounded.to(torch.int64)

    # families

    def entry(self, name: str, family: Tensor, *indices: Any) -> Tensor:
        """`family[indices]`, indices from 1; leading axes are the indices, the rest is batch."""
        rank, own = len(indices), family.ndim - len(indices)
        if own < 0:
            raise UnusableInput(f"{name}: expected at least {rank} axes, got {family.ndim}")
        keys = [self.plain.get(id(index)) for index in indices]
        depths = [key[0] for key in keys if key is not None]
        pairs = zip(indices, keys, strict=True)
        simple = all(isinstance(index, int) or key for index, key in pairs)
        if simple and len(set(depths)) == len(depths):
            return self.view(name, family, indices, keys)
        return self.gather(name, family, indices)

    def view(
        self, name: str, family: Tensor, indices: Sequence[Any], keys: Sequence[Any]
    ) -> Tensor:
        """The common case: slices whose axes are put in order of depth."""
        depths: list[int] = []
        axis = 0
        for position, (index, key) in enumerate(zip(indices, keys, strict=True)):
            first, last = (index, index) if key is None else (key[1], key[2])
            check_range(name, position, first, last, indices, family.shape[axis])
            if key is None:
                family = family.select(axis, index - 1)
            else:
                family = family.narrow(axis, first - 1, last - first + 1)
                depths.append(key[0])
                axis += 1
        if not depths:
            return family
        batch = family.shape[axis:]
        order = sorted(range(axis), key=lambda at: -depths[at])
        # contiguous in the order of the axes: later passes over larger products run in memory order
        family = family.permute(*order, *range(axis, family.ndim)).contiguous()
        sizes = dict(zip(sorted(depths, reverse=True), family.shape, strict=False))
        shape = [sizes.get(depth, 1) for depth in range(max(depths), 0, -1)]
        return family.reshape(*shape, *[1] * (self.batch_ndim - len(batch)), *batch)

    def gather(self, name: str, family: Tensor, indices: Sequence[Any]) -> Tensor:
        """Any index expressions, tensors included."""
        positions = []
        for axis, index in enumerate(indices):
            position = self.whole(index)
            tensor = torch.as_tensor(position, device=self.device)
            low, high = int(tensor.min()), int(tensor.max())
            check_range(name, axis, low, high, indices, family.shape[axis])
            positions.append(tensor - 1)
        own = family.shape[len(indices):]
        padded = [1] * (self.batch_ndim - len(own)) + list(own)
        family = family.reshape(*family.shape[: len(indices)], *padded)
        for axis, size in enumerate(padded):
            steps = torch.arange(size, device=self.device)
            positions.append(steps.reshape(-1, *[1] * (self.batch_ndim - 1 - axis)))
        return family[tuple(positions)]

    # branches

    def piecewise(
        self,
        leaves: Sequence[Any],
        decisive: int,
        branches: Sequence[tuple[Callable[..., Any], Callable[..., Any]]],
    ) -> Tensor:
        """The first branch whose condition holds; NaN where a deciding leaf is NaN.

        A branch is evaluated with its leaves replaced, where it is not taken, by a value at which
        it is; so an untaken branch contributes no NaN, neither forward nor backward.
        """
        tensors = [self.tensor(leaf) for leaf in leaves]
        taken = self.tensor(0.0) != 0
        for leaf in tensors[:decisive]:
            taken = taken | torch.isnan(leaf)
        result = torch.where(taken, math.nan, self.tensor(0.0))
        for condition, branch in branches:
            holds = condition(*tensors)
            mask = (holds if isinstance(holds, Tensor) else torch.full_like(taken, holds)) & ~taken
            shape = torch.broadcast_shapes(mask.shape, *(leaf.shape for leaf in tensors))
            wide = mask.expand(shape)
            at = wide.reshape(-1).to(torch.int8).argmax().reshape(1)
            inside = [leaf.detach().expand(shape).reshape(-1) for leaf in tensors]
            safe = [
                torch.where(wide, leaf, flat.index_select(0, at).reshape(()))
                for leaf, flat in zip(tensors, inside, strict=True)
            ]
            result = torch.where(mask, tensor_like(branch(*safe), result), result)
            taken = taken | mask
        return result


def check_range(
    name: str, axis: int, low: int, high: int, indices: Sequence[Any], size: int
) -> None:
    """Indices must lie in `1..size`."""
    if low < 1 or high > size:
        raise UnusableInput(
            f"{name}: index {axis + 1} of {len(indices)} runs over {low}..{high}, but this axis "
            f"has {size} entries (indices start at 1)"
        )
