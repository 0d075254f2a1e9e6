"""A tight constant, made one per cent smaller, is refuted with a certified witness.

The witness is a rational point at which ball arithmetic is certainly on the wrong side.
"""

from __future__ import annotations

import pytest
import sympy as sp

import majorant.derivation.comparison
import majorant.derivation.covering
import majorant.derivation.generalization
import majorant.derivation.union_bound  # noqa: F401
from majorant.derivation.lemma import LEMMAS, Label, Obligation
from majorant.proofs.ledger.discharge import claim_of
from majorant.proofs.provers.portfolio import decide

OURS = ("C", "D", "U")
TIGHT = [
    obligation
    for lemma in LEMMAS
    if lemma.label is Label.TIGHT and lemma.id.startswith(OURS)
    for obligation in lemma.obligations
    if obligation.mutant is not None and not obligation.mutant.has(sp.Sum)
]


def test_there_are_tight_constants() -> None:
    assert len(TIGHT) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("obligation", TIGHT, ids=lambda obligation: obligation.id)
def test_one_per_cent_smaller_is_refuted(obligation: Obligation) -> None:
    assert obligation.mutant is not None
    verdict = decide(claim_of(obligation.mutant, obligation.hypotheses), 20)
    assert verdict.status == "refuted", verdict.reason
    assert verdict.witness is not None
