"""Bringing numbers into the range where squares neither overflow nor underflow, exactly."""

import math

import torch

_LIMIT = 300


def exponent(w: torch.Tensor) -> int:
    """An integer `k` so that `w * 2^-k` is safe to square; 0 for all usual matrices.

    >>> exponent(torch.tensor([[3.0, -1.0]], dtype=torch.float64))
    0
    >>> exponent(torch.tensor([[1e-200]], dtype=torch.float64))
    -664
    """
    stored = w.mT if w.mT.is_contiguous() else w  # in the order of memory
    low, high = (float(x) for x in torch.aminmax(stored))
    peak = max(-low, high)
    if peak == 0.0 or 2.0**-_LIMIT < peak < 2.0**_LIMIT:
        return 0
    return math.frexp(peak)[1]


def scaled(w: torch.Tensor, k: int) -> torch.Tensor:
    """`w * 2^-k`, in two steps so that the power itself stays in range."""
    half = k // 2
    return w if k == 0 else w * 2.0**-half * 2.0 ** -(k - half)
