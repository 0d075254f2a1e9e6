"""The direction that a lemma claims in an argument, against samples and against the derivation."""

from __future__ import annotations

import random

import mpmath
import pytest
import sympy as sp

import majorant.derivation.comparison
import majorant.derivation.covering
import majorant.derivation.generalization
import majorant.derivation.union_bound  # noqa: F401
from majorant.derivation.functions import KLInverse
from majorant.derivation.functions.statements import Statement
from majorant.derivation.lemma import LEMMAS, Lemma
from majorant.derivation.monotonicity import directions

OURS = ("C", "D", "G", "U", "SELBERG", "MASSART")
LEMMAS_WITH_DIRECTIONS = [
    lemma
    for lemma in LEMMAS
    if lemma.id.startswith(OURS)
    and lemma.monotone
    and not lemma.rhs.atoms(Statement)
    and not lemma.rhs.atoms(sp.Indexed)
    and not lemma.id.startswith("U2")  # a comparison of two points, tested in union_bound
]
TOP = {"p": 2, "theta": 1, "delta": 1, "R_hat": 1}


def draw(symbol: sp.Symbol, rng: random.Random) -> mpmath.mpf:
    top = TOP.get(str(symbol))
    if top:
        return mpmath.mpf(top) * mpmath.mpf(rng.uniform(0.01, 0.9))
    if symbol.is_integer:
        return mpmath.mpf(rng.randint(1, 500))
    return mpmath.mpf(10) ** rng.uniform(-2, 2)


def moved(symbol: sp.Symbol, at: mpmath.mpf, rng: random.Random) -> mpmath.mpf:
    """A larger value of the same domain."""
    top = TOP.get(str(symbol))
    if top:
        return at + (top - at) * mpmath.mpf(rng.uniform(0.01, 0.9))
    return at + rng.randint(1, 50) if symbol.is_integer else at * mpmath.mpf(rng.uniform(1.01, 3))


def inside(lemma: Lemma, point: dict, value) -> bool:
    for hypothesis in lemma.hypotheses:
        room = value(hypothesis.rhs, point) - value(hypothesis.lhs, point)
        if room * (1 if hypothesis.rel_op[0] == "<" else -1) <= 0:
            return False
    return True


@pytest.mark.parametrize("lemma", LEMMAS_WITH_DIRECTIONS, ids=lambda lemma: lemma.id)
def test_claimed_directions_hold_at_samples(lemma: Lemma, value) -> None:
    rng = random.Random(lemma.id)
    names = sorted(
        lemma.rhs.free_symbols.union(*(h.free_symbols for h in lemma.hypotheses)), key=str
    )
    checked = 0
    for symbol, direction in lemma.monotone.items():
        for _ in range(4 if lemma.rhs.has(KLInverse) else 30):
            point = {name: draw(name, rng) for name in names}
            other = {**point, symbol: moved(symbol, point[symbol], rng)}
            if not (inside(lemma, point, value) and inside(lemma, other, value)):
                continue
            with mpmath.workdps(40):
                change = value(lemma.rhs, other) - value(lemma.rhs, point)
                room = mpmath.mpf(10) ** -25 * (1 + abs(value(lemma.rhs, point)))
            checked += 1
            if direction == "increasing":
                assert change >= -room, (symbol, point)
            elif direction == "decreasing":
                assert change <= room, (symbol, point)
            elif direction == "constant":
                assert abs(change) <= room, (symbol, point)
    assert checked > 3, "the samples never met the hypotheses"


@pytest.mark.parametrize("lemma", LEMMAS_WITH_DIRECTIONS, ids=lambda lemma: lemma.id)
def test_claimed_directions_agree_with_the_derived_ones(lemma: Lemma) -> None:
    """Where the composition rules decide, they say what the lemma says."""
    found = directions(lemma.rhs, list(lemma.monotone), lemma.hypotheses)
    for symbol, direction in lemma.monotone.items():
        derived = found[symbol].direction
        if derived != "unknown" and direction != "neither":
            assert derived == direction, symbol
