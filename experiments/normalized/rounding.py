"""How far a float64 forward pass of the normalized family can be from exact arithmetic.

First-order error analysis, every second-order term swallowed by the factor `SLACK`: inner products
of length k err by at most `gamma_k = k u / (1 - k u)` times the norms (Higham, *Accuracy and
Stability of Numerical Algorithms*, 2002, sec. 3.1), in any order of summation. One assumption:
`exp` is right to `EXP_ULP` units in the last place. Frobenius norms stand for spectral ones.
"""

from __future__ import annotations

import math

from torch import Tensor

from majorant.derivation.network import propagate
from majorant.experiments.networks.normalized import NormalizedNetwork
from majorant.numerics.optimize import Parameter
from majorant.numerics.rings import LogFloatRing

UNIT = 2.0**-53
EXP_ULP = 4
SLACK = 1.01


def gamma(length: int) -> float:
    """Relative error of an inner product of `length` terms.

    >>> gamma(32) < 33 * UNIT
    True
    """
    return length * UNIT / (1 - length * UNIT)


def forward_error(network: NormalizedNetwork, parameters: tuple[Parameter, ...],
                  tokens: int) -> float:
    """Bound on `|computed - exact|` of the score, float64, `tokens` rows of norm at most 1.

    `parameters` are the verified sizes of the same network. The errors of each block are carried
    through the blocks after it by its Lipschitz constant (A5's telescoping).

    >>> from majorant.experiments.normalized.certify import verified_parameters
    >>> network = NormalizedNetwork(blocks=2, heads=2, width=8, hidden=8, rank=2, rank_ff=2, seed=0)
    >>> 0 < forward_error(network, verified_parameters(network), tokens=25) < 1e-9
    True
    """
    norms = {p.id: math.log(p.size) if p.size > 0 else -math.inf for p in parameters}
    lips = propagate(network.description(), norms | {"input": 0.0}, LogFloatRing()).lips
    error = 0.0
    for block in range(network.blocks):
        lip = math.exp(lips[f"block{block}"])
        error = SLACK * (lip * error + _block_error(network, block, tokens))
    readout = float(network.readout.detach().double().norm())
    return SLACK * SLACK * readout * (error + gamma(network.width))


def _sizes(network: NormalizedNetwork, role: str, block: int) -> list[tuple[float, float, int]]:
    """Frobenius norms of both factors, and the inner length, of each head (or the one matrix)."""
    left, right = (factor[block].detach().double() for factor in network.factors(role))
    pairs: list[tuple[Tensor, Tensor]] = (
        list(zip(left, right, strict=True)) if left.dim() == 3 else [(left, right)])
    return [(float(a.norm()), float(b.norm()), a.shape[-1]) for a, b in pairs]


def _block_error(network: NormalizedNetwork, block: int, tokens: int) -> float:
    """Error that one block adds to rows that enter it exactly."""
    # Twice: token and position embeddings enter separately, with norms that sum to at most 2.
    width = 2 * gamma(network.width) + UNIT
    project = (network.width + 4) * UNIT
    attention = 0.0
    for (query, key, rank), (left, right, rank_v) in zip(
            _sizes(network, "QK", block), _sizes(network, "V", block), strict=True):
        logit = (2 * width + gamma(rank) + 2 * UNIT) * query * key
        weight = 2 * (logit + EXP_ULP * UNIT) + (tokens + 2) * UNIT
        sums = width + gamma(tokens) + gamma(network.heads * rank_v)
        attention += left * right * (weight + sums)
    (in_left, in_right, rank_in), = _sizes(network, "M_in", block)
    (out_left, out_right, rank_out), = _sizes(network, "M_out", block)
    m_in, m_out = in_left * in_right, out_left * out_right
    hidden = m_in * (attention + project + gamma(rank_in) + width)
    out = gamma(rank_out) + gamma(network.hidden)
    return m_out * (hidden + m_in * out) + project
