"""No law found by optimization has a larger joint cumulant than A1 allows (k = 2..6)."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from majorant.derivation.attention.cumulants import cumulant_bound


def joint_cumulant(logits: Tensor, values: Tensor) -> Tensor:
    """`kappa(V_1, ..., V_k)` under `softmax(logits)`; `values` is k x laws x atoms."""
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


def _search(k: int, atoms: int, laws: int = 12, steps: int = 50) -> float:
    """The largest cumulant that gradient ascent from several laws finds."""
    torch.manual_seed(k)
    logits = torch.randn(laws, atoms, dtype=torch.float64, requires_grad=True)
    raw = torch.randn(k, laws, atoms, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([logits, raw], lr=0.15)
    best = 0.0
    for _ in range(steps):
        value = joint_cumulant(logits, torch.tanh(2 * raw)).abs()
        best = max(best, float(value.detach().max()))
        optimizer.zero_grad()
        (-value.sum()).backward()
        optimizer.step()
    return best


@pytest.mark.parametrize(("k", "known"), [(2, 1.0), (3, 1.0), (4, 2.0), (5, 4.086), (6, 16.0)])
def test_no_law_exceeds_the_constants(k: int, known: float, record_property) -> None:  # type: ignore[no-untyped-def]
    bound = float(cumulant_bound(k, "tilted")[1])
    best = max(_search(k, atoms) for atoms in (2, 8))
    record_property(f"cumulant {k}", f"found {best:.4f}, bound {bound:.4f}")
    assert best <= bound * (1 + 1e-12)
    assert best >= 0.45 * known  # the search is not asleep
