"""Bounds: ledger, substitution, explanation; and what lemmas claim about their directions."""

from __future__ import annotations

import pytest
import sympy as sp

from majorant.derivation.bound import Bound
from majorant.derivation.errors import HypothesisMismatch, MajorantError
from majorant.derivation.ledger import resolve
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Source
from majorant.derivation.monotonicity import monotonicity
from majorant.derivation.shipped import find, shipped_bounds, shipped_lemmas
from majorant.numerics.lowering.confirm import confirm_by_sampling

LEMMA_CLAIMS = [
    (lemma.id, str(x)) for lemma in shipped_lemmas()
    for x in sorted(lemma.monotone, key=str)
]


def lemma_claim(id: str, name: str) -> tuple[Lemma, sp.Basic, str]:
    lemma = shipped_lemmas()[id]
    x = next(x for x in lemma.monotone if str(x) == name)
    return lemma, x, lemma.monotone[x]


@pytest.mark.parametrize(("id", "name"), LEMMA_CLAIMS)
def test_claimed_directions_are_derived_or_confirmed(id: str, name: str) -> None:
    """A claim in a lemma is never contradicted, neither by composition nor by samples."""
    lemma, x, claimed = lemma_claim(id, name)
    derived = monotonicity(lemma.rhs, x, lemma.hypotheses).direction
    if claimed == "neither":
        return  # no direction is promised
    if derived != "unknown":
        assert claimed in (derived, "constant") or derived == "constant"
        return
    try:
        outcome = confirm_by_sampling(lemma.rhs, x, lemma.hypotheses, trials=3).outcome
    except MajorantError:
        return  # nothing to evaluate: an opaque statement
    assert outcome in (claimed, "flat")


def test_every_ledger_resolves_with_dependencies_first() -> None:
    for item in [*shipped_lemmas(), *shipped_bounds()]:
        ids = resolve(item.lemmas if isinstance(item, Bound) else [item.id])
        for at, id in enumerate(ids):
            assert set(LEMMAS[id].uses) <= {LEMMAS[i].id for i in ids[:at]} | {
                used for used in LEMMAS[id].uses if LEMMAS[used].id in ids[:at]
            }


def test_a_theorem_has_a_left_hand_side_and_a_ledger_and_a_proxy_neither_pretends() -> None:
    for bound in shipped_bounds():
        if bound.status == "theorem":
            assert bound.lhs is not None and bound.ledger, bound.name
        else:
            assert bound.lhs is None and "not a bound" in bound.text(), bound.name


def test_factors_are_explained_by_lemmas_of_the_ledger() -> None:
    for bound in shipped_bounds():
        for row in bound.explain():
            assert row["lemma"] in bound.ledger and row["title"] and row["factor"], bound.name


def test_unknown_lemmas_and_circles_are_errors() -> None:
    with pytest.raises(MajorantError, match="no such result"):
        resolve(["no lemma"])
    for id, uses in (("LOOP1", ("LOOP2",)), ("LOOP2", ("LOOP1",))):
        if id not in LEMMAS:
            LEMMAS.add(Lemma(
                id=id, name=id.lower(), title="", lhs=sp.Integer(0), relation="<=",
                rhs=sp.Integer(1), kind=Kind.ALGEBRA, label=Label.UPPER,
                source=Source("a test"), uses=uses,
            ))
    try:
        with pytest.raises(MajorantError, match="use each other"):
            resolve(["LOOP1"])
    finally:
        for id in ("LOOP1", "LOOP2"):
            del LEMMAS._by_id[id], LEMMAS._by_name[id.lower()]


def test_substitution_checks_hypotheses_and_names() -> None:
    bound = Bound(**{**vars(find_lemma_bound())})
    assert bound.subs({"tau": 1}).hypotheses != ()
    assert bound.subs({"tau": 1, "eps": 2}).hypotheses == ()
    with pytest.raises(HypothesisMismatch, match="tau < eps"):
        bound.subs({"tau": 2, "eps": 1})
    with pytest.raises(MajorantError, match="no argument"):
        bound.subs({"nothing": 1})


def find_lemma_bound() -> Bound:
    lemma = find("C3")
    assert isinstance(lemma, Lemma)
    return Bound(
        name="test", title="C3 as a bound", expression=lemma.rhs, hypotheses=lemma.hypotheses,
        lemmas=("C3",), factors=(("C3", lemma.rhs),), lhs=lemma.lhs,
    )


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(MajorantError, match=r"Bounds: .*Lemmas: "):
        find("no such bound")
