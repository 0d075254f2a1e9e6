"""What a lemma and a bound print about themselves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import sympy as sp

from majorant.derivation.arguments import arguments_of
from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.monotonicity import Monotonicity, directions
from majorant.derivation.printing.latex import latex, name_latex
from majorant.derivation.printing.python_source import python_source
from majorant.derivation.printing.text import text, wrapped
from majorant.derivation.symbols import symbol_catalogue


class Printable:
    """A claim `lhs relation formula` under hypotheses; prints itself in every format.

    Subclasses give `title`, `hypotheses`, `printed_formula`, `printed_left` and
    `printed_relation`.
    """

    name: str
    title: str
    hypotheses: tuple[sp.Basic, ...]

    @property
    def printed_formula(self) -> sp.Expr:
        """The right-hand side."""
        raise NotImplementedError

    @property
    def printed_left(self) -> sp.Expr | None:
        """The left-hand side; None for a quantity that is not a claim (a proxy)."""
        raise NotImplementedError

    @property
    def printed_relation(self) -> str:
        """`<=`, `<` or `==`."""
        return "<="

    @property
    def arguments(self) -> list[sp.Basic]:
        """Symbols and families of the right-hand side, by name."""
        return arguments_of(self.printed_formula)

    def latex(self) -> str:
        """The statement in LaTeX, without delimiters; MathJax and KaTeX accept it."""
        right = latex(self.printed_formula)
        if self.printed_left is None:
            return right
        relation = {"<=": r"\leq", "<": "<", "==": "="}[self.printed_relation]
        return f"{latex(self.printed_left)} {relation} {right}"

    def formula_text(self) -> str:
        """The statement on one line."""
        right = text(self.printed_formula)
        if self.printed_left is None:
            return right
        return f"{text(self.printed_left)} {self.printed_relation} {right}"

    def python(self) -> str:
        """Source of a standalone function of the arguments (only `math` is imported).

        Families are lists, nested once per index; their first entry has index 1. Raises
        `UnsupportedExpression` for a statement about quantities that have no formula.
        """
        lines = [self.title + "."]
        if self.hypotheses:
            lines.append("")
            lines.append("    Domain: " + ", ".join(text(h) for h in self.hypotheses) + ".")
        name = "".join(c if c.isalnum() else "_" for c in self.name)
        docstring = "\n".join(lines) + ("\n    " if lines[1:] else "")
        try:
            return python_source(self.printed_formula, name, docstring=docstring)
        except UnsupportedExpression as error:
            raise UnsupportedExpression(
                f"{self.name}: there is nothing to compute, so no Python function: {error}. "
                "--format text, latex or json prints the statement"
            ) from None

    @property
    def computable(self) -> bool:
        """Whether the right-hand side is a formula that numbers can be put into."""
        try:
            return bool(self.python())
        except UnsupportedExpression:
            return False

    def monotonicity(self) -> dict[str, Monotonicity]:
        """Derived direction of the right-hand side in each argument."""
        return dict(_directions(self.printed_formula, tuple(self.hypotheses)))

    def symbol_table(self) -> list[dict[str, str]]:
        """Name, domain, unit, meaning and LaTeX of each argument."""
        return [symbol_row(argument) for argument in self.arguments]

    def statement_json(self) -> dict[str, Any]:
        """The part of the JSON form that lemmas and bounds share."""
        return {
            "name": self.name,
            "title": self.title,
            "latex": self.latex(),
            "text": self.formula_text(),
            "symbols": self.symbol_table(),
            "hypotheses": [{"text": text(h), "latex": latex(h)} for h in self.hypotheses],
            "monotonicity": {
                name: {
                    "direction": found.direction,
                    "blame": None if found.blame is None else text(found.blame),
                    "reason": found.reason,
                }
                for name, found in self.monotonicity().items()
            },
        }

    def statement_text(self) -> str:
        """Title, formula, hypotheses, symbols and directions, for a terminal."""
        directions = [
            f"{name}: {found.direction}"
            + ("" if found.blame is None else f" ({_short(text(found.blame))}: {found.reason})")
            for name, found in self.monotonicity().items()
        ]
        symbols = [
            f"{row['name']}: {row['meaning']} [{row['unit']}], {row['domain']}"
            for row in self.symbol_table()
        ]
        return "\n".join(
            block
            for block in (
                self.title + "\n",
                wrapped("Formula", [self.formula_text()]),
                wrapped("Hypotheses", [text(h) for h in self.hypotheses]),
                wrapped("Symbols", symbols),
                wrapped("Direction", directions),
            )
            if block
        )


def _short(formula: str, width: int = 160) -> str:
    return formula if len(formula) <= width else formula[:width] + "..."


@lru_cache(maxsize=512)
def _directions(
    formula: sp.Expr, hypotheses: tuple[sp.Basic, ...]
) -> tuple[tuple[str, Monotonicity], ...]:
    found = directions(formula, arguments_of(formula), hypotheses)
    return tuple((str(argument), direction) for argument, direction in found.items())


def symbol_row(argument: sp.Basic) -> dict[str, str]:
    """One catalogue line; a symbol that is not in it shows its assumptions.

    >>> symbol_row(sp.Symbol("theta", positive=True))["domain"]
    '0 < theta < 1'
    """
    name = str(argument)
    entry = symbol_catalogue().get(name)
    if entry is not None:
        return {"name": name, "domain": entry.domain, "unit": entry.unit,
                "meaning": entry.meaning, "latex": entry.latex or name_latex(name)}
    return {"name": name, "domain": _assumed(argument), "unit": "1", "meaning": "local to this "
            "statement", "latex": name_latex(name)}


def _assumed(argument: sp.Basic) -> str:
    label = argument.label if isinstance(argument, sp.IndexedBase) else argument
    words: Iterable[str] = (
        word for word in ("integer", "positive", "nonnegative", "real")
        if getattr(label, f"is_{word}", None)
    )
    return ", ".join(words) or "real"
