"""Each obligation holds at random points of its domain, and each mutant is violated somewhere.

This is no proof; the provers discharge the obligations. It shows that an obligation says what was
meant, that its hypotheses can be met, and that the mutated constant is really too small.
"""

from __future__ import annotations

import random

import mpmath
import pytest
import sympy as sp

import majorant.derivation.comparison
import majorant.derivation.covering
import majorant.derivation.generalization
import majorant.derivation.telescoping
import majorant.derivation.union_bound  # noqa: F401
from majorant.derivation.functions.setting import Setting
from majorant.derivation.lemma import LEMMAS, Obligation

OURS = ("C", "D", "G", "U", "SELBERG", "MASSART", "CHERNOFF", "A5")
ALL = [
    obligation for lemma in LEMMAS if lemma.id.startswith(OURS) for obligation in lemma.obligations
]


def about_objects(obligation: Obligation) -> bool:
    """Said of whole families, or of covers, networks, samples: not for sampling."""
    parts = (obligation.statement, *obligation.hypotheses)
    quantified = any(h.atoms(sp.Indexed) for h in obligation.hypotheses) or any(
        len(entry.indices) > 1 for entry in obligation.statement.atoms(sp.Indexed)
    )
    return quantified or any(part.atoms(Setting) or isinstance(part, Setting) for part in parts)


OBLIGATIONS = [obligation for obligation in ALL if not about_objects(obligation)]
TOLERANCE = mpmath.mpf(10) ** -20
BOUNDED = {"p": 2, "theta": 1, "delta": 1}


def draw(symbol: sp.Basic, rng: random.Random) -> mpmath.mpf:
    """A value of the symbol's domain, on a logarithmic scale where the domain is unbounded."""
    top = BOUNDED.get(str(symbol))
    if top:
        return mpmath.mpf(rng.choice([0.001, rng.uniform(0.01, 0.99), 0.998])) * top
    if symbol.is_integer:
        return mpmath.mpf(rng.choice([1, 2, 3, rng.randint(1, 40), 1000]))
    size = mpmath.mpf(10) ** rng.uniform(-3, 3) if rng.random() < 0.7 else mpmath.mpf(1)
    if symbol.is_nonnegative:
        return size
    return size * rng.choice([-1, 1])


def points(obligation: Obligation, value, count: int) -> list[dict]:
    """Points at which all hypotheses hold; boundaries of `x <= y` are tried too."""
    rng = random.Random(obligation.id)
    claims = [obligation.statement, *obligation.hypotheses]
    if obligation.mutant is not None:
        claims.append(obligation.mutant)
    bound = {
        limit[0]
        for claim in claims
        for node in claim.atoms(sp.Sum, sp.Integral)
        for limit in node.limits
    }
    free = sorted({s for claim in claims for s in claim.free_symbols} - bound, key=str)
    bases = {entry.base for claim in claims for entry in claim.atoms(sp.Indexed)}
    names = [s for s in free if isinstance(s, sp.Symbol) and s not in {b.label for b in bases}]
    found = []
    for _ in range(60 * count):
        at = {symbol: draw(symbol, rng) for symbol in names}
        if rng.random() < 0.2:
            at |= {symbol: mpmath.mpf(1) for symbol in names if str(symbol) not in BOUNDED}
        at |= {base: [draw(base.label, rng)] * 1000 for base in bases}
        for hypothesis in obligation.hypotheses:
            exact = rng.random() < 0.3 or isinstance(hypothesis, sp.Eq)
            for symbol, other in (
                (hypothesis.lhs, hypothesis.rhs),
                (hypothesis.rhs, hypothesis.lhs),
            ):
                if exact and symbol.is_Symbol and not isinstance(hypothesis, sp.Lt | sp.Gt):
                    at[symbol] = value(other, at)
                    break
        if all(holds(h, at, value, TOLERANCE) for h in obligation.hypotheses):
            found.append(at)
        if len(found) == count:
            break
    return found


def holds(claim: sp.Basic, at: dict, value, slack: mpmath.mpf) -> bool:
    """Whether a relational holds at a point, up to `slack` times the size of its sides."""
    if claim in (sp.true, sp.false):
        return claim is sp.true
    with mpmath.workdps(40):
        left, right = value(claim.lhs, at), value(claim.rhs, at)
        room = slack * (1 + abs(left) + abs(right))
        if isinstance(claim, sp.Eq):
            return bool(abs(left - right) <= room)
        if isinstance(claim, sp.Lt | sp.Gt):
            return bool((right - left) * (1 if isinstance(claim, sp.Lt) else -1) > room)
        if isinstance(claim, sp.Le):
            return bool(left <= right + room)
        return bool(left >= right - room)


def test_what_is_not_sampled_is_proved_by_the_kernel() -> None:
    for obligation in ALL:
        assert obligation in OBLIGATIONS or obligation.coq is not None, obligation.id


def test_every_family_has_obligations() -> None:
    assert len(OBLIGATIONS) > 60


@pytest.mark.parametrize("obligation", OBLIGATIONS, ids=lambda o: o.id)
def test_obligation_holds_and_its_mutant_does_not(obligation: Obligation, value) -> None:
    integral = obligation.statement.has(sp.Integral)
    slack = mpmath.mpf(10) ** -9 if integral else TOLERANCE
    found = points(obligation, value, count=3 if integral else 60)
    assert found, "no point satisfies the hypotheses"
    for at in found:
        assert holds(obligation.statement, at, value, slack), at
    if obligation.mutant is not None:
        assert any(not holds(obligation.mutant, at, value, slack) for at in found)
