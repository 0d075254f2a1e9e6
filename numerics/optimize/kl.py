"""The inverse of the Bernoulli divergence in floats, from the lowered `KLInverse`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp
import torch

from majorant.derivation.functions import KLInverse
from majorant.numerics.lowering import torch_kernel


@lru_cache(maxsize=1)
def _kernel() -> Any:
    q, level = sp.symbols("q level", nonnegative=True)
    return torch_kernel(KLInverse(q, level), [q, level])


def kl_inverse(q: float, level: float) -> float:
    """`sup {r in [q, 1]: kl(q, r) <= level}`.

    >>> round(kl_inverse(0.0, 0.5), 6)
    0.393469
    """
    both = (torch.tensor(x, dtype=torch.float64) for x in (q, level))
    return float(_kernel()(*both))
