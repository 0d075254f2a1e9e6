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
from majorant.derivation.network import Network, normalized

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
        """Id (as in `description`), role and index of each matrix: `block0.head1.QK`, ..."""
        for block in range(self.blocks):
            for head in range(self.heads):
                for role in ("QK", "V"):
                    yield f"block{block}.head{head}.{role}", role, (block, head)
            for role in ("M_in", "M_out"):
                yield f"block{block}.{role}", role, (block,)

    def ranks(self) -> dict[str, int]:
        """Columns kept of each matrix, by name."""
        return {name: int(getattr(self, f"{role}_kept")[index].sum())
                for name, role, index in self.slots()}

    def spectra(self) -> dict[str, Tensor]:
        """Singular values of each matrix and the norm of the read-out, with gradients.

        From the products, for a penalty while training. What a certificate stands on are the
        verified spectra of the factors (`majorant.numerics.spectra`).
        """
        found = {}
        for role in ROLES:
            left, right = self.factors(role)
            # Not through QR of the factors: switched-off columns have no gradient there.
            found[role] = torch.linalg.svdvals(left @ right.mT)
        values = {name: found[role][index] for name, role, index in self.slots()}
        return values | {"readout": self.readout.norm().reshape(1)}

    def description(self) -> Network:
        """This network as the data that norms are propagated through (`derivation.network`)."""
        return normalized(self.blocks, self.heads, self.width, self.hidden, "relu", 1)

    def forward(self, tokens: Tensor, uniform: tuple[bool, ...] = (), *,
                table: Tensor | None = None, positions: Tensor | None = None) -> Tensor:
        """Score of each sequence; its sign is the answer.

        `tokens` is `(batch, T, N)` with rows in the unit ball. Or, for speed, `tokens` holds row
        numbers `(batch, T)` of a `table` `(kinds, N)`, to which `positions` `(T, N)` are added:
        the first block's products are linear, so they are computed once a kind and once a place.
        `uniform[l]` replaces the attention weights of block `l` by `1/T` (the ablation); an empty
        tuple leaves all as trained.
        """
        inner = [left @ right.mT for left, right in (self.factors(r) for r in ("M_in", "M_out"))]
        (ql, qr), (vl, vr) = self.factors("QK"), self.factors("V")
        rows = tokens
        for block in range(self.blocks):
            # All heads' query, key and value products at once: (..., 3 H rank).
            stacked = torch.cat([ql[block], qr[block], vl[block]]).transpose(0, 1).flatten(1)
            if block == 0 and table is not None:
                parts = torch.nn.functional.embedding(tokens, table @ stacked)
                if positions is not None:
                    parts = parts + positions @ stacked
            else:
                parts = rows @ stacked
            query, key, value = (part.unflatten(2, (self.heads, -1)).transpose(1, 2)
                                 for part in parts.tensor_split(3, dim=2))
            if block == self.blocks - 1:
                query = query[:, :, :1]  # only the first token is read
            logits = query @ key.mT
            if uniform and uniform[block]:
                logits = torch.zeros_like(logits)
            # Sum over heads of `attention_h @ value_h @ right_h^T`, as one product.
            mixed = (logits.softmax(dim=-1) @ value).transpose(1, 2).flatten(2)
            mixed = mixed @ vr[block].transpose(1, 2).flatten(0, 1)
            hidden = torch.relu(project_rows(mixed) @ inner[0][block])
            rows = project_rows(hidden @ inner[1][block])
        return rows[:, 0] @ self.readout
