"""The largest joint cumulant of bounded variables that gradient ascent finds (A1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from majorant.derivation.attention.cumulants import cumulant_bound


def joint_cumulant(logits: Tensor, values: Tensor) -> Tensor:
    """`kappa(V_1, ..., V_k)` under `softmax(logits)`; `values` is k x laws x atoms.

    >>> law = torch.zeros(1, 2, dtype=torch.float64)
    >>> signs = torch.tensor([[[-1.0, 1.0]]], dtype=torch.float64)
    >>> joint_cumulant(law, signs.expand(4, 1, 2)).item()
    -2.0
    """
    p = torch.softmax(logits, dim=-1)
    k = values.shape[0]
    moments = {0: torch.ones_like(p[..., 0])}
    cumulants: dict[int, Tensor] = {}
    for mask in range(1, 1 << k):
        rows = [i for i in range(k) if mask >> i & 1]
        moments[mask] = (p * values[rows].prod(dim=0)).sum(dim=-1)
        lowest = mask & -mask
        total = moments[mask]
        rest = mask ^ lowest
        part = rest
        while part:  # blocks that hold the lowest variable: rest without `part`
            total = total - cumulants[mask ^ part] * moments[part]
            part = (part - 1) & rest
        cumulants[mask] = total
    return cumulants[(1 << k) - 1]


def largest_cumulant(k: int, atoms: int, laws: int = 12, steps: int = 50) -> float:
    """The largest `|kappa|` of k variables in [-1, 1] found by ascent from several laws."""
    generator = torch.Generator().manual_seed(k)
    logits = torch.randn(laws, atoms, generator=generator, dtype=torch.float64).requires_grad_()
    raw = torch.randn(k, laws, atoms, generator=generator, dtype=torch.float64).requires_grad_()
    optimizer = torch.optim.Adam([logits, raw], lr=0.15)
    best = 0.0
    for _ in range(steps):
        value = joint_cumulant(logits, torch.tanh(2 * raw)).abs()
        best = max(best, float(value.detach().max()))
        optimizer.zero_grad()
        torch.autograd.backward([-value.sum()])
        optimizer.step()
    return best


def cumulants(orders: Sequence[int] = (2, 3, 4, 5, 6), steps: int = 200) -> list[dict[str, Any]]:
    """Rows `k, found, tilted, sharp, centred, crude`: the best found beside every bound."""
    rows: list[dict[str, Any]] = []
    for k in orders:
        best = max(largest_cumulant(k, atoms, steps=steps) for atoms in (2, 4, 8))
        rows.append({"k": k, "found": best} | {
            kind: float(cumulant_bound(k, kind)[1])
            for kind in ("tilted", "sharp", "centred", "crude")})
    return rows
