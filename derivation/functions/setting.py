"""A hypothesis that has no formula: the situation that a quantity comes from."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.symbol import Str


class Setting(sp.Basic):
    """`Setting(name, *arguments)`: a predicate of the Coq development, by its name there.

    It ties a formula to what it bounds: with `Setting("cumulant_value3", z)` among the hypotheses,
    `z <= 1` is a statement about joint cumulants. Arguments are expressions, families
    (`IndexedBase`), or symbols that count (integer symbols). Only the Coq kernel reads settings;
    another prover must answer `unknown`.

    >>> x = sp.Symbol("x", real=True)
    >>> Setting("gelu_slope", x), Setting("gelu_slope", x).free_symbols
    (gelu_slope(x), {x})
    """

    def __new__(cls, name: str | Str, *arguments: Any) -> Setting:
        """The predicate `name` of `arguments`."""
        label = name if isinstance(name, Str) else Str(name)
        return super().__new__(cls, label, *map(sp.sympify, arguments))

    @property
    def name(self) -> str:
        """Name of the predicate in `proofs/coq/Definitions.v`."""
        return str(self.args[0])

    @property
    def arguments(self) -> tuple[sp.Basic, ...]:
        """What the predicate is said of."""
        return self.args[1:]

    def _sympystr(self, printer: Any) -> str:
        return f"{self.name}({', '.join(printer._print(arg) for arg in self.arguments)})"

    def _latex(self, printer: Any) -> str:
        inside = ", ".join(printer._print(arg) for arg in self.arguments)
        return rf"\text{{{self.name.replace('_', ' ')}}}\left({inside}\right)"
