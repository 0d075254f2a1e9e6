"""Composing lemmas whose hypotheses do not match is an error that names what is missing."""

from __future__ import annotations

import re

import pytest
import sympy as sp

from majorant.derivation import symbols as s
from majorant.derivation import tags
from majorant.derivation.covering import (
    C2,
    C3,
    C4,
    C4P,
    C4S,
    C5,
    C6,
    C6_EXTERNAL,
    C7,
    truncated_entropy,
)
from majorant.derivation.errors import HypothesisMismatch
from majorant.derivation.generalization import (
    G1,
    G1_SYMMETRIC,
    G1_TWO_SIDED,
    G2,
    G2_INTERNAL,
    G3_INTERNAL,
    G4,
    G5,
    G7,
    LIPSCHITZ,
    deviation,
    integral_bound,
)
from majorant.derivation.lemma import LEMMAS
from majorant.derivation.shipped import shipped_lemmas
from majorant.derivation.telescoping import A5
from majorant.derivation.theorems.classes import vector_cover
from majorant.derivation.theorems.composition import start
from majorant.derivation.theorems.dudley_route import network_class, risk_from_integral
from majorant.derivation.theorems.published import published_bound
from majorant.derivation.theorems.schatten import schatten_bound, schatten_cover
from majorant.derivation.union_bound import UNION

LOSS = {tags.LIPSCHITZ_LOSS, tags.UNIT_RANGE, tags.INDEPENDENT, tags.PAID}
TO_DUDLEY = (C2, A5, C7, LIPSCHITZ, G4)


def test_formal_libraries_complexity_with_and_without_absolute_value() -> None:
    """Dudley bounds the complexity without absolute value; the two-sided tail needs the other."""
    have = tags.compose(LOSS, *TO_DUDLEY, G2)
    assert tags.GUARANTEE in tags.compose(have, G1)
    with pytest.raises(HypothesisMismatch, match="with absolute value"):
        tags.compose(have, G1_TWO_SIDED)


def test_formal_libraries_range_zero_one_against_minus_one_one() -> None:
    """|f| <= 1 changes the exponent of the tail by 4; the ranges are not interchangeable."""
    have = tags.compose(LOSS, *TO_DUDLEY, G2)
    with pytest.raises(HypothesisMismatch, match=r"range \[-1,1\]"):
        tags.compose(have, G1_SYMMETRIC)
    other = (LOSS - {tags.UNIT_RANGE}) | {tags.SYMMETRIC_RANGE}
    with pytest.raises(HypothesisMismatch, match=r"range \[0,1\]"):
        tags.compose(other, *TO_DUDLEY, G2)
    wide = sp.exp(-2 * s.n * deviation() ** 2 / 4)
    assert sp.simplify(wide**4 - sp.exp(-2 * s.n * deviation() ** 2)) == 0


def test_formal_libraries_integral_must_reach_half_the_radius() -> None:
    """The integral of G2 runs to 1/4, half the radius 1/2; an entropy alone is not that."""
    have = tags.compose(LOSS, *TO_DUDLEY[:-1])
    with pytest.raises(HypothesisMismatch, match="integral up to 1/4"):
        tags.compose(have, G2)


def test_internal_constants_need_internal_covers() -> None:
    """C2 is internal, C4 and C4p are not: the smaller chaining constant is refused."""
    assert tags.compose(LOSS, *TO_DUDLEY, G2_INTERNAL)
    for cover in (C4, C4P):
        have = tags.compose(LOSS | {tags.ABOVE_TAIL}, cover, A5, C7, LIPSCHITZ, G4)
        with pytest.raises(HypothesisMismatch, match="internal centres"):
            tags.compose(have, G2_INTERNAL)
        with pytest.raises(HypothesisMismatch, match="internal centres"):
            tags.compose(have, G3_INTERNAL)
    assert tags.compose(LOSS | {tags.ABOVE_TAIL}, C4S, A5, C7, LIPSCHITZ, G3_INTERNAL)
    with pytest.raises(HypothesisMismatch, match="internal centres"):
        schatten_bound("internal")
    assert published_bound("internal").expression != published_bound("textbook").expression


