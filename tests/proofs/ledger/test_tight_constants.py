"""Constants that are called tight, and proof steps that are not.

A tight lemma has a near-extremal example among its obligations: the same claim with the constant
one per cent smaller is refuted at a rational point at which ball arithmetic is certainly on the
wrong side. For the other lemmas the mutated step must not be provable.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
import sympy as sp

from majorant.derivation.lemma import Kind, Label, Obligation
from majorant.proofs.claims import Verdict
from majorant.proofs.ledger import shipped_lemmas
from majorant.proofs.ledger.discharge import claim_of
from majorant.proofs.provers.portfolio import decide

MUTATED = {o.id: (lemma, o) for lemma in shipped_lemmas() for o in lemma.obligations
           if o.mutant is not None}
# The falsifier finds no point of a sum with a symbolic end; it is added up below.
SUMMED = "U3.telescopes"
TIGHT = [o for lemma, o in MUTATED.values() if lemma.label is Label.TIGHT and o.id != SUMMED]
STEPS = [o for lemma, o in MUTATED.values() if lemma.label is Label.UPPER]
# Cited identities: no constant that could be smaller.
IDENTITIES = {"BANACH", "EY"}


def verdict(obligation: Obligation) -> Verdict:
    """The portfolio's answer to the mutant."""
    assert obligation.mutant is not None
    assert obligation.mutant != obligation.statement
    return decide(claim_of(obligation.mutant, obligation.hypotheses), 20)


def test_every_tight_lemma_has_an_example() -> None:
    covered = {lemma.id for lemma, o in MUTATED.values() if o in TIGHT}
    tight = {lemma.id for lemma in shipped_lemmas() if lemma.label is Label.TIGHT}
    assert tight - covered == IDENTITIES
    for lemma in shipped_lemmas():
        if lemma.id in IDENTITIES:
            assert lemma.kind is Kind.CITED
            assert lemma.relation == "=="
    assert len(TIGHT) >= 30
    assert len(STEPS) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("obligation", TIGHT, ids=lambda obligation: obligation.id)
def test_one_per_cent_smaller_is_refuted(obligation: Obligation) -> None:
    found = verdict(obligation)
    assert found.status == "refuted", found.reason
    assert found.witness is not None


@pytest.mark.slow
@pytest.mark.parametrize("obligation", STEPS, ids=lambda obligation: obligation.id)
def test_a_mutated_step_is_not_proved(obligation: Obligation) -> None:
    assert verdict(obligation).status != "proved"


def test_the_mutated_sum_fails_at_every_end() -> None:
    mutant = MUTATED[SUMMED][1].mutant
    assert mutant is not None
    (end,) = mutant.free_symbols - {sp.Symbol("factor", integer=True, nonnegative=True)}
    for value in (0, 1, 7, 30):
        left, right = (side.subs(end, value).doit() for side in mutant.args)
        assert left != right


def test_the_weights_of_staircases_come_close_to_one() -> None:
    """U4 with two blocks, added up exactly: one per cent more would exceed Kraft's inequality."""
    top = 700

    def weight(k: int) -> Fraction:
        return Fraction(1, (k + 1) * (k + 2))

    drops = sum(weight(d) for d in range(top))
    first = Fraction(2, 3) * (2 * sum(weight(k) for k in range(top)) - weight(0))
    small = [(abs(a), d) for a, d in product(range(-3, 4), range(3))]
    listed = sum(Fraction(2, 3) * weight(a) * weight(d) for a, d in small)
    few = Fraction(2, 3) * (2 * sum(weight(k) for k in range(4)) - weight(0))
    assert listed == few * sum(weight(d) for d in range(3))
    assert Fraction(99, 100) < first * drops < 1
