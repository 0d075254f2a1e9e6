"""What a scalar evaluator supplies to the walker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp


@dataclass(frozen=True)
class Backend:
    """Arithmetic of one number type.

    `power(x, y, nonnegative)` knows from the symbols' assumptions whether `x >= 0` holds;
    `compare` is three-valued; `unite` joins the values of all branches that may be taken.
    """

    name: str
    constant: Callable[[sp.Basic], Callable[[], Any]]
    integer: Callable[[int], Any]
    to_integer: Callable[[Any, sp.Basic], int]
    add: Callable[[Any, Any], Any]
    multiply: Callable[[Any, Any], Any]
    integer_power: Callable[[Any, int], Any]
    power: Callable[[Any, Any, bool], Any]
    compare: Callable[[str, Any, Any], bool | None]
    unite: Callable[[list[Any]], Any]
    functions: Mapping[str, Callable[..., Any]]
    reductions: Mapping[str, Callable[[Iterable[Any]], Any]]
