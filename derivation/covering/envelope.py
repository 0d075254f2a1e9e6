"""C4: matrices whose singular values lie below a fixed envelope."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering.low_rank import low_rank_entropy
from majorant.derivation.covering.truncation import truncated_entropy
from majorant.derivation.functions import CountingFunction, MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N1, N2, C, a, eps, i, k, r, sigma, theta
from majorant.derivation.tags import ABOVE_TAIL, COVER, EVERY_INPUT, IN_SPECTRAL_BALL, SAMPLE_FREE


def envelope_count(matrix: sp.Expr = a, threshold: sp.Expr = theta * eps) -> sp.Expr:
    """`k_s(tau)`: entries of the envelope `sigma[matrix, 1..r]` above the threshold.

    >>> envelope_count().has(CountingFunction)
    True
    """
    return CountingFunction(sigma[matrix, i], threshold, (i, 1, r))


def envelope_entropy(
    matrix: sp.Expr = a,
    N1: sp.Expr = N1,
    N2: sp.Expr = N2,
    C: sp.Expr = C,
    eps: sp.Expr = eps,
    theta: sp.Expr = theta,
) -> sp.Expr:
    """`k_s(theta eps) (N1 + N2) log(1 + 4C/((1 - theta) eps))`, in nats.

    The class: spectral norm at most `C`, i-th singular value at most `sigma[matrix, i]`.
    Domain: `eps > 0`, `0 < theta < 1`. Source: C4.

    >>> envelope_entropy().is_nonnegative in (True, None)
    True
    """
    return low_rank_entropy(envelope_count(matrix, theta * eps), N1, N2, C, (1 - theta) * eps)


_C_larger = sp.Symbol("C_larger", nonnegative=True)

C4 = LEMMAS.add(
    Lemma(
        id="C4",
        name="envelope_cover",
        title="Spectral envelope",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=envelope_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C4"),
        hypotheses=(sp.Lt(theta, 1),),
        monotone={
            N1: "increasing",
            N2: "increasing",
            C: "increasing",
            eps: "decreasing",
            theta: "neither",
        },
        requires=frozenset({ABOVE_TAIL}),
        provides=frozenset({COVER, EVERY_INPUT, IN_SPECTRAL_BALL, SAMPLE_FREE}),
        uses=("C3",),
        obligations=(
            Obligation(
                id="C4.is_C3",
                statement=sp.Eq(
                    truncated_entropy(k, N1, N2, C, theta * eps, eps),
                    k * (N1 + N2) * sp.log(1 + 4 * C / ((1 - theta) * eps)),
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(theta, 1),),
                mutant=sp.Eq(
                    truncated_entropy(k, N1, N2, C, theta * eps, eps),
                    k * (N1 + N2) * sp.log(1 + sp.Rational(396, 100) * C / ((1 - theta) * eps)),
                    evaluate=False,
                ),
                note="C3 with tau = theta eps and k = k_s(theta eps)",
            ),
            Obligation(
                id="C4.above_tail",
                statement=sp.Lt(theta * eps, eps, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(theta, 1),),
                mutant=sp.Lt(sp.Rational(101, 100) * theta * eps, eps, evaluate=False),
            ),
        ),
        notes="Not internal: the centres have rank k but need not lie below the envelope.",
    )
)
