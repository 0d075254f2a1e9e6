"""Lemmas: one published result each, as data that every other layer reads.

A `Lemma` carries its statement as SymPy expressions, its hypotheses, what it stands on and the
obligations that a prover can discharge. Kernels, LaTeX, JSON, Coq statements and the ledger are
generated from these objects; no formula is typed a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

import sympy as sp

from majorant.derivation.errors import HypothesisMismatch, MajorantError
from majorant.derivation.functions.setting import Setting
from majorant.derivation.printing.statement import Printable


class Kind(StrEnum):
    """The kind of truth of a statement (docs/theory, conventions)."""

    KERNEL = "kernel"
    INTERVAL = "interval"
    ALGEBRA = "algebra"
    CITED = "cited"


class Label(StrEnum):
    """`tight`: no smaller constant is true; `upper`: an upper bound that may be loose."""

    TIGHT = "tight"
    UPPER = "upper"


Direction = Literal["increasing", "decreasing", "constant", "neither"]


@dataclass(frozen=True)
class Source:
    """Where a statement was published.

    >>> Source("Edelman, Goel, Kakade, Zhang 2022", "Lemma 4.3", arxiv="2110.10090").text()
    'Edelman, Goel, Kakade, Zhang 2022, Lemma 4.3 (arXiv 2110.10090)'
    """

    authors: str
    locus: str = ""
    arxiv: str = ""
    statement: str = ""

    def text(self) -> str:
        """One line for people."""
        parts = self.authors + (f", {self.locus}" if self.locus else "")
        return parts + (f" (arXiv {self.arxiv})" if self.arxiv else "")


@dataclass(frozen=True)
class Obligation:
    """A claim that must be discharged for a lemma to count as proved.

    `statement` is a SymPy relational, `hypotheses` are relationals over the same symbols (the
    domains of the symbols' assumptions are added by the prover). `coq` names the theorem of the
    development (`File.theorem`) whose statement must be this one. `mutant`, where given, is the
    same claim with a constant made smaller: it must be refuted (tight constants), or the proof
    step must fail.
    """

    id: str
    statement: sp.Basic
    kind: Kind
    hypotheses: tuple[sp.Basic, ...] = ()
    coq: str | None = None
    mutant: sp.Basic | None = None
    note: str = ""

    @classmethod
    def of_setting(cls, id: str, rhs: sp.Expr, setting: str, *arguments: Any, coq: str,
                   note: str = "") -> Obligation:
        """`z <= rhs` for every `z` of which `setting(*arguments, z)` is true in the development.

        >>> Obligation.of_setting("X.z", sp.Integer(1), "logit_slope", 1, coq="M.t").statement
        z <= 1
        """
        value = sp.Symbol("z", real=True)
        return cls(id, sp.Le(value, rhs, evaluate=False), Kind.KERNEL,
                   (Setting(setting, *arguments, value),), coq, note=note)


@dataclass(frozen=True)
class Lemma(Printable):
    """One result: `lhs relation rhs` under `hypotheses`.

    `requires` and `provides` are tags (`"internal-cover"`, `"range [0,1]"`, `"no-absolute-value"`)
    that composition matches: a lemma whose `requires` are not provided cannot be composed.
    A lemma without obligations that is not cited says in `prose` why: its proof is words only.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", positive=True)
    >>> lemma = Lemma(id="X1", name="log_tangent", title="Tangent of the logarithm",
    ...     lhs=sp.log(1 + x), relation="<=", rhs=x, kind=Kind.INTERVAL, label=Label.TIGHT,
    ...     source=Source("folklore"), monotone={x: "increasing"})
    >>> lemma.statement
    log(x + 1) <= x
    """

    id: str
    name: str
    title: str
    lhs: sp.Expr
    relation: Literal["<=", "<", "=="]
    rhs: sp.Expr
    kind: Kind
    label: Label
    source: Source
    hypotheses: tuple[sp.Basic, ...] = ()
    monotone: Mapping[sp.Basic, Direction] = field(default_factory=dict)
    requires: frozenset[str] = frozenset()
    provides: frozenset[str] = frozenset()
    uses: tuple[str, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    notes: str = ""
    prose: str = ""

    @property
    def statement(self) -> sp.Basic:
        """The relational `lhs relation rhs`, unevaluated."""
        relation = {"<=": sp.Le, "<": sp.Lt, "==": sp.Eq}[self.relation]
        return relation(self.lhs, self.rhs, evaluate=False)

    @property
    def printed_formula(self) -> sp.Expr:
        """The right-hand side, for the printers."""
        return self.rhs

    @property
    def printed_left(self) -> sp.Expr:
        """The left-hand side, for the printers."""
        return self.lhs

    @property
    def printed_relation(self) -> str:
        """The relation, for the printers."""
        return self.relation

    @property
    def symbols(self) -> tuple[sp.Basic, ...]:
        """Free symbols of the right-hand side, by name."""
        return tuple(sorted(self.rhs.free_symbols, key=str))

    def __hash__(self) -> int:
        return hash(self.id)


class Registry:
    """The shipped lemmas by id and by name; ids and names are unique.

    >>> registry = Registry()
    >>> len(registry)
    0
    """

    def __init__(self) -> None:
        self._by_id: dict[str, Any] = {}
        self._by_name: dict[str, Any] = {}

    def add(self, item: Any) -> Any:
        """Register `item` (it has `id` and `name`); a second one with the same key is an error."""
        for table, key in ((self._by_id, item.id), (self._by_name, item.name)):
            if key in table:
                raise MajorantError(f"{key}: registered twice; ids and names must be unique")
        self._by_id[item.id] = item
        self._by_name[item.name] = item
        return item

    def __getitem__(self, key: str) -> Any:
        found = self._by_id.get(key, self._by_name.get(key))
        if found is None:
            known = ", ".join(sorted(self._by_id))
            raise MajorantError(f"{key!r}: no such result. Known ids: {known}")
        return found

    def __contains__(self, key: str) -> bool:
        return key in self._by_id or key in self._by_name

    def __iter__(self) -> Iterator[Any]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)


LEMMAS = Registry()


def require(have: frozenset[str], lemma: Lemma) -> frozenset[str]:
    """Tags after `lemma` is applied to something that has the tags `have`.

    Raises `HypothesisMismatch` naming the tags that are missing.

    >>> import sympy as sp
    >>> lemma = Lemma(id="X2", name="x2", title="", lhs=sp.Integer(0), relation="<=",
    ...     rhs=sp.Integer(1), kind=Kind.ALGEBRA, label=Label.UPPER, source=Source("folklore"),
    ...     requires=frozenset({"internal-cover"}))
    >>> require(frozenset({"any-cover"}), lemma)
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.HypothesisMismatch: X2 (): needs internal-cover, has any-cover
    """
    missing = lemma.requires - have
    if missing:
        raise HypothesisMismatch(
            f"{lemma.id} ({lemma.title}): needs {', '.join(sorted(missing))}, "
            f"has {', '.join(sorted(have)) or 'nothing'}"
        )
    return have | lemma.provides
