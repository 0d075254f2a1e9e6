"""C1: a ball of a finite-dimensional normed space (the volume argument)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N1, N2, C, d_dim, eps, radius
from majorant.derivation.tags import (
    ABOVE_TAIL,
    COVER,
    EVERY_INPUT,
    IN_SPECTRAL_BALL,
    INTERNAL,
    SAMPLE_FREE,
)


def ball_entropy(
    dimension: sp.Expr = d_dim, radius: sp.Expr = radius, eps: sp.Expr = eps
) -> sp.Expr:
    """`d log(1 + 2R/eps)`, the entropy of a ball of radius `R` in dimension `d`, in nats.

    Domain: `d >= 0`, `R >= 0`, `eps > 0`. Source: C1, the volume argument.

    >>> ball_entropy(sp.Integer(3), sp.Integer(1), sp.Integer(2))
    3*log(2)
    """
    return dimension * sp.log(1 + 2 * radius / eps)


def full_rank_entropy(
    N1: sp.Expr = N1, N2: sp.Expr = N2, C: sp.Expr = C, eps: sp.Expr = eps
) -> sp.Expr:
    """`N1 N2 log(1 + 2C/eps)`: all matrices of spectral norm at most `C` (C1 directly).

    >>> full_rank_entropy(sp.Integer(2), sp.Integer(2), sp.Integer(1), sp.Integer(2))
    4*log(2)
    """
    return ball_entropy(N1 * N2, C, eps)


_C_larger = sp.Symbol("C_larger", nonnegative=True)

C1 = LEMMAS.add(
    Lemma(
        id="C1",
        name="ball_cover",
        title="Volume argument",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=ball_entropy(),
        kind=Kind.CITED,
        label=Label.UPPER,
        source=Source(
            "Vershynin 2018, High-Dimensional Probability",
            "Corollary 4.2.13",
            statement="In a normed space of dimension d, the ball of radius R has an eps-cover "
            "with centres in the ball and at most (1 + 2R/eps)^d elements.",
        ),
        monotone={d_dim: "increasing", radius: "increasing", eps: "decreasing"},
        provides=frozenset(
            {COVER, INTERNAL, EVERY_INPUT, IN_SPECTRAL_BALL, ABOVE_TAIL, SAMPLE_FREE}
        ),
        obligations=(
            Obligation(
                id="C1.volume_ratio",
                statement=sp.Eq(
                    (radius + eps / 2) / (eps / 2), 1 + 2 * radius / eps, evaluate=False
                ),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    (radius + eps / 2) / (eps / 2),
                    1 + sp.Rational(198, 100) * radius / eps,
                    evaluate=False,
                ),
                note="disjoint balls of radius eps/2 fit in the ball of radius R + eps/2",
            ),
        ),
        notes="The space may be any norm on matrices; with the spectral norm d = N1 N2.",
    )
)

C1_FULL_RANK = LEMMAS.add(
    Lemma(
        id="C1.full",
        name="full_rank_cover",
        title="All matrices of bounded spectral norm",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=full_rank_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C2"),
        monotone={N1: "increasing", N2: "increasing", C: "increasing", eps: "decreasing"},
        provides=frozenset(
            {COVER, INTERNAL, EVERY_INPUT, IN_SPECTRAL_BALL, ABOVE_TAIL, SAMPLE_FREE}
        ),
        uses=("C1",),
        obligations=(
            Obligation(
                id="C1.full.increasing_in_C",
                statement=sp.Le(
                    full_rank_entropy(), full_rank_entropy(C=_C_larger), evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="Entropies.C1_increasing",
                hypotheses=(sp.Le(C, _C_larger),),
                mutant=sp.Le(full_rank_entropy(C=_C_larger), full_rank_entropy(), evaluate=False),
            ),
        ),
    )
)
