"""F6: the closed forms in the depth are the composition of the blocks, one after another."""

from __future__ import annotations

import pytest
import sympy as sp

from majorant.derivation.blocks.closed_forms import PARTS, closed_forms
from majorant.derivation.blocks.depth import (
    BETA,
    GAMMA,
    LAMBDA,
    SAME,
    alike_blocks,
    network_derivative,
)
from majorant.derivation.errors import MajorantError
from majorant.derivation.majorants.series import Majorant
from majorant.derivation.ring import ExactRing
from majorant.derivation.symbols import L

RING = ExactRing()


def composed(depth: int, families: tuple[sp.IndexedBase, ...]) -> Majorant:
    state = Majorant.identity(RING, sp.Integer(1), 3)
    for block in range(1, depth + 1):
        state = state.then(Majorant(RING, (sp.Integer(1), *(
            family[block] / sp.factorial(k) for k, family in enumerate(families, 1)))))
    return state


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_sums_over_blocks_are_the_composition(depth: int, k: int) -> None:
    expected = composed(depth, (LAMBDA, BETA, GAMMA)).bound(k)
    closed = network_derivative(k).subs(L, depth).doit()
    assert sp.expand(closed - expected) == 0
    alike = {family[m]: same for family, same in zip((LAMBDA, BETA, GAMMA), SAME, strict=True)
             for m in range(1, depth + 1)}
    assert sp.simplify(closed.subs(alike) - alike_blocks(k).subs(L, depth)) == 0


@pytest.mark.parametrize("form", [network_derivative, alike_blocks])
def test_other_orders_are_refused(form) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(MajorantError, match="orders 1 to 3"):
        form(4)


def test_every_part_is_listed_in_text_and_latex() -> None:
    rows = closed_forms()
    assert [(row["part"], row["k"]) for row in rows] == [(p, k) for p in PARTS for k in (1, 2, 3)]
    assert all(row["text"] and row["latex"] for row in rows)
    for symbol in ("H", "N", "G_gain", "eps_norm"):  # heads, width, normalizations are explicit
        assert any(symbol in str(row["text"]) for row in rows if row["part"] == "block")
