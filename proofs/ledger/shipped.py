"""All shipped lemmas, and what one of them stands on."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import lru_cache

import majorant.derivation
from majorant.derivation.errors import MajorantError
from majorant.derivation.lemma import LEMMAS, Lemma


@lru_cache(maxsize=1)
def shipped_lemmas() -> tuple[Lemma, ...]:
    """Every registered lemma, after importing every module of `derivation`, by id.

    Raises `MajorantError` when a lemma uses an id that does not exist.

    >>> {"C3", "G5", "U3", "P4"} <= {lemma.id for lemma in shipped_lemmas()}
    True
    """
    for module in pkgutil.walk_packages(majorant.derivation.__path__, "majorant.derivation."):
        importlib.import_module(module.name)
    found = sorted(LEMMAS, key=lambda lemma: lemma.id)
    known = {lemma.id for lemma in found}
    for lemma in found:
        unknown = [name for name in lemma.uses if name not in known]
        if unknown:
            raise MajorantError(f"{lemma.id}: uses {', '.join(unknown)}, which is not registered")
    return tuple(found)


def closure(ids: Iterable[str]) -> tuple[Lemma, ...]:
    """The lemmas `ids` and everything that they use, each once, uses first.

    >>> [lemma.id for lemma in closure(["C3"])]
    ['C1', 'C2', 'EY', 'C3']
    """
    shipped_lemmas()
    order: list[Lemma] = []
    open_: set[str] = set()

    def visit(name: str) -> None:
        lemma: Lemma = LEMMAS[name]
        if lemma in order:
            return
        if lemma.id in open_:
            raise MajorantError(f"{lemma.id}: stands on itself")
        open_.add(lemma.id)
        for used in lemma.uses:
            visit(used)
        order.append(lemma)

    for name in ids:
        visit(name)
    return tuple(order)
