"""C4p: Schatten classes, as envelopes (Markov's inequality on the spectrum)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering.low_rank import low_rank_entropy
from majorant.derivation.functions import CountingFunction, MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.published.contribution import schatten_quantity
from majorant.derivation.symbols import N1, N2, C, S, a, eps, i, p, r, sigma, tau, theta
from majorant.derivation.tags import ABOVE_TAIL, COVER, EVERY_INPUT, IN_SPECTRAL_BALL, SAMPLE_FREE


def markov_count(S: sp.Expr = S, tau: sp.Expr = tau, p: sp.Expr = p) -> sp.Expr:
    """`S tau^{-p}`, which bounds the number of singular values above `tau`.

    >>> markov_count(sp.Integer(8), sp.Integer(2), sp.Integer(2))
    2
    """
    return S * tau ** (-p)


def schatten_entropy(
    S: sp.Expr = S,
    p: sp.Expr = p,
    N1: sp.Expr = N1,
    N2: sp.Expr = N2,
    C: sp.Expr = C,
    eps: sp.Expr = eps,
    theta: sp.Expr = theta,
) -> sp.Expr:
    """`S (theta eps)^{-p} (N1 + N2) log(1 + 4C/((1 - theta) eps))`, in nats.

    The class: spectral norm at most `C`, `S_p(W) <= S`. Domain: `0 <= p <= 2`, `0 < theta < 1`;
    at `p = 0` the truncation is not needed and `low_rank_entropy(S, ...)` is smaller. Source: C4p.

    >>> schatten_entropy(p=sp.Integer(0)).has(theta)
    True
    """
    return low_rank_entropy(markov_count(S, theta * eps, p), N1, N2, C, (1 - theta) * eps)


_tau = sp.Symbol("tau", positive=True)
_s = sp.Symbol("s", positive=True)
_rank = sp.Symbol("rank", nonnegative=True)
_S_p = schatten_quantity()
_count = CountingFunction(sigma[a, i], _tau, (i, 1, r))

MARKOV = LEMMAS.add(
    Lemma(
        id="C4p.markov",
        name="markov_on_the_spectrum",
        title="Markov's inequality on a spectrum",
        lhs=_count,
        relation="<=",
        rhs=markov_count(_S_p, _tau, p),
        kind=Kind.KERNEL,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory, C4p"),
        monotone={_tau: "decreasing"},
        obligations=(
            Obligation(
                id="C4p.markov.spectrum",
                statement=sp.Le(_count, markov_count(_S_p, _tau, p), evaluate=False),
                kind=Kind.KERNEL,
                coq="Spectra.C4p_markov",
                note="for every finite spectrum, zeros included",
            ),
            Obligation(
                id="C4p.markov.term",
                statement=sp.Le(1, (_s / _tau) ** p, evaluate=False),
                kind=Kind.KERNEL,
                coq="Spectra.C4p_term",
                hypotheses=(sp.Lt(_tau, _s), sp.Le(p, 2)),
                mutant=sp.Le(1, sp.Rational(99, 100) * (_s / _tau) ** p, evaluate=False),
                note="each singular value above tau counts at least 1; equality at p = 0",
            ),
        ),
        notes="Singular values equal to 0 count at no p (the rank at p = 0).",
    )
)

C4P = LEMMAS.add(
    Lemma(
        id="C4p",
        name="schatten_cover",
        title="Schatten class",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=schatten_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C4p"),
        hypotheses=(sp.Lt(theta, 1), sp.Le(p, 2)),
        monotone={
            S: "increasing",
            N1: "increasing",
            N2: "increasing",
            C: "increasing",
            eps: "decreasing",
            p: "neither",
            theta: "neither",
        },
        requires=frozenset({ABOVE_TAIL}),
        provides=frozenset({COVER, EVERY_INPUT, IN_SPECTRAL_BALL, SAMPLE_FREE}),
        uses=("C4", "C4p.markov"),
        obligations=(
            Obligation(
                id="C4p.envelope",
                statement=sp.Eq(
                    schatten_entropy(),
                    markov_count(S, theta * eps, p)
                    * (N1 + N2)
                    * sp.log(1 + 4 * C / ((1 - theta) * eps)),
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(theta, 1),),
            ),
        ),
    )
)

C4P_RANK = LEMMAS.add(
    Lemma(
        id="C4p.rank",
        name="schatten_cover_rank",
        title="Schatten class at p = 0: bounded rank",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=low_rank_entropy(S),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C4p"),
        monotone={
            S: "increasing",
            N1: "increasing",
            N2: "increasing",
            C: "increasing",
            eps: "decreasing",
        },
        provides=frozenset({COVER, EVERY_INPUT, IN_SPECTRAL_BALL, ABOVE_TAIL, SAMPLE_FREE}),
        uses=("C2",),
        obligations=(
            Obligation(
                id="C4p.rank.increasing",
                statement=sp.Le(low_rank_entropy(_rank), low_rank_entropy(S), evaluate=False),
                kind=Kind.INTERVAL,
                hypotheses=(sp.Le(_rank, S),),
                mutant=sp.Le(
                    low_rank_entropy(_rank),
                    sp.Rational(99, 100) * low_rank_entropy(S),
                    evaluate=False,
                ),
                note="at p = 0 the quantity S bounds the rank",
            ),
        ),
    )
)
