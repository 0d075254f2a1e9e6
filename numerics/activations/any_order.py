"""Suprema beyond the shipped table, certified when they are asked for."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from majorant.derivation.activations import ActivationFacts, activation_table
from majorant.derivation.activations.facts import Supremum
from majorant.numerics.activations.functions import ACTIVATIONS
from majorant.numerics.activations.supremum import certified_supremum

#: Beyond this order the closed forms of F1 and F2 take over: a search would take minutes.
LAST = 24


@lru_cache(maxsize=256)
def _certified(name: str, order: int) -> Supremum:
    found = certified_supremum(ACTIVATIONS[name], order)
    at = "" if found.at is None else f"{float(found.at):.12g}"
    return Supremum(order, found.lower, found.upper, at)


def with_order(name: str, order: int) -> ActivationFacts:
    """The facts of a known activation with certified suprema up to `min(order, LAST)`.

    >>> low, high = with_order("silu", 17).supremum(17)
    >>> 0 < high - low < high / 10**20
    True
    """
    facts = activation_table()[name]
    if not facts.smooth:
        return facts
    further = tuple(_certified(name, k)
                    for k in range(len(facts.suprema) + 1, min(order, LAST) + 1))
    return replace(facts, suprema=(*facts.suprema, *further))
