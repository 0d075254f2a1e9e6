"""D1, D2: the published contribution is a geometric mean of the Schatten one and the width."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.comparison.schatten_factor import schatten_contribution
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.published.contribution import published_contribution
from majorant.derivation.symbols import N, p

S = sp.Symbol("S", positive=True)
kappa = sp.Symbol("kappa", positive=True)
rank = sp.Symbol("rank", positive=True)

_published = published_contribution(S, kappa, N, p)
_schatten = schatten_contribution(S, kappa, N, p)
_mean = _schatten ** (2 / (p + 2)) * N ** (p / (p + 2))
_least = sp.Min(sp.sqrt(N * rank), _schatten)


def published_over_schatten(S: sp.Expr = S, kappa: sp.Expr = kappa, p: sp.Expr = p) -> sp.Expr:
    """The ratio of the two contributions at one index: `(N / c_new)^{p/(p+2)}`, by D1.

    Above 1 exactly when the Schatten contribution is below the width `N`.

    >>> published_over_schatten(p=sp.Integer(0))
    1
    """
    return (N / schatten_contribution(S, kappa, N, p)) ** (p / (p + 2))


D1 = LEMMAS.add(
    Lemma(
        id="D1",
        name="published_is_geometric_mean",
        title="The published contribution as a weighted geometric mean",
        lhs=_published,
        relation="==",
        rhs=_mean,
        kind=Kind.KERNEL,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory 4.4, D1"),
        monotone={S: "increasing", kappa: "increasing", N: "increasing"},
        obligations=(
            Obligation(
                id="D1.identity",
                statement=sp.Eq(_published, _mean, evaluate=False),
                kind=Kind.KERNEL,
                coq="Comparison.D1",
                mutant=sp.Eq(_published, sp.Rational(99, 100) * _mean, evaluate=False),
            ),
            Obligation(
                id="D1.ratio",
                statement=sp.Eq(_published / _schatten, published_over_schatten(), evaluate=False),
                kind=Kind.ALGEBRA,
            ),
        ),
    )
)

D2 = LEMMAS.add(
    Lemma(
        id="D2",
        name="schatten_below_published",
        title="The least Schatten contribution never exceeds the published one",
        lhs=_least,
        relation="<=",
        rhs=_published,
        kind=Kind.KERNEL,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory 4.4, D2"),
        hypotheses=(sp.Le(rank, N),),
        monotone={S: "increasing", kappa: "increasing", N: "increasing"},
        uses=("D1",),
        obligations=(
            Obligation(
                id="D2.minimum",
                statement=sp.Le(_least, _published, evaluate=False),
                kind=Kind.KERNEL,
                coq="Comparison.D2",
                hypotheses=(sp.Le(rank, N), sp.Le(p, 2)),
                mutant=sp.Le(_least, sp.Rational(99, 100) * _published, evaluate=False),
                note="equality at p = 0, rank = N, S = N",
            ),
        ),
        notes="So the minimum over any grid that contains 0 is at most the published minimum.",
    )
)
