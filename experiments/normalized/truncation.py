"""Dropping singular directions where the loss rises least."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from majorant.experiments.networks.normalized import ROLES, NormalizedNetwork


@torch.no_grad()
def balance(network: NormalizedNetwork) -> None:
    """Rewrite each product as `(U sqrt(S)) (V sqrt(S))^T`: the same matrices up to rounding, the
    columns of the factors sorted by singular value."""
    for role in ROLES:
        left, right = network.factors(role)
        rank = left.shape[-1]
        u, s, vt = torch.linalg.svd((left @ right.mT).double(), full_matrices=False)
        root = s[..., None, :rank].sqrt()
        getattr(network, f"{role}_left").copy_(u[..., :rank] * root)
        getattr(network, f"{role}_right").copy_(vt[..., :rank, :].mT * root)


@torch.no_grad()
def truncate(network: NormalizedNetwork, total: int, loss: Callable[[], float]) -> float:
    """Drop smallest singular directions one by one, each time the one whose absence costs `loss`
    least, until the ranks sum to `total` or nothing can go; returns the last loss (NaN if nothing
    was dropped). The last direction that a block's signal passes through always stays: a silent
    network has a moderate loss, and would look like a cheap choice.

    >>> network = NormalizedNetwork(blocks=1, heads=1, width=8, hidden=8, rank=2, rank_ff=3, seed=0)
    >>> before = {name: values.clone() for name, values in network.spectra().items()}
    >>> _ = truncate(network, 9, lambda: -float(network.spectra()["block0.M_in"].sum()))
    >>> network.ranks()["block0.M_in"], sum(network.ranks().values())
    (3, 9)
    """
    balance(network)
    value = math.nan
    while sum(network.ranks().values()) > total:
        trials = []
        for _, role, index in network.slots():
            kept = getattr(network, f"{role}_kept")[index]
            rank = int(kept.sum())
            if rank == 0 or (rank == 1 and _cuts(network, role, index)):
                continue
            kept[rank - 1] = 0.0
            trials.append((loss(), kept, rank))
            kept[rank - 1] = 1.0
        if not trials:
            break
        value, kept, rank = min(trials, key=lambda trial: trial[0])
        kept[rank - 1] = 0.0
    # A head that passes nothing on has no use for its logits.
    logits, values = network.get_buffer("QK_kept"), network.get_buffer("V_kept")
    logits[values.sum(dim=-1) == 0] = 0.0
    return value


def _cuts(network: NormalizedNetwork, role: str, index: tuple[int, ...]) -> bool:
    """Whether nothing would pass the block any more without this matrix."""
    if role == "V":
        return int((network.get_buffer("V_kept")[index[0]].sum(dim=-1) > 0).sum()) == 1
    return role in ("M_in", "M_out")
