"""Bounds: theorems composed from lemmas, with their ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import sympy as sp

from majorant.derivation.errors import HypothesisMismatch, MajorantError
from majorant.derivation.ledger import ledger_row, ledger_text, resolve
from majorant.derivation.lemma import LEMMAS, Registry
from majorant.derivation.printing.latex import latex
from majorant.derivation.printing.statement import Printable
from majorant.derivation.printing.text import text, wrapped

Status = Literal["theorem", "proxy"]


@dataclass(frozen=True)
class Bound(Printable):
    """A composed statement `lhs <= expression`, and what it stands on.

    `lemmas` are the ids that the composition used directly; `ledger` adds, transitively, what
    those use. `factors` says which lemma contributed which sub-expression. `status` is `proxy`
    for a leading factor without constants, which has no left-hand side and is not a bound.

    >>> x = sp.Symbol("x", positive=True)
    >>> bound = Bound(name="twice", title="Twice x", expression=2*x, status="proxy")
    >>> bound.latex(), bound.ledger
    ('2 x', ())
    """

    name: str
    title: str
    expression: sp.Expr
    hypotheses: tuple[sp.Basic, ...] = ()
    lemmas: tuple[str, ...] = ()
    factors: tuple[tuple[str, sp.Expr], ...] = ()
    assumptions: tuple[str, ...] = ()
    lhs: sp.Expr | None = None
    status: Status = "theorem"
    source: str = ""
    notes: str = ""

    @property
    def id(self) -> str:
        """The name: bounds have no theory identifier of their own."""
        return self.name

    @property
    def printed_formula(self) -> sp.Expr:
        """The bound itself."""
        return self.expression

    @property
    def printed_left(self) -> sp.Expr | None:
        """What is bounded; None for a proxy."""
        return self.lhs

    @property
    def ledger(self) -> tuple[str, ...]:
        """Ids of all lemmas that the bound stands on; what a lemma uses comes before it."""
        return resolve(self.lemmas)

    def explain(self) -> list[dict[str, str]]:
        """Which lemma contributed which factor, in the order of the composition."""
        return [
            {"lemma": id, "title": LEMMAS[id].title if id in LEMMAS else "",
             "factor": text(factor), "latex": latex(factor)}
            for id, factor in self.factors
        ]

    def subs(self, values: Mapping[Any, Any]) -> Bound:
        """The bound at given values (by symbol or by name); a false hypothesis is an error.

        >>> x, y = sp.symbols("x y", positive=True)
        >>> bound = Bound(name="sum", title="", expression=x + y, hypotheses=(x < 2,))
        >>> bound.subs({"x": 1}).expression
        y + 1
        >>> bound.subs({"x": 3})
        Traceback (most recent call last):
            ...
        majorant.derivation.errors.HypothesisMismatch: sum: x < 2 fails at the given values
        """
        named = {str(argument): argument for argument in self.arguments}
        given = {}
        for key, value in values.items():
            if str(key) not in named:
                raise MajorantError(
                    f"{self.name}: no argument {key}; it has {', '.join(named) or 'none'}"
                )
            given[named[str(key)]] = sp.sympify(value)
        left = []
        for hypothesis in self.hypotheses:
            stated = hypothesis.subs(given)
            if stated == sp.false:
                raise HypothesisMismatch(
                    f"{self.name}: {text(hypothesis)} fails at the given values"
                )
            if stated != sp.true:
                left.append(stated)
        return replace(
            self,
            expression=self.expression.subs(given),
            hypotheses=tuple(left),
            factors=tuple((id, factor.subs(given)) for id, factor in self.factors),
        )

    def json(self) -> dict[str, Any]:
        """Everything, as JSON-able data."""
        return {
            **self.statement_json(),
            "status": self.status,
            "ledger": [ledger_row(id) for id in self.ledger],
            "factors": self.explain(),
            "assumptions": list(self.assumptions),
            "source": self.source,
            "notes": self.notes,
        }

    def text(self) -> str:
        """Everything, for a terminal."""
        warning = (
            "A proxy for a leading factor: constants, logarithms and 1/sqrt(n) are left out. It is "
            "not a bound.\n"
        )
        factors = [f"{row['lemma']} {row['title']}: {row['factor']}" for row in self.explain()]
        blocks = (
            self.statement_text(),
            warning if self.status == "proxy" else "",
            wrapped("Which lemma gave which factor", factors),
            wrapped("Stands on", ledger_text(self.ledger)),
            wrapped("Assumptions", list(self.assumptions)),
            wrapped("Source", [self.source] if self.source else []),
            wrapped("Notes", [self.notes] if self.notes else []),
        )
        return "\n".join(block for block in blocks if block)

    def __hash__(self) -> int:
        return hash(self.name)


BOUNDS = Registry()
"""The shipped bounds and proxies by name."""
