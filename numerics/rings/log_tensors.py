"""The ring of logarithms held in torch tensors: batched over grids, differentiable."""

from __future__ import annotations

from fractions import Fraction

import torch
from torch import Tensor

from majorant.derivation.ring.plain import PlainRing
from majorant.numerics.rings.log_floats import LogFloatRing

_FLOATS = LogFloatRing()


class LogTensorRing(PlainRing):
    """Non-negative numbers as float64 tensors that hold their logarithm.

    Tensors of any shapes that broadcast; `0` is `-inf`, with gradient 0.

    >>> ring = LogTensorRing()
    >>> x = torch.tensor([0.0, 1000.0], dtype=torch.float64)
    >>> ring.mul(x, x).tolist()
    [0.0, 2000.0]
    """

    def __init__(self, device: str | torch.device = "cpu") -> None:
        self.device = torch.device(device)

    def fraction(self, value: Fraction) -> Tensor:
        return torch.tensor(_FLOATS.fraction(value), dtype=torch.float64, device=self.device)

    def interval(self, lower: Fraction, upper: Fraction) -> Tensor:
        return self.fraction(upper)

    def add(self, x: Tensor, y: Tensor) -> Tensor:
        return torch.logaddexp(x, y)

    def mul(self, x: Tensor, y: Tensor) -> Tensor:
        return x + y

    def div(self, x: Tensor, y: Tensor) -> Tensor:
        return x - y

    def sqrt(self, x: Tensor) -> Tensor:
        return x / 2

    def maximum(self, x: Tensor, y: Tensor) -> Tensor:
        return torch.maximum(x, y)

    def minimum(self, x: Tensor, y: Tensor) -> Tensor:
        return torch.minimum(x, y)
