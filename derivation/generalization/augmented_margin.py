"""G7: margins that include the variances inside LayerNorm."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import MarginError
from majorant.derivation.generalization.occam import occam_margin
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N, R_hat, delta, entropy, n, price, variance
from majorant.derivation.tags import (
    COVER,
    EVERY_INPUT,
    GUARANTEE,
    INDEPENDENT,
    MARGIN,
    NETWORK,
    NORMALIZATIONS_HELD,
    PAID,
)


def variance_floor(variance: sp.Expr = variance) -> sp.Expr:
    """`v/4`: the variance floor with which Lipschitz constants are computed at threshold `v`.

    >>> variance_floor(sp.Integer(4))
    1
    """
    return variance / 4


def variance_room(variance: sp.Expr = variance, N: sp.Expr = N) -> sp.Expr:
    """`sqrt(N v)/4`: how far the input of a normalization may move, per token.

    >>> variance_room(sp.Integer(4), sp.Integer(4))
    1
    """
    return sp.sqrt(N * variance) / 4


_before, _after = sp.symbols("deviation_before deviation_after", nonnegative=True)
_moved = variance_room() / sp.sqrt(N)
_close = sp.Ge(_after, _before - _moved)

G7 = LEMMAS.add(
    Lemma(
        id="G7",
        name="augmented_margin",
        title="Augmented margins",
        lhs=MarginError(0),
        relation="<=",
        rhs=occam_margin(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, G7; in the manner of Wei and Ma 2020"),
        monotone={
            R_hat: "increasing",
            entropy: "increasing",
            price: "increasing",
            delta: "decreasing",
            n: "decreasing",
        },
        requires=frozenset(
            {COVER, EVERY_INPUT, NETWORK, INDEPENDENT, MARGIN, NORMALIZATIONS_HELD, PAID}
        ),
        provides=frozenset({GUARANTEE}),
        uses=("G5", "A5"),
        obligations=(
            Obligation(
                id="G7.first_move",
                statement=sp.Le(sp.Rational(3, 4) * sp.sqrt(variance), _after, evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                hypotheses=(sp.Ge(_before, sp.sqrt(variance)), _close),
                mutant=sp.Le(
                    sp.Rational(101, 100) * sp.Rational(3, 4) * sp.sqrt(variance),
                    _after,
                    evaluate=False,
                ),
                note="the centre keeps a variance of 9v/16",
            ),
            Obligation(
                id="G7.second_move",
                statement=sp.Le(variance_floor(), _after**2, evaluate=False),
                kind=Kind.KERNEL,
                coq="Entropies.G7_second_move",
                hypotheses=(sp.Ge(_before, sp.Rational(3, 4) * sp.sqrt(variance)), _close),
                mutant=sp.Le(sp.Rational(102, 100) * variance_floor(), _after**2, evaluate=False),
                note="and back: the network has a variance of v/4, the floor in use",
            ),
        ),
        notes="R_hat is the frequency of examples at which the margin is at most gamma or some "
        "variance is at most its threshold. Thresholds are on grids (U3), rounded down. "
        "Telescoping up to each normalization, primitive by primitive.",
    )
)
