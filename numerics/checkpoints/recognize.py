"""Which architecture a list of tensor names is, and under which prefix its blocks lie."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.families import FAMILIES
from majorant.numerics.checkpoints.family import Family


@dataclass(frozen=True)
class Recognized:
    """A family, what precedes its block names (`module.bert.`), and the number of blocks."""

    family: Family
    prefix: str
    layers: int


def known_model_types() -> list[str]:
    """Every `model_type` that some table describes, sorted.

    >>> known_model_types()[:4]
    ['bert', 'camembert', 'deit', 'distilbert']
    """
    return sorted({word for family in FAMILIES for word in family.model_types})


def recognize(names: Iterable[str], model_type: str | None, where: str) -> Recognized:
    """The family whose block names occur, whatever wraps them (`module.`, `state_dict.`, ...).

    With a `model_type` only its tables are tried. Raises `UnusableInput` if no table fits, with
    the names that were seen, or if blocks occur under more than one prefix.

    >>> found = recognize([f"module.bert.encoder.layer.{i}.attention.self.query.weight"
    ...                    for i in range(2)], None, "model.pt")
    >>> found.family.name, found.prefix, found.layers
    ('bert', 'module.bert.', 2)
    """
    names = list(names)
    tables = [f for f in FAMILIES if model_type is None or model_type in f.model_types]
    if not tables:
        raise UnusableInput(
            f"{where}: unknown architecture, model_type '{model_type}'; expected one of "
            f"{', '.join(known_model_types())}. Parameter names seen: {_some(names)}."
        )
    matches = [(f, prefixes) for f in tables if (prefixes := _prefixes(f, names))]
    # RoBERTa's blocks are BERT's: without a configuration the prefix tells them apart.
    matches.sort(key=lambda match: not any(match[0].name + "." in p for p in match[1]))
    if not matches:
        raise UnusableInput(
            f"{where}: no block of a known architecture in these {len(names)} tensors; expected "
            f"the names of one of {', '.join(dict.fromkeys(f.name for f in tables))}. Parameter "
            f"names seen: {_some(names)}."
        )
    family, prefixes = matches[0]
    if len(prefixes) > 1:
        raise UnusableInput(
            f"{where}: {family.name} blocks occur under several prefixes "
            f"({', '.join(repr(p) for p in sorted(prefixes))}); expected one network. Save the "
            "one that counts by itself."
        )
    prefix, layers = next(iter(prefixes.items()))
    absent = sorted(set(range(max(layers) + 1)) - layers)
    if absent:
        raise UnusableInput(
            f"{where}: blocks {absent} are missing among 0..{max(layers)}. The checkpoint is "
            "incomplete."
        )
    return Recognized(family, prefix, len(layers))


def _prefixes(family: Family, names: list[str]) -> dict[str, set[int]]:
    before, after = family.block.split("{layer}")
    stems = "|".join(re.escape(stem) for stem in family.query.stems)
    pattern = re.compile(
        rf"(?P<prefix>(?:.*\.)?){re.escape(before)}(?P<layer>\d+){re.escape(after)}"
        rf"(?:{stems})\.weight"
    )
    found: dict[str, set[int]] = {}
    for name in names:
        if match := pattern.fullmatch(name):
            found.setdefault(match["prefix"], set()).add(int(match["layer"]))
    return found


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:6])
    return shown + (f", ... ({len(names)} in all)" if len(names) > 6 else "") if names else "none"
