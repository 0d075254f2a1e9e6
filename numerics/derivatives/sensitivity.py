"""How far `D_k` of a network moves with its weights: dual majorants (P5, `kappa^(1)`)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from majorant.derivation.network import Network, parameters
from majorant.derivation.network.series import propagate_series
from majorant.derivation.ring import Ring
from majorant.numerics.rings.dual import Dual, DualRing


def derivative_sensitivities(
    network: Network, norms: Mapping[str, Any], ring: Ring[Any], order: int = 1,
) -> list[dict[str, Any]]:
    """For `k = 0..order`: `D_k(f_W - f_W^) <= sum_a result[k][a] ||W_a - W_a^||`.

    Both `W` and `W^`, and the segment between them, must satisfy `norms`. Norms of the parameters
    as in `propagate` (spectral, Euclidean, largest entry). Order 0 is A5's `kappa`.
    Raises `UnusableInput` for ReLU and projections: one more derivative is needed than bounded.

    >>> import sympy as sp
    >>> from majorant.derivation.network import post_norm_encoder
    >>> from majorant.derivation.ring import ExactRing
    >>> net = post_norm_encoder(1, 1, 4, 4, "tanh", eps="1")
    >>> one = {key: sp.Integer(1) for key in parameters(net)} | {"input": sp.Integer(1)}
    >>> derivative_sensitivities(net, one, ExactRing())[0]["block0.norm2.bias"]
    1
    """
    dual = DualRing(ring)
    moving = parameters(network)
    lifted = {key: dual.variable(key, value) if key in moving else dual.constant(value)
              for key, value in norms.items()}
    majorant = propagate_series(network, lifted, dual, order)
    still = ring.fraction(Fraction(0))
    result: list[dict[str, Any]] = []
    for k in range(order + 1):
        bound: Dual = majorant.bound(k)
        result.append({key: bound.tangents.get(key, still) for key in moving})
    return result


def lipschitz_sensitivities(
    network: Network, norms: Mapping[str, Any], ring: Ring[Any]
) -> dict[str, Any]:
    """`kappa^(1)`: `Lip(f_W - f_W^) <= sum_a result[a] ||W_a - W_a^||`.

    0 for parameters without effect on it (the last bias, a key bias without rotary positions).
    """
    return derivative_sensitivities(network, norms, ring, 1)[1]
