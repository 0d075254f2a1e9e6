"""Biases, gains and the read-out: trained parameters that are not matrices of a block."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering.ball import ball_entropy
from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N, eps, radius
from majorant.derivation.tags import (
    ABOVE_TAIL,
    COVER,
    EVERY_INPUT,
    IN_SPECTRAL_BALL,
    INTERNAL,
    SAMPLE_FREE,
)


def bias_entropy(N: sp.Expr = N, radius: sp.Expr = radius, eps: sp.Expr = eps) -> sp.Expr:
    """`N log(1 + 2B/eps)`: a vector of `N` numbers in a Euclidean ball of radius `B`, in nats.

    >>> bias_entropy(sp.Integer(2), sp.Integer(1), sp.Integer(2))
    2*log(2)
    """
    return ball_entropy(N, radius, eps)


def gain_entropy(N: sp.Expr = N, radius: sp.Expr = radius, eps: sp.Expr = eps) -> sp.Expr:
    """`N log ceil(G/eps)`: entries at most `G` in size, covered in the sup norm, in nats.

    Domain: `G > 0`, `eps > 0` (`G = 0` costs nothing). The sensitivity to a gain in the sup norm
    carries a factor `sqrt(N)`.

    >>> gain_entropy(sp.Integer(3), sp.Integer(1), sp.Rational(1, 2))
    3*log(2)
    """
    return N * sp.log(sp.Max(1, sp.ceiling(radius / eps)))


_TAGS = frozenset({SAMPLE_FREE, COVER, INTERNAL, EVERY_INPUT, IN_SPECTRAL_BALL, ABOVE_TAIL})
_count = sp.Symbol("count", positive=True)

BIAS = LEMMAS.add(
    Lemma(
        id="CV.bias",
        name="bias_cover",
        title="Bias in a Euclidean ball",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=bias_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, chapter 2, vectors"),
        monotone={N: "increasing", radius: "increasing", eps: "decreasing"},
        provides=_TAGS,
        uses=("C1",),
        obligations=(
            Obligation(
                id="CV.bias.dimension",
                statement=sp.Eq(bias_entropy(), N * sp.log(1 + 2 * radius / eps), evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    bias_entropy(),
                    N * sp.log(1 + sp.Rational(198, 100) * radius / eps),
                    evaluate=False,
                ),
                note="the volume argument in dimension N",
            ),
        ),
    )
)

GAIN = LEMMAS.add(
    Lemma(
        id="CV.gain",
        name="gain_cover",
        title="Gain in the sup norm",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=gain_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory, chapter 2, vectors"),
        monotone={N: "increasing", radius: "increasing", eps: "decreasing"},
        provides=_TAGS,
        obligations=(
            Obligation(
                id="CV.gain.intervals",
                statement=sp.Le(radius / _count, eps, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Ge(_count, radius / eps),),
                mutant=sp.Le(radius / _count, sp.Rational(99, 100) * eps, evaluate=False),
                note="count = ceil(G/eps) intervals of half-width G/ceil(G/eps) fill [-G, G]",
            ),
        ),
        notes="Tight in one dimension: an interval of length 2G needs that many centres.",
    )
)
