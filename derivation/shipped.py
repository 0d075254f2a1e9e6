"""Everything that ships: lemmas and bounds, loaded once, found by name, described alike."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import majorant.derivation as package
from majorant.derivation.bound import BOUNDS, Bound
from majorant.derivation.errors import MajorantError
from majorant.derivation.ledger import ledger_row, ledger_text, resolve
from majorant.derivation.lemma import LEMMAS, Lemma, Registry
from majorant.derivation.printing.text import wrapped


@lru_cache(maxsize=1)
def load() -> None:
    """Import every module of the derivation, so that both registries are complete."""
    for module in walk_packages(package.__path__, prefix=f"{package.__name__}."):
        import_module(module.name)


def shipped_lemmas() -> Registry:
    """All lemmas.

    >>> "A3" in shipped_lemmas()
    True
    """
    load()
    return LEMMAS


def shipped_bounds() -> Registry:
    """All bounds and proxies."""
    load()
    return BOUNDS


@lru_cache(maxsize=1)
def _sources() -> dict[str, str]:
    """The text of every module of the derivation, by name; nothing is imported."""
    found = {}
    for root in map(Path, package.__path__):
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join((package.__name__, *(x for x in parts if x != "__init__")))
            found[name] = path.read_text(encoding="utf-8")
    return found


def reach(name: str) -> Bound | Lemma:
    """The bound or lemma called `name`, importing as little as possible: the modules that have
    the name between quotation marks, where it is defined first; all of them if that is not enough.

    >>> reach("C3").id
    'C3'
    """
    if name not in BOUNDS and name not in LEMMAS:
        quoted = f'"{name}"'
        users = [module for module, text in _sources().items() if quoted in text]
        users.sort(key=lambda module: f"id={quoted}" not in _sources()[module]
                   and f"name={quoted}" not in _sources()[module])
        for module in users:
            import_module(module)
            if name in BOUNDS or name in LEMMAS:
                break
        else:
            load()
    found: Bound | Lemma = BOUNDS[name] if name in BOUNDS else LEMMAS[name]
    return found


def find(name: str) -> Bound | Lemma:
    """A bound by name, or a lemma by id or name, with all that it stands on; `MajorantError` lists
    what there is.

    >>> find("A3").id
    'A3'
    """
    try:
        item = reach(name)
    except MajorantError:
        raise MajorantError(
            f"{name!r}: no such bound or lemma. Bounds: "
            f"{', '.join(sorted(b.name for b in BOUNDS))}. "
            f"Lemmas: {', '.join(sorted(lemma.id for lemma in LEMMAS))}") from None
    waiting = list(item.lemmas if isinstance(item, Bound) else item.uses)
    seen: set[str] = set()
    while waiting:
        if (id := waiting.pop()) not in seen:
            seen.add(id)
            lemma = reach(id)
            waiting += lemma.uses if isinstance(lemma, Lemma) else []
    return item


def as_json(item: Bound | Lemma) -> dict[str, Any]:
    """A bound or a lemma as JSON-able data: `name`, `latex`, `symbols`, `hypotheses`, `ledger`,
    `monotonicity`, and more.

    >>> sorted(as_json(find("A3")))[:3]
    ['claimed_monotonicity', 'hypotheses', 'id']
    """
    if isinstance(item, Bound):
        return item.json()
    return {
        **item.statement_json(),
        "id": item.id,
        "kind": item.kind.value,
        "label": item.label.value,
        "source": item.source.text(),
        "claimed_monotonicity": {str(x): direction for x, direction in item.monotone.items()},
        "requires": sorted(item.requires),
        "provides": sorted(item.provides),
        "ledger": [ledger_row(id) for id in resolve([item.id])],
        "notes": item.notes,
    }


def as_text(item: Bound | Lemma) -> str:
    """A bound or a lemma for a terminal."""
    if isinstance(item, Bound):
        return item.text()
    used = [id for id in resolve([item.id]) if id != item.id]
    blocks = (
        item.statement_text(),
        wrapped("Truth", [f"{item.kind.value}, {item.label.value}"]),
        wrapped("Stands on", ledger_text(used)),
        wrapped("Source", [item.source.text()]),
        wrapped("Notes", [item.notes] if item.notes else []),
    )
    return "\n".join(block for block in blocks if block)
