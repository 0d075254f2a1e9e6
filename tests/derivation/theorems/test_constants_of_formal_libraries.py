"""Constants that formal libraries have proved, against the lemma objects; and purity."""

from __future__ import annotations

import sympy as sp

from majorant.derivation import symbols as s
from majorant.derivation.covering import C1, C4P
from majorant.derivation.generalization import (
    G2,
    G2_INTERNAL,
    G2_TEXTBOOK,
    MASSART,
    MCDIARMID,
    SYMMETRIZATION,
)
from majorant.derivation.generalization.concentration import cardinality_log
from majorant.derivation.lemma import LEMMAS
from majorant.derivation.theorems.catalogue import THEOREMS, theorem
from majorant.derivation.theorems.norm import norm_bound
from majorant.derivation.theorems.published import published_bound
from majorant.derivation.theorems.schatten import schatten_bound


def test_constants_of_formal_libraries() -> None:
    """Symmetrization 2, McDiarmid 2, Dudley 4 and 12, Massart's root, the ball, Weyl."""
    assert SYMMETRIZATION.rhs == 2 * s.rademacher
    # sum c_i^2 = n (1/n)^2 = 1/n
    assert MCDIARMID.rhs == sp.exp(-2 * s.eps**2 / (1 / s.n))
    assert G2_TEXTBOOK.rhs == 4 * s.cut + 12 * s.integral / sp.sqrt(s.n)
    assert sp.simplify(MASSART.rhs - s.radius * sp.sqrt(2 * cardinality_log / s.n)) == 0
    assert sp.exp(C1.rhs).equals((1 + 2 * s.radius / s.eps) ** s.d_dim)
    assert "|sigma_i(A) - sigma_i(B)| <= |A - B|" in LEMMAS["EY"].source.statement


def test_sharper_chaining_constants_stand_beside_the_textbook_one() -> None:
    constants = [
        sp.simplify((lemma.rhs - 4 * s.cut) * sp.sqrt(s.n) / s.integral)
        for lemma in (G2_INTERNAL, G2, G2_TEXTBOOK)
    ]
    assert constants == [4 * sp.sqrt(2), 6 * sp.sqrt(2), 12]
    assert constants[0] < constants[1] < constants[2]


def test_excess_capacity_a_bound_does_not_depend_on_what_was_computed_before() -> None:
    first = [schatten_bound().expression, published_bound().expression, norm_bound().expression]
    second = [norm_bound().expression, published_bound().expression, schatten_bound().expression]
    assert first == second[::-1]
    for name in THEOREMS:
        assert theorem(name) == theorem(name)


def test_excess_capacity_every_factor_is_in_the_ledger() -> None:
    """Two variants of one bound differ by factors that the ledger explains."""
    for name in ("published", "schatten", "norm", "parameter-count"):
        bound = theorem(name)
        for id, _ in bound.factors:
            assert id in bound.ledger


def test_reference_weights_enter_the_ledger() -> None:
    plain, around = theorem("occam"), theorem("occam", reference=True)
    assert plain.expression == around.expression
    assert "C9" in around.ledger
    assert "C9" not in plain.ledger
    assert any("do not depend on the sample" in text for text in around.assumptions)


def test_schatten_classes_are_not_internal() -> None:
    """The centres of C4p need not lie in the Schatten ball: the tag is absent."""
    assert "internal centres" not in C4P.provides
