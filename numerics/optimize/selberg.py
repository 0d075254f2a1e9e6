"""`Delta` of C4s in floats: what the volume of the other coordinates adds to an entropy."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import sympy as sp

from majorant.derivation.covering.selberg import exponent, selberg_log_volume, size

_volume: Callable[[int, int], float] = sp.lambdify([size, exponent], selberg_log_volume(), "math")


@lru_cache(maxsize=100_000)
def log_selberg(b: int, e: int) -> float:
    """`log I(b, e)`, Selberg's integral as normalized in C4s.

    >>> log_selberg(0, 3)
    0.0
    """
    return float(_volume(b, e)) if b else 0.0


@lru_cache(maxsize=100_000)
def jacobian_excess(n1: int, n2: int, knots: tuple[int, ...]) -> float:
    """`Delta` for an `n1 x n2` matrix (`n1 <= n2`) and the knots `0 = k_0 < ... < k_J`.

    The search sums cached volumes; tests compare it with the lemma's expression.

    >>> round(jacobian_excess(4, 4, (0, 4)), 9)
    0.0
    """
    gap, k = n2 - n1, knots[-1]
    parts = [log_selberg(hi - lo, gap + 2 * (n1 - hi))
             for lo, hi in pairwise(knots)]
    return sum(parts) + log_selberg(n1 - k, gap) - log_selberg(n1, gap)
