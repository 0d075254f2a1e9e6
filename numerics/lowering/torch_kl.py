"""The inverse of the Bernoulli relative entropy as a differentiable torch operation."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

STEPS = 80


def kl_inverse(q: Tensor, c: Tensor) -> Tensor:
    """`sup{r in [q, 1] : kl(q, r) <= c}`, elementwise, broadcast; `q` is clipped to [0, 1].

    Newton's method inside a bracket; gradients by the implicit function theorem (the right-hand
    limit where the derivative in `c` is infinite is replaced by 0).

    >>> kl_inverse(torch.zeros(1).double(), torch.ones(1).double())
    tensor([0.6321], dtype=torch.float64)
    """
    result: Tensor = _Inverse.apply(*torch.broadcast_tensors(q, c))
    return result


def excess(q: Tensor, r: Tensor) -> Tensor:
    """`kl(q, r)`, accurate near the diagonal and near the corners."""
    d = r - q
    safe = torch.where(q > 0, q, 1.0)
    quotient = d / safe
    # The quotient of a normal and a subnormal number may overflow; its logarithm does not.
    left = torch.where(torch.isinf(quotient), -q * (torch.log(r) - torch.log(safe)),
                       -torch.xlogy(q, 1 + quotient))
    near = d < 0.5 * q
    left = torch.where(near, -q * torch.log1p(quotient), left)
    rest = 1 - q
    ratio = d / torch.where(rest > 0, rest, 1.0)
    return left - rest * torch.log1p(-torch.clamp(ratio, max=1.0))


def solve(q: Tensor, c: Tensor) -> Tensor:
    """The inverse without gradients."""
    low = q.clone()
    high = torch.clamp(q + torch.sqrt(torch.clamp(c, min=0) / 2), max=1.0)
    r = (low + high) / 2
    for _ in range(STEPS):
        value = excess(q, r) - c
        below = value <= 0
        low, high = torch.where(below, r, low), torch.where(below, high, r)
        following = r - value * r * (1 - r) / (r - q)
        inside = (following > low) & (following < high)
        following = torch.where(inside, following, (low + high) / 2)
        settled = (following - r).abs() <= 4e-17 * r
        r = following
        if bool(settled.all()):
            break
    r = torch.where(q == 0, -torch.expm1(-c), r)
    r = torch.where((c <= 0) | (q >= 1), q, r)
    return torch.where(torch.isnan(q) | torch.isnan(c), torch.nan, r)


class _Inverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, q: Tensor, c: Tensor) -> Tensor:
        clipped = torch.clamp(q, 0.0, 1.0)
        r = solve(clipped, c)
        ctx.save_for_backward(clipped, c, r)
        return r

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        q, c, r = ctx.saved_tensors
        moving = (r > q) & (c > 0) & (r < 1)
        slope = torch.where(moving, r * (1 - r) / torch.where(moving, r - q, 1.0), 0.0)
        slope = torch.where(q == 0, torch.exp(-torch.clamp(c, min=0)), slope)
        safe_q = torch.where((q > 0) & (q < 1) & moving, q, 0.5)
        safe_r = torch.where(moving, r, 0.5)
        odds = torch.log(safe_r * (1 - safe_q) / (safe_q * (1 - safe_r)))
        by_q = torch.where(moving & (q > 0), slope * odds, torch.where(r >= 1, 0.0, 1.0))
        return gradient * by_q, gradient * slope
