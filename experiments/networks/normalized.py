"""The `normalized` family of docs/theory 1.5 as a torch module, one factored matrix a role.

Block: `Pi( relu( Pi( sum_h softmax(X Q_h X^T) X V_h ) M_in ) M_out )`, rows in the unit ball; then
the linear read-out of the first token. There is nothing else: no residuals, no biases, no
LayerNorm, and no `1/sqrt(d)` (it is inside `Q_h`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from majorant.derivation.errors import UnusableInput

ROLES = ("QK", "V", "M_in", "M_out")


def project_rows(x: Tensor) -> Tensor:
    """Rows moved to the unit ball, `x / max(1, ||x||)`: 1-Lipschitz (M6).

    >>> import torch
    >>> project_rows(torch.tensor([[3.0, 4.0], [0.3, 0.4]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.30000001192092896, 0.4000000059604645]]
    """
    # The norm of a zero row has no gradient; the floor only touches rows far inside the ball.
    squared = (x * x).sum(dim=-1, keepdim=True)
    return x / squared.clamp(min=1.0).sqrt()


class NormalizedNetwork(nn.Module):
    """A Transformer of the normalized family with every matrix stored as `left @ right^T`.

    Shapes: `width` is N, `hidden` the width of the feed-forward layer; `QK` and `V` of a head are
    `N x N`, `M_in` is `N x hidden`, `M_out` is `hidden x N`, the read-out a vector of size N. The
    factors have `rank` columns (`rank_ff` for the feed-forward); a column can be switched off for
    good with `truncate`, so that the rank is exact and not a matter of rounding.

    Source: docs/theory 1.5; the family of Edelman, Goel, Kakade, Zhang 2022 (arXiv 2110.10090)
    with heads and both feed-forward matrices. Raises `UnusableInput` for sizes below 1.

    >>> import torch
    >>> network = NormalizedNetwork(blocks=2, heads=2, width=8, hidden=8, rank=2, rank_ff=3, seed=0)
    >>> network(torch.zeros(5, 7, 8)).shape
    torch.Size([5])
    >>> sorted(network.ranks().values())
    [2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3]
    """

    def __init__(self, *, blocks: int, heads: int, width: int, hidden: int, rank: int,
                 rank_ff: int, seed: int, query_scale: float = 3.0) -> None:
        super().__init__()
        sizes = {"blocks": blocks, "heads": heads, "width": width, "hidden": hidden,
                 "rank": rank, "rank_ff": rank_ff}
        for name, size in sizes.items():
            if size < 1:
                raise UnusableInput(f"{name}: expected a positive integer, got {size}")
        self.blocks, self.heads, self.width, self.hidden = blocks, heads, width, hidden
        generator = torch.Generator().manual_seed(seed)
        # Queries start large: without residuals the signal of a uniform softmax is T times
        # weaker, and training from small logits stays at the best function of the bag.
        shapes = {
            "QK": ((blocks, heads, width, rank), (blocks, heads, width, rank), query_scale),
            "V": ((blocks, heads, width, rank), (blocks, heads, width, rank), 1.5),
            "M_in": ((blocks, width, rank_ff), (blocks, hidden, rank_ff), 1.0),
            "M_out": ((blocks, hidden, rank_ff), (blocks, width, rank_ff), 1.0),
        }
        for role, (left, right, scale) in shapes.items():
            for side, shape in (("left", left), ("right", right)):
                start = torch.randn(shape, generator=generator) * (scale / math.sqrt(width))
                self.register_parameter(f"{role}_{side}", nn.Parameter(start))
            self.register_buffer(f"{role}_kept", torch.ones(*left[:-2], left[-1]))
        self.readout = nn.Parameter(torch.randn(width, generator=generator) / math.sqrt(width))

    def factors(self, role: str) -> tuple[Tensor, Tensor]:
        """Left and right factors of all matrices of a role, switched-off columns zero.

        Shapes `(blocks, heads, N, rank)` for `QK` and `V`, `(blocks, ., rank)` for the others.
        """
        kept = getattr(self, f"{role}_kept")[..., None, :]
        return getattr(self, f"{role}_left") * kept, getattr(self, f"{role}_right") * kept

    def slots(self) -> Iterator[tuple[str, str, tuple[int, ...]]]:
        """Name, role and index of each matrix: `blocks.0.heads.1.QK`, `blocks.1.M_in`, ..."""
        for block in range(self.blocks):
            for head in range(self.heads):
                for role in ("QK", "V"):
                    yield f"blocks.{block}.heads.{head}.{role}", role, (block, head)
            for role in ("M_in", "M_out"):
                yield f"blocks.{block}.{role}", role, (block,)

    def ranks(self) -> dict[str, int]:
        """Columns kept of each matrix, by name."""
        return {name: int(getattr(self, f"{role}_kept")[index].sum())
                for name, role, index in self.slots()}

    def spectra(self) -> dict[str, Tensor]:
        """Singular values of each matrix from its factors (QR, then the small core), with
        gradients; `rank` values a matrix, descending, zeros included."""
        found = {}
        for role in ROLES:
            left, right = self.factors(role)
            core = torch.linalg.qr(left).R @ torch.linalg.qr(right).R.transpose(-1, -2)
            found[role] = torch.linalg.svdvals(core)
        return {name: found[role][index] for name, role, index in self.slots()}

    def forward(self, tokens: Tensor, uniform: tuple[bool, ...] = ()) -> Tensor:
        """Score of each sequence; its sign is the answer.

        `tokens` is `(batch, T, N)`, rows in the unit ball. `uniform[l]` replaces the attention
        weights of block `l` by `1/T` (the ablation); an empty tuple leaves all as trained.
        """
        x = tokens
        (ql, qr), (vl, vr), (il, ir), (ol, orr) = (self.factors(role) for role in ROLES)
        for block in range(self.blocks):
            # Only the first token is read: the last block needs one query row.
            rows = x if block < self.blocks - 1 else x[:, :1]
            logits = self._per_head(rows, ql[block]) @ self._per_head(x, qr[block]).mT
            if uniform and uniform[block]:
                logits = torch.zeros_like(logits)
            values = logits.softmax(dim=-1) @ self._per_head(x, vl[block])
            # Sum over heads of `values_h @ right_h^T`, as one product.
            flat = values.transpose(1, 2).flatten(2)
            mixed = flat @ vr[block].transpose(1, 2).flatten(0, 1)
            hidden = torch.relu((project_rows(mixed) @ il[block]) @ ir[block].T)
            x = project_rows((hidden @ ol[block]) @ orr[block].T)
        return x[:, 0] @ self.readout

    def _per_head(self, x: Tensor, factor: Tensor) -> Tensor:
        """`x @ factor[h]` for all heads: `(batch, T, N)` and `(H, N, r)` to `(batch, H, T, r)`."""
        flat = x @ factor.transpose(0, 1).flatten(1)
        return flat.unflatten(2, (self.heads, -1)).transpose(1, 2)
