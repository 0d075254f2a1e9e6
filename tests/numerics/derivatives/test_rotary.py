"""With rotary positions the sharp constant of A3 fails, and the one that is used holds.

The gradient of logit s in key token s depends on s through the rotation, so A3's cross term does
not vanish. Two keys `+a`, `-a`, a query that sees them at angles `phi` and `180 - phi` degrees:
the derivative reaches `sqrt(1 + C^2 + 2 C cos phi) + C sin phi`.
"""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from majorant.derivation.attention.head_lipschitz import HEAD_SERIES, HEAD_SHARP
from majorant.derivation.symbols import C_Q, C_V, b


def _rotation(angle: float) -> Tensor:
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]], dtype=torch.float64)


def _derivative(norm: float, phi: float) -> float:
    """Norm of the derivative of `sum_s softmax(C x R_s k_s) k_s` at the construction above."""
    rotations = (_rotation(phi), _rotation(math.pi - phi))
    query = torch.tensor([1.0, 0.0], dtype=torch.float64)
    keys = torch.tensor([[1.0, 0.0], [-1.0, 0.0]], dtype=torch.float64)

    def head(q: Tensor, k: Tensor) -> Tensor:
        logits = torch.stack([norm * (q @ r @ row) for r, row in zip(rotations, k, strict=True)])
        return torch.softmax(logits, dim=0) @ k

    u = torch.tensor([1.0, 0.0], dtype=torch.float64)
    gradients = torch.autograd.functional.jacobian(lambda q, k: head(q, k) @ u, (query, keys))
    # rows of the input move independently, each by at most 1
    return float(gradients[0].norm() + gradients[1].norm(dim=-1).sum())


@pytest.mark.parametrize("norm", [0.5, 1.0, 2.0, 4.0])
def test_rotations_exceed_the_sharp_constant_but_not_the_series_one(norm: float) -> None:
    at = {C_Q: norm, C_V: 1, b: 1}
    sharp, series = float(HEAD_SHARP.rhs.subs(at)), float(HEAD_SERIES.rhs.subs(at))
    largest = 0.0
    for degrees in range(5, 90, 5):
        phi = math.radians(degrees)
        measured = _derivative(norm, phi)
        expected = math.sqrt(1 + norm**2 + 2 * norm * math.cos(phi)) + norm * math.sin(phi)
        assert math.isclose(measured, expected, rel_tol=1e-9)
        largest = max(largest, measured)
    assert sharp * 1.01 < largest <= series
