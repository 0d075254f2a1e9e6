"""The trained part: a rank-r update of the last feed-forward matrix, and a linear head.

With frozen `base` and `code` (see `features`), a token's last LayerNorm sees `base + code V`;
tokens are averaged and scored by `w`. Only `V` and `w` are trained.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from majorant.experiments.finetune.features import Piece
from majorant.numerics.checkpoints import open_model

EPS = "1e-12"


@dataclass(frozen=True)
class FrozenNorm:
    """Gain and bias of the last LayerNorm, float64."""

    gain: Tensor
    bias: Tensor


def frozen_norm(source: str | Path) -> FrozenNorm:
    """The last block's second LayerNorm of the reference checkpoint."""
    norm = open_model(source).blocks[-1].feed_forward_norm
    bias = norm.bias()
    return FrozenNorm(norm.gain(), torch.zeros_like(norm.gain()) if bias is None else bias)


@dataclass(frozen=True)
class Batch:
    """Tokens of some texts: `segment[t]` is the text of token `t`, `lengths` the token counts."""

    base: Tensor
    code: Tensor
    segment: Tensor
    lengths: Tensor

    @staticmethod
    def of(piece: Piece, dtype: torch.dtype = torch.float32) -> Batch:
        """All texts of a cached piece."""
        offsets = torch.from_numpy(piece.offsets)
        lengths = offsets[1:] - offsets[:-1]
        return Batch(torch.from_numpy(piece.base).to(dtype), torch.from_numpy(piece.code).to(dtype),
                     torch.repeat_interleave(torch.arange(len(lengths)), lengths),
                     lengths.to(dtype))


class FineTuned(nn.Module):
    """Scores of texts; `V` is `update` (rank, N), `w` is `readout` (N,)."""

    def __init__(self, norm: FrozenNorm, rank: int) -> None:
        super().__init__()
        width = len(norm.gain)
        self.gain: Tensor
        self.bias: Tensor
        self.register_buffer("gain", norm.gain.float())
        self.register_buffer("bias", norm.bias.float())
        self.update = nn.Parameter(torch.zeros(rank, width))
        self.readout = nn.Parameter(torch.zeros(width))

    def pooled(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Mean token output of each text (texts, N), and the least variance over its tokens."""
        x = batch.base + batch.code[:, : len(self.update)] @ self.update.to(batch.base.dtype)
        mean = x.mean(1, keepdim=True)
        variance = (x - mean).square().mean(1)
        y = (x - mean) / torch.sqrt(variance + float(EPS))[:, None]
        y = y * self.gain.to(y.dtype) + self.bias.to(y.dtype)
        texts = len(batch.lengths)
        total = torch.zeros(texts, y.shape[1], dtype=y.dtype).index_add(0, batch.segment, y)
        least = torch.full((texts,), torch.inf, dtype=y.dtype).scatter_reduce(
            0, batch.segment, variance.detach(), "amin")
        return total / batch.lengths[:, None], least

    def forward(self, batch: Batch) -> Tensor:
        """Score of each text; the label is its sign."""
        return self.pooled(batch)[0] @ self.readout.to(batch.base.dtype)
