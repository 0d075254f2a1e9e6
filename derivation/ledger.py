"""The ledger: everything that a statement stands on, transitively."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from majorant.derivation.errors import MajorantError
from majorant.derivation.lemma import LEMMAS, Lemma


def resolve(ids: Iterable[str]) -> tuple[str, ...]:
    """Ids with everything that they use, transitively; dependencies first.

    Raises `MajorantError` for an id that no shipped lemma has, and for a circle.
    """
    ordered: dict[str, None] = {}
    open_ids: list[str] = []

    def visit(id: str) -> None:
        lemma: Lemma = LEMMAS[id]
        if lemma.id in ordered:
            return
        if lemma.id in open_ids:
            raise MajorantError(f"{' -> '.join([*open_ids, lemma.id])}: lemmas use each other")
        open_ids.append(lemma.id)
        for used in lemma.uses:
            visit(used)
        open_ids.pop()
        ordered[lemma.id] = None

    for id in ids:
        visit(id)
    return tuple(ordered)


def ledger_row(id: str) -> dict[str, Any]:
    """What the ledger prints about one lemma."""
    lemma: Lemma = LEMMAS[id]
    return {"id": lemma.id, "title": lemma.title, "kind": lemma.kind.value,
            "label": lemma.label.value, "source": lemma.source.text(), "uses": list(lemma.uses)}


def ledger_text(ids: Iterable[str]) -> list[str]:
    """The ledger as lines for a terminal."""
    return [
        f"{row['id']} ({row['kind']}, {row['label']}): {row['title']}. {row['source']}"
        for row in map(ledger_row, ids)
    ]
