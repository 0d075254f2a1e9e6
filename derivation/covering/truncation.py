"""C3: rank truncation of a spectrum whose tail is below a threshold."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering.low_rank import low_rank_entropy
from majorant.derivation.errors import HypothesisMismatch
from majorant.derivation.functions import MetricEntropy, OutputDistance, SingularValue
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N1, N2, C, eps, k, tau
from majorant.derivation.tags import (
    ABOVE_TAIL,
    COVER,
    EVERY_INPUT,
    IN_SPECTRAL_BALL,
    INTERNAL,
    SAMPLE_FREE,
)

TITLE = "Rank truncation"


def truncated_entropy(
    k: sp.Expr = k,
    N1: sp.Expr = N1,
    N2: sp.Expr = N2,
    C: sp.Expr = C,
    tau: sp.Expr = tau,
    eps: sp.Expr = eps,
) -> sp.Expr:
    """`k (N1 + N2) log(1 + 4C/(eps - tau))`: norm at most `C`, `sigma_{k+1} <= tau`, in nats.

    Domain: `0 <= tau < eps`, `k >= 0`; 0 at `k = 0`. Raises `HypothesisMismatch` where `eps` is
    known not to exceed `tau`. Source: C3.

    >>> truncated_entropy(*map(sp.Integer, (1, 1, 1, 1, 1, 5)))
    2*log(2)
    """
    if sp.sympify(eps - tau).is_nonpositive:
        raise HypothesisMismatch(f"C3 ({TITLE}): needs eps > tau, has eps = {eps}, tau = {tau}")
    return low_rank_entropy(k, N1, N2, C, eps - tau)


_tau_larger = sp.Symbol("tau_larger", nonnegative=True)

ECKART_YOUNG = LEMMAS.add(
    Lemma(
        id="EY",
        name="eckart_young",
        title="Best approximation of rank k, and Weyl's inequality",
        lhs=OutputDistance(k),
        relation="==",
        rhs=SingularValue(k + 1),
        kind=Kind.CITED,
        label=Label.TIGHT,
        source=Source(
            "Horn and Johnson 2013, Matrix Analysis",
            "Theorem 7.4.9.1 (Eckart-Young-Mirsky) and Corollary 7.3.5 (Weyl)",
            statement="In spectral norm the distance of W to the matrices of rank at most k is "
            "sigma_{k+1}(W), attained by the truncated singular value decomposition; and "
            "|sigma_i(A) - sigma_i(B)| <= |A - B| for every i.",
        ),
    )
)

C3 = LEMMAS.add(
    Lemma(
        id="C3",
        name="truncated_cover",
        title=TITLE,
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=truncated_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C3"),
        hypotheses=(sp.Lt(tau, eps),),
        monotone={
            k: "increasing",
            N1: "increasing",
            N2: "increasing",
            C: "increasing",
            tau: "increasing",
            eps: "decreasing",
        },
        requires=frozenset({ABOVE_TAIL}),
        provides=frozenset({COVER, INTERNAL, EVERY_INPUT, IN_SPECTRAL_BALL, SAMPLE_FREE}),
        uses=("C2", "EY"),
        obligations=(
            Obligation(
                id="C3.increasing_in_tau",
                statement=sp.Le(
                    truncated_entropy(), truncated_entropy(tau=_tau_larger), evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="Entropies.C3_increasing",
                hypotheses=(sp.Le(tau, _tau_larger), sp.Lt(_tau_larger, eps)),
                mutant=sp.Le(
                    truncated_entropy(tau=_tau_larger), truncated_entropy(), evaluate=False
                ),
            ),
            Obligation(
                id="C3.reach",
                statement=sp.Le((eps - tau) + tau, eps, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(tau, eps),),
                mutant=sp.Le((eps - tau) + sp.Rational(101, 100) * tau, eps, evaluate=False),
                note="cover of the truncated matrix plus the norm of the rest (Eckart-Young)",
            ),
        ),
        notes="Internal: the centres have rank at most k, so their own tail is 0.",
    )
)
