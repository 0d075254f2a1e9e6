"""All shipped lemmas, and what one of them stands on, as lemma objects."""

from __future__ import annotations

from collections.abc import Iterable

from majorant.derivation import shipped
from majorant.derivation.ledger import resolve
from majorant.derivation.lemma import LEMMAS, Lemma


def shipped_lemmas() -> tuple[Lemma, ...]:
    """Every registered lemma, by id. Raises `MajorantError` for a lemma that uses an unknown id.

    >>> {"C3", "G5", "U3", "P4"} <= {lemma.id for lemma in shipped_lemmas()}
    True
    """
    found = sorted(shipped.shipped_lemmas(), key=lambda lemma: str(lemma.id))
    resolve(lemma.id for lemma in found)
    return tuple(found)


def closure(ids: Iterable[str]) -> tuple[Lemma, ...]:
    """The lemmas `ids` and everything that they use, each once, uses first.

    >>> [lemma.id for lemma in closure(["C3"])]
    ['C1', 'C2', 'EY', 'C3']
    """
    shipped.load()
    return tuple(LEMMAS[name] for name in resolve(ids))
