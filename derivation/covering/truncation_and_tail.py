"""C6: large singular values by rank, the tail in Frobenius norm; the published argument."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering.frobenius import frobenius_entropy
from majorant.derivation.covering.low_rank import low_rank_entropy
from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Direction, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N1, N2, C, F, b, eps, k, m_tokens
from majorant.derivation.tags import COVER, IN_SPECTRAL_BALL, INTERNAL, SAMPLE_FREE


def tail_entropy(
    internal: bool = True,
    k: sp.Expr = k,
    N1: sp.Expr = N1,
    N2: sp.Expr = N2,
    C: sp.Expr = C,
    F: sp.Expr = F,
    b: sp.Expr = b,
    m_tokens: sp.Expr = m_tokens,
    eps: sp.Expr = eps,
) -> sp.Expr:
    """`k (N1+N2) log(1 + c C b/eps) + log 2 + 8 F^2 b^2 r^2/eps^2`, `c = 16` internal, 8 not.

    The class: norm at most `C`, tail `(sum_{i>k} sigma_i^2)^{1/2} <= F`; `m` rows of norm at most
    `b`; `r` the Gaussian radius of C5. Only the internal form has centres that A5 accepts.
    Source: C6.

    >>> tail_entropy(k=sp.Integer(0), F=sp.Integer(0))
    log(2)
    """
    cell = eps / (4 * b) if internal else eps / (2 * b)
    return low_rank_entropy(k, N1, N2, C, cell) + frobenius_entropy(F, b, N2, m_tokens, eps / 2)


_monotone: dict[sp.Basic, Direction] = {
    k: "increasing",
    N1: "increasing",
    C: "increasing",
    F: "increasing",
    b: "increasing",
    m_tokens: "increasing",
    eps: "decreasing",
}
_written = (
    k * (N1 + N2) * sp.log(1 + 16 * C * b / eps)
    + sp.log(2)
    + 8 * F**2 * b**2 * (sp.sqrt(N2) + sp.sqrt(2 * sp.log(2 * m_tokens))) ** 2 / eps**2
)
_cell = eps / (4 * b)
_tail = sp.Symbol("tail", nonnegative=True)

C6_EXTERNAL = LEMMAS.add(
    Lemma(
        id="C6.external",
        name="tail_cover_external",
        title="Truncation and tail, centres outside the class",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=tail_entropy(internal=False),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C6"),
        monotone=_monotone,
        provides=frozenset({COVER, SAMPLE_FREE}),
        uses=("C2", "C5"),
        obligations=(
            Obligation(
                id="C6.external.reach",
                statement=sp.Le(b * (eps / (2 * b)) + eps / 2, eps, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Le(
                    sp.Rational(101, 100) * (b * (eps / (2 * b)) + eps / 2), eps, evaluate=False
                ),
            ),
        ),
        notes="Centres have norm up to C + F and rank above k: A5 refuses them.",
    )
)

C6 = LEMMAS.add(
    Lemma(
        id="C6",
        name="tail_cover",
        title="Truncation and tail",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=tail_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C6; the argument of Sakai, Imaizumi 2026"),
        monotone=_monotone,
        provides=frozenset({COVER, INTERNAL, IN_SPECTRAL_BALL, SAMPLE_FREE}),
        uses=("C2", "C5"),
        obligations=(
            Obligation(
                id="C6.written_out",
                statement=sp.Eq(tail_entropy(), _written, evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                mutant=sp.Eq(
                    tail_entropy(),
                    _written.subs(16 * C * b / eps, sp.Rational(1584, 100) * C * b / eps),
                    evaluate=False,
                ),
            ),
            Obligation(
                id="C6.tails_stay_apart",
                statement=sp.Le(eps / 2, eps - 2 * b * _cell, evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                mutant=sp.Le(eps / 2, eps - 2 * b * sp.Rational(101, 100) * _cell, evaluate=False),
                note="members of one cell more than eps apart have tails more than eps/2 apart",
            ),
        ),
        notes="Inside a cell the bound of C5 is a packing bound, so the centres are members.",
    )
)
