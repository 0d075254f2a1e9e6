"""How the bounds on `D_1..D_k` grow with heads, width, depth, norms and normalizations (F5).

For each quantity the growth is a power; its exponent is measured on the bounds themselves, as
the slope between two extreme values in the log domain, and must be a multiple of 1/2. With depth
the growth is exponential: the entry is the exponent of (Lipschitz constant of a block)^L.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from majorant.derivation.errors import MajorantError
from majorant.derivation.network import Network, parameters, post_norm_encoder, pre_norm_decoder
from majorant.derivation.network.series import propagate_series
from majorant.numerics.rings import LogFloatRing

#: Exponents of ten of the two values between which the slope is taken.
NEAR, FAR = 40, 80


@dataclass(frozen=True)
class Exponents:
    """`exponents[k-1]` is the power of `quantity` in the bound on `D_k`, as it grows."""

    quantity: str
    exponents: tuple[Fraction, ...]


def exponent_table(placement: str = "post", order: int = 3) -> list[Exponents]:
    """Exponents for one block (LayerNorm `post` or `pre`), and for depth.

    Heads are equal, so that H of them are one head with H times the value norm. The width enters
    through the radius `gain sqrt(N)` behind a normalization and through F4; spectral norms are
    held fixed. `1/eps` is the constant inside each normalization, with no variance floor.

    >>> [str(x) for x in exponent_table("post", 3)[0].exponents]  # heads
    ['1', '2', '3']
    """
    rows = [
        ("heads H", lambda x: _one_block(placement, order, value=x)),
        ("value norm C_V", lambda x: _one_block(placement, order, value=x)),
        ("query-key norm C_Q", lambda x: _one_block(placement, order, form=x)),
        ("feed-forward norm C_in", lambda x: _one_block(placement, order, w_in=x)),
        ("feed-forward norm C_out", lambda x: _one_block(placement, order, w_out=x)),
        ("gain of the normalizations", lambda x: _one_block(placement, order, gain=x)),
        ("width N", lambda x: _one_block(placement, order, width=x)),
        ("1/eps of the normalizations", lambda x: _one_block(placement, order, eps=x)),
    ]
    table = [Exponents(name, _slopes(bounds)) for name, bounds in rows]
    return [*table, Exponents("block Lipschitz constant, per block of depth",
                              _depth(placement, order))]


def _one_block(placement: str, order: int, *, value: int = 0, form: int = 0, w_in: int = 0,
               w_out: int = 0, gain: int = 0, width: int = 0, eps: int = 0) -> list[float]:
    """Natural logarithms of `D_1..D_order` with one quantity at ten to a power."""
    size = 10**width if width else 4
    network = _network(placement, 1, size, f"1e-{eps}" if eps else "1")
    norms = {}
    for key, parameter in parameters(network).items():
        power = (value if key.endswith(".V") else form if key.endswith(".QK")
                 else w_in if key.endswith(".M_in") else w_out if key.endswith(".M_out")
                 else gain if parameter.kind == "gain" else 0)
        norms[key] = power * math.log(10)
    # post-norm blocks read rows behind a normalization, of norm gain sqrt(N)
    norms["input"] = (width / 2 + gain) * math.log(10) if placement == "post" else 0.0
    majorant = propagate_series(network, norms, LogFloatRing(), order)
    return [majorant.bound(k) for k in range(1, order + 1)]


def _network(placement: str, blocks: int, width: int, eps: str) -> Network:
    if placement == "post":
        return post_norm_encoder(blocks, 1, width, width, "gelu", eps=eps)
    if placement == "pre":
        return pre_norm_decoder(blocks, 1, width, width, "gelu", eps=eps)
    raise MajorantError(f"placement {placement!r}: expected 'post' or 'pre'")


def _slopes(bounds: Callable[[int], list[float]]) -> tuple[Fraction, ...]:
    near, far = bounds(NEAR), bounds(FAR)
    return tuple(_half((y - x) / ((FAR - NEAR) * math.log(10)))
                 for x, y in zip(near, far, strict=True))


def _half(slope: float) -> Fraction:
    nearest = Fraction(round(2 * slope), 2)
    if abs(slope - float(nearest)) > 1e-3:
        raise MajorantError(f"a growth of power {slope:.6f} is not a multiple of 1/2")
    return nearest


def _depth(placement: str, order: int) -> tuple[Fraction, ...]:
    """Growth per block, in units of the logarithm of the Lipschitz constant of a block."""
    logs = []
    for blocks in (20, 40):
        network = _network(placement, blocks, 4, "1")
        norms = dict.fromkeys(parameters(network), math.log(3)) | {"input": math.log(9)}
        majorant = propagate_series(network, norms, LogFloatRing(), order)
        logs.append([majorant.bound(k) for k in range(1, order + 1)])
    first = logs[1][0] - logs[0][0]
    return tuple(_half((y - x) / first) for x, y in zip(logs[0], logs[1], strict=True))


def exponent_rows(placement: str, order: int = 3) -> list[dict[str, Any]]:
    """The table as plain data: `quantity` and `exponents` as fractions in text.

    >>> exponent_rows("post")[0]
    {'quantity': 'heads H', 'exponents': ['1', '2', '3']}
    """
    return [{"quantity": row.quantity, "exponents": [str(x) for x in row.exponents]}
            for row in exponent_table(placement, order)]


def exponents_markdown(placement: str, order: int = 3) -> str:
    """The table for the documentation."""
    header = "| quantity | " + " | ".join(f"D_{k}" for k in range(1, order + 1)) + " |"
    rule = "| --- |" + " ---: |" * order
    body = [f"| {row.quantity} | " + " | ".join(str(x) for x in row.exponents) + " |"
            for row in exponent_table(placement, order)]
    return "\n".join([header, rule, *body])
