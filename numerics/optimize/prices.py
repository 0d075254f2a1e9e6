"""Prices (nats) of choices made after seeing the weights, from the lemmas U3 and U4, in floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import sympy as sp

from majorant.derivation.symbols import N_min, exponent
from majorant.derivation.union_bound import descent_price, geometric_price
from majorant.derivation.union_bound import rank_price as rank_price_of

_real: Callable[[int], float] = sp.lambdify([exponent], geometric_price(), "math")
_drop: Callable[[int], float] = sp.lambdify([exponent], descent_price(exponent, sp.S.Zero), "math")
_rank: Callable[[int], float] = sp.lambdify([N_min], rank_price_of(), "math")


def kind_price(count: int) -> float:
    """One of `count` kinds of class.

    >>> kind_price(1)
    0.0
    """
    return math.log(count)


@lru_cache(maxsize=4096)
def rank_price(smaller: int) -> float:
    """A rank in `0..smaller`.

    >>> rank_price(0)
    0.0
    """
    return _rank(smaller)


@lru_cache(maxsize=65536)
def real_price(index: int) -> float:
    """U3: an integer grid index.

    >>> round(math.exp(real_price(0)), 9)
    3.0
    """
    return _real(index)


def fineness_price(fineness: int) -> float:
    """The fineness of the grid itself, `s >= 0` with the telescoping weights of a descent.

    >>> round(math.exp(fineness_price(0)), 9)
    2.0
    """
    return _drop(fineness)


def staircase_price(levels: Sequence[int]) -> float:
    """U4 without the rank: a non-increasing sequence of grid indices.

    >>> staircase_price([0, 0]) == real_price(0) + math.log(2)
    True
    """
    drops = pairwise(levels)
    return real_price(levels[0]) + math.fsum(_drop(a - b) for a, b in drops)