def test_covers_that_serve_one_sample_do_not_give_a_list() -> None:
    """C5 and C6 serve a sample; G5 needs covers that serve every input."""
    for cover in (C5, C6):
        have = tags.compose(LOSS | {tags.MARGIN}, cover, A5, C7)
        with pytest.raises(HypothesisMismatch, match="serves every input"):
            tags.compose(have, G5)


def test_centres_outside_the_spectral_ball_are_refused_by_the_telescoping() -> None:
    with pytest.raises(HypothesisMismatch, match="spectral ball"):
        tags.compose(LOSS, C6_EXTERNAL, A5)


def test_a_radius_that_is_not_above_the_tail_is_refused() -> None:
    for cover in (C3, C4, C4P, C4S):
        with pytest.raises(HypothesisMismatch, match="above the truncated tail"):
            tags.compose(LOSS, cover)
    with pytest.raises(HypothesisMismatch, match="needs eps > tau"):
        truncated_entropy(eps=sp.Rational(1, 2), tau=sp.Rational(1, 2))
    with pytest.raises(HypothesisMismatch, match="needs eps > tau"):
        truncated_entropy(eps=s.tau, tau=s.tau + s.eps)


def test_the_integral_at_p_two_is_refused() -> None:
    with pytest.raises(HypothesisMismatch, match="needs p < 2"):
        integral_bound(p=sp.Integer(2))


def test_entropies_do_not_add_up_without_the_telescoping() -> None:
    with pytest.raises(HypothesisMismatch, match="sensitivities add up"):
        tags.compose(LOSS, C2, C7)


def test_a_loss_that_is_not_lipschitz_is_refused() -> None:
    with pytest.raises(HypothesisMismatch, match="Lipschitz loss"):
        tags.compose({tags.UNIT_RANGE, tags.INDEPENDENT}, C2, A5, C7, LIPSCHITZ)


def test_unpaid_choices_are_refused() -> None:
    """The adversarial case: the same bounds with the price left out."""
    unpaid = LOSS - {tags.PAID}
    have = tags.compose(unpaid, *TO_DUDLEY, G2)
    with pytest.raises(HypothesisMismatch, match="paid for"):
        tags.compose(have, G1)
    assert tags.GUARANTEE in tags.compose(have, UNION, G1)
    with pytest.raises(HypothesisMismatch, match="paid for"):
        tags.compose(unpaid | {tags.MARGIN}, C2, A5, C7, G5)
    covers = network_class(schatten_cover(), vector_cover())
    with pytest.raises(HypothesisMismatch, match="paid for"):
        risk_from_integral(covers, s.integral, G4, "any", prices=())


def test_augmented_margins_need_the_normalizations_held() -> None:
    have = tags.compose(LOSS | {tags.MARGIN}, C2, A5, C7)
    with pytest.raises(HypothesisMismatch, match="normalizations"):
        tags.compose(have, G7)


def test_the_message_names_the_lemma_and_what_there_is() -> None:
    with pytest.raises(HypothesisMismatch, match=r"C7 \(.*needs .*, has a cover") as error:
        tags.compose({tags.COVER}, C7)
    assert "a cover" in str(error.value)


def test_a_sum_keeps_only_common_tags() -> None:
    internal = start(C2, s.entropy)
    external = start(C4, s.entropy, assuming={tags.ABOVE_TAIL})
    from majorant.derivation.theorems.composition import together

    assert tags.INTERNAL not in together(s.entropy, internal, external).tags
    assert tags.EVERY_INPUT in together(s.entropy, internal, external).tags


NEEDS = [(lemma.id, tag) for lemma in shipped_lemmas() for tag in sorted(lemma.requires)]


@pytest.mark.parametrize(("id", "tag"), NEEDS)
def test_every_hypothesis_of_every_lemma_is_asked_for(id: str, tag: str) -> None:
    """Whatever else holds, one missing hypothesis is an error that names it."""
    lemma = LEMMAS[id]
    assert lemma.provides <= tags.compose(lemma.requires, lemma)
    with pytest.raises(HypothesisMismatch, match=re.escape(tag)):
        tags.compose(lemma.requires - {tag}, lemma)
