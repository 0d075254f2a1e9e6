"""C5: a Frobenius ball by the dual Sudakov argument, and Zhang's lemma, which it implies."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import FailureProbability, MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N2, F, b, eps, m_tokens
from majorant.derivation.tags import COVER, IN_SPECTRAL_BALL, INTERNAL, SAMPLE_FREE


def gaussian_radius(N2: sp.Expr = N2, m_tokens: sp.Expr = m_tokens) -> sp.Expr:
    """`sqrt(N2) + sqrt(2 log(2m))`: with probability 1/2 all `m` Gaussian images lie within it.

    >>> gaussian_radius(sp.Integer(4), sp.Rational(1, 2))
    2
    """
    return sp.sqrt(N2) + sp.sqrt(2 * sp.log(2 * m_tokens))


def frobenius_entropy(
    F: sp.Expr = F,
    b: sp.Expr = b,
    N2: sp.Expr = N2,
    m_tokens: sp.Expr = m_tokens,
    eps: sp.Expr = eps,
) -> sp.Expr:
    """`log 2 + 2 F^2 b^2 (sqrt(N2) + sqrt(2 log(2m)))^2 / eps^2`, in nats.

    The class: Frobenius norm at most `F`; the distance: the largest `|x_i (W - W')|` over `m`
    rows of norm at most `b`. Serves that sample, not every input. Source: C5.

    >>> frobenius_entropy(F=sp.Integer(0))
    log(2)
    """
    return sp.log(2) + 2 * F**2 * b**2 * gaussian_radius(N2, m_tokens) ** 2 / eps**2


def zhang_entropy(
    F: sp.Expr = F,
    b: sp.Expr = b,
    N2: sp.Expr = N2,
    m_tokens: sp.Expr = m_tokens,
    eps: sp.Expr = eps,
) -> sp.Expr:
    """The same class by Zhang's lemma: constant 36 and a multiplicative logarithm, in nats.

    Zhang's bound for linear functions of `vec W` at the `m N2` points `x_i e_j'`, to accuracy
    `eps/sqrt(N2)` in each coordinate. Domain: `eps <= F b`. Source: Zhang 2002, Theorem 4.

    >>> zhang_entropy().has(sp.ceiling)
    True
    """
    reach = sp.sqrt(N2) * F * b / eps
    return 36 * reach**2 * sp.log(2 * sp.ceiling(4 * reach + 2) * m_tokens * N2 + 1)


_r = sp.Symbol("r_gauss", positive=True)
_F = sp.Symbol("F", positive=True)
_shift = 2 * _r / eps
_t = sp.Symbol("t", nonnegative=True)
_M = sp.Symbol("M", positive=True)
_reach = sp.Symbol("reach", positive=True)
_N2 = sp.Symbol("N_2", positive=True)
_m = sp.Symbol("m", positive=True)
_log_2, _small_log, _large_log = sp.symbols("log_2 small_log large_log", nonnegative=True)
_simple = 2 * _reach**2 * (sp.sqrt(_N2) + sp.sqrt(2 * sp.log(2 * _m))) ** 2

GAUSSIAN = LEMMAS.add(
    Lemma(
        id="GAUSS",
        name="gaussian_shift_and_norm",
        title="Gaussian measure: shifts and norms",
        lhs=FailureProbability(sp.sqrt(N2) + _t),
        relation="<=",
        rhs=sp.exp(-(_t**2) / 2),
        kind=Kind.CITED,
        label=Label.UPPER,
        source=Source(
            "Ledoux and Talagrand 1991, Probability in Banach Spaces",
            "(1.5) and Section 3.3; Boucheron, Lugosi, Massart 2013, Theorem 5.6",
            statement="For g standard Gaussian in R^d, P(|g| > sqrt(d) + t) <= exp(-t^2/2); and "
            "for a symmetric set K and a shift v, the standard Gaussian measure of v + K is at "
            "least exp(-|v|^2/2) times that of K.",
        ),
        monotone={_t: "decreasing"},
    )
)

C5 = LEMMAS.add(
    Lemma(
        id="C5",
        name="frobenius_cover",
        title="Frobenius ball by dual Sudakov",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=frobenius_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C5"),
        monotone={
            F: "increasing",
            b: "increasing",
            N2: "increasing",
            m_tokens: "increasing",
            eps: "decreasing",
        },
        provides=frozenset({COVER, INTERNAL, IN_SPECTRAL_BALL, SAMPLE_FREE}),
        uses=("GAUSS",),
        obligations=(
            Obligation(
                id="C5.exponent",
                statement=sp.Eq(_shift**2 * _F**2 / 2, 2 * _F**2 * _r**2 / eps**2, evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                mutant=sp.Eq(
                    _shift**2 * _F**2 / 2,
                    sp.Rational(198, 100) * _F**2 * _r**2 / eps**2,
                    evaluate=False,
                ),
                note="shifts l = 2r/eps make the translates disjoint",
            ),
            Obligation(
                id="C5.half_measure",
                statement=sp.Le(
                    m_tokens * sp.exp(-(sp.sqrt(2 * sp.log(2 * m_tokens)) ** 2) / 2),
                    sp.Rational(1, 2),
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                mutant=sp.Le(
                    m_tokens
                    * sp.exp(-(sp.sqrt(sp.Rational(198, 100) * sp.log(2 * m_tokens)) ** 2) / 2),
                    sp.Rational(1, 2),
                    evaluate=False,
                ),
                note="union bound over the m rows: K has measure at least 1/2",
            ),
            Obligation(
                id="C5.disjoint",
                statement=sp.Le(2 * _r, _shift * eps, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Le(2 * _r, sp.Rational(99, 100) * _shift * eps, evaluate=False),
            ),
        ),
        notes="A packing bound, so it serves every subset of the ball with centres in that subset, "
        "the spectral ball included.",
    )
)

ZHANG = LEMMAS.add(
    Lemma(
        id="C5.zhang",
        name="zhang_cover",
        title="Frobenius ball by Zhang's lemma",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=zhang_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source(
            "Zhang 2002, Covering number bounds of certain regularized linear function classes",
            "Theorem 4 (p = q = 2)",
        ),
        hypotheses=(sp.Le(eps, F * b),),
        monotone={F: "increasing", b: "increasing", m_tokens: "increasing", eps: "decreasing"},
        provides=frozenset({COVER, INTERNAL, IN_SPECTRAL_BALL, SAMPLE_FREE}),
        uses=("C5",),
        obligations=(
            Obligation(
                id="C5.zhang.radius",
                statement=sp.Le(
                    (sp.sqrt(_N2) + sp.sqrt(2 * sp.log(2 * _m))) ** 2,
                    2 * _N2 + 4 * sp.log(2 * _m),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="Entropies.C5_zhang_radius",
                hypotheses=(sp.Ge(_N2, 1), sp.Ge(_m, 1)),
                mutant=sp.Le(
                    (sp.sqrt(_N2) + sp.sqrt(2 * sp.log(2 * _m))) ** 2,
                    sp.Rational(99, 100) * (2 * _N2 + 4 * sp.log(2 * _m)),
                    evaluate=False,
                ),
                note="(x + y)^2 <= 2 x^2 + 2 y^2",
            ),
            Obligation(
                id="C5.zhang.logarithms",
                statement=sp.Le(sp.log(2 * _m), sp.log(12 * _m * _N2 + 1), evaluate=False),
                kind=Kind.INTERVAL,
                hypotheses=(sp.Ge(_N2, 1), sp.Ge(_m, 1)),
                note="ceil(4 reach sqrt(N2) + 2) >= 6, so 12 m N2 + 1 is below Zhang's argument",
            ),
            Obligation(
                id="C5.zhang.follows",
                statement=sp.Le(
                    _log_2 + 2 * _reach**2 * (2 * _N2 + 4 * _small_log),
                    36 * _reach**2 * _N2 * _large_log,
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                hypotheses=(
                    sp.Ge(_N2, 1),
                    sp.Ge(_reach, 1),
                    sp.Le(_small_log, _large_log),
                    sp.Ge(_large_log, 1),
                    sp.Le(_log_2, 1),
                ),
                note="C5 implies it with room: the logarithms are log 2m and log(12 m N2 + 1)",
            ),
        ),
        notes="Shipped for comparison: on its domain it follows from C5, so nothing is cited.",
    )
)
