"""C2: matrices of low rank and bounded spectral norm."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering.ball import ball_entropy
from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N1, N2, C, eps, k
from majorant.derivation.tags import (
    ABOVE_TAIL,
    COVER,
    EVERY_INPUT,
    IN_SPECTRAL_BALL,
    INTERNAL,
    SAMPLE_FREE,
)


def low_rank_entropy(
    k: sp.Expr = k,
    N1: sp.Expr = N1,
    N2: sp.Expr = N2,
    C: sp.Expr = C,
    eps: sp.Expr = eps,
) -> sp.Expr:
    """`k (N1 + N2) log(1 + 4C/eps)`: rank at most `k`, spectral norm at most `C`, in nats.

    Domain: `k >= 0`, `C >= 0`, `eps > 0`. Source: C2.

    >>> low_rank_entropy(*map(sp.Integer, (1, 2, 3, 1, 4)))
    5*log(2)
    """
    return k * (N1 + N2) * sp.log(1 + 4 * C / eps)


_C = sp.Symbol("C", positive=True)
_cell = eps / (2 * sp.sqrt(_C))
_C_larger = sp.Symbol("C_larger", nonnegative=True)
_eps_smaller = sp.Symbol("eps_smaller", positive=True)
_factors = ball_entropy(k * N1, sp.sqrt(_C), _cell) + ball_entropy(k * N2, sp.sqrt(_C), _cell)
_reach = sp.sqrt(_C) * _cell + sp.sqrt(_C) * _cell

C2 = LEMMAS.add(
    Lemma(
        id="C2",
        name="low_rank_cover",
        title="Low rank by its two factors",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=low_rank_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C2"),
        monotone={
            k: "increasing",
            N1: "increasing",
            N2: "increasing",
            C: "increasing",
            eps: "decreasing",
        },
        provides=frozenset(
            {COVER, INTERNAL, EVERY_INPUT, IN_SPECTRAL_BALL, ABOVE_TAIL, SAMPLE_FREE}
        ),
        uses=("C1",),
        obligations=(
            Obligation(
                id="C2.factors",
                statement=sp.Eq(_factors, low_rank_entropy(C=_C), evaluate=False),
                kind=Kind.KERNEL,
                coq="Entropies.C2_factors",
                mutant=sp.Eq(
                    _factors,
                    k * (N1 + N2) * sp.log(1 + sp.Rational(396, 100) * _C / eps),
                    evaluate=False,
                ),
                note="both factors in balls of radius sqrt(C), covered at eps/(2 sqrt(C))",
            ),
            Obligation(
                id="C2.reach",
                statement=sp.Le(_reach, eps, evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                mutant=sp.Le(sp.Rational(101, 100) * _reach, eps, evaluate=False),
                note="|A B' - A^ B^'| <= |A - A^| |B| + |A^| |B - B^|; cells 1 % larger miss eps",
            ),
            Obligation(
                id="C2.increasing_in_C",
                statement=sp.Le(low_rank_entropy(), low_rank_entropy(C=_C_larger), evaluate=False),
                kind=Kind.KERNEL,
                coq="Entropies.C2_increasing",
                hypotheses=(sp.Le(C, _C_larger),),
                mutant=sp.Le(low_rank_entropy(C=_C_larger), low_rank_entropy(), evaluate=False),
            ),
            Obligation(
                id="C2.decreasing_in_eps",
                statement=sp.Le(
                    low_rank_entropy(), low_rank_entropy(eps=_eps_smaller), evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="Entropies.C2_decreasing",
                hypotheses=(sp.Le(_eps_smaller, eps),),
                mutant=sp.Le(
                    low_rank_entropy(eps=_eps_smaller), low_rank_entropy(), evaluate=False
                ),
            ),
        ),
        notes="Write W = A B' with both factors of spectral norm sqrt(C).",
    )
)
