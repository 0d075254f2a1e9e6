"""Grid indices and prices of choices made after seeing the weights (U1, U3, U4), in floats."""

from __future__ import annotations

import math

from majorant.derivation.errors import UnusableInput

_SAFETY = 1e-11


def log_ratio(fineness: int) -> float:
    """Log of the grid ratio `1 + 2^-fineness`.

    >>> round(log_ratio(1), 6)
    0.405465
    """
    return math.log1p(2.0 ** -fineness)


def index_up(value: float, fineness: int) -> int:
    """The least `j` with `(1 + r)^j >= value > 0`, up to a safety of 1e-11 (the checker decides).

    >>> index_up(1.0, 3), index_up(2.0, 0)
    (1, 2)
    """
    if not (value > 0 and math.isfinite(value)):
        raise UnusableInput(f"grid: expected a positive finite number, got {value!r}")
    log_value = math.log(value)
    return math.ceil((log_value + _SAFETY * (1 + abs(log_value))) / log_ratio(fineness))


def index_down(value: float, fineness: int) -> int:
    """The largest `j` with `(1 + r)^j <= value`, up to the same safety.

    >>> index_down(3.0, 0)
    1
    """
    if not (value > 0 and math.isfinite(value)):
        raise UnusableInput(f"grid: expected a positive finite number, got {value!r}")
    log_value = math.log(value)
    return math.floor((log_value - _SAFETY * (1 + abs(log_value))) / log_ratio(fineness))


def best_fineness(dimension: float, factors: int, choices: int) -> int:
    """The `s` of the ratio `1 + 2^-s` that balances rounding against prices.

    Rounding up costs some `r/8` nats per dimension for each of the `factors` norms (a kappa holds
    part of them only); a finer grid costs about `2 log(1/r)` for each of the `choices`. The sum is
    least at `r = 16 choices / (dimension factors)`.

    >>> best_fineness(1e6, 12, 50)
    14
    """
    ratio = 16.0 * max(1, choices) / max(1.0, dimension * max(1, factors))
    return min(40, max(2, round(-math.log2(ratio))))
