"""G5 and G6: a finite list of networks, Chernoff's bound for each, and a union bound."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import BernoulliKL, KLInverse, MarginError, Risk, Setting
from majorant.derivation.lemma import LEMMAS, Direction, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import (
    Lambda,
    R_hat,
    Rho,
    code,
    delta,
    entropy,
    eps,
    gamma,
    n,
    price,
)
from majorant.derivation.tags import (
    COVER,
    EVERY_INPUT,
    GUARANTEE,
    INDEPENDENT,
    LIPSCHITZ_LOSS,
    LISTED,
    MARGIN,
    NETWORK,
    PAID,
    UNIT_RANGE,
)


def exponent_rate(
    entropy: sp.Expr = entropy, price: sp.Expr = price, delta: sp.Expr = delta, n: sp.Expr = n
) -> sp.Expr:
    """`(H + log(1/delta) + price)/n`: the level at which `kl` is inverted, in nats.

    >>> exponent_rate(sp.Integer(1), sp.Integer(1), sp.exp(-1), sp.Integer(3))
    1
    """
    return (entropy + sp.log(1 / delta) + price) / n


def occam_risk(
    R_hat: sp.Expr = R_hat,
    moved: sp.Expr = Lambda * eps,
    entropy: sp.Expr = entropy,
    price: sp.Expr = price,
    delta: sp.Expr = delta,
    n: sp.Expr = n,
) -> sp.Expr:
    """`moved + kl^{-1}(min(1, R_hat + moved), (H + log(1/delta) + price)/n)`.

    `moved = Lambda eps`: how far the loss of the centre can be from the loss. Source: G5.

    >>> occam_risk(sp.Integer(1), sp.Integer(0))
    1
    """
    level = exponent_rate(entropy, price, delta, n)
    return moved + KLInverse(sp.Min(1, R_hat + moved), level)


def occam_margin(
    R_hat: sp.Expr = R_hat,
    entropy: sp.Expr = entropy,
    price: sp.Expr = price,
    delta: sp.Expr = delta,
    n: sp.Expr = n,
) -> sp.Expr:
    """`kl^{-1}(R_hat, (H + log(1/delta) + price)/n)`, `R_hat` the margin error at `gamma`.

    `H` is the entropy of the network class at `margin_radius`. Source: G5.

    >>> occam_margin(sp.Integer(0), sp.Integer(0), sp.Integer(0), sp.exp(-1), sp.Integer(1))
    1 - exp(-1)
    """
    return KLInverse(R_hat, exponent_rate(entropy, price, delta, n))


def margin_radius(gamma: sp.Expr = gamma, Rho: sp.Expr = Rho) -> sp.Expr:
    """`gamma/(2 Rho)`: moving the output by this moves the margin by at most half of it.

    >>> margin_radius(sp.Integer(1), sp.Integer(2))
    1/4
    """
    return gamma / (2 * Rho)


def compressed_risk(
    R_hat: sp.Expr = R_hat, code: sp.Expr = code, delta: sp.Expr = delta, n: sp.Expr = n
) -> sp.Expr:
    """`kl^{-1}(R_hat, (b + log(1/delta))/n)` for a network with a code of `b` nats. Source: G6.

    >>> compressed_risk(sp.Integer(0), sp.Integer(0), sp.exp(-1), sp.Integer(1))
    1 - exp(-1)
    """
    return KLInverse(R_hat, exponent_rate(code, sp.Integer(0), delta, n))


_level = exponent_rate()
_risk, _centre_risk, _moved, _inverse = sp.symbols(
    "risk centre_risk moved inverse", nonnegative=True
)
_half = sp.Symbol("margin_moves", nonnegative=True)
_tail = Obligation(
    id="G5.union",
    statement=sp.Eq(sp.exp(entropy) * sp.exp(-n * _level), delta * sp.exp(-price), evaluate=False),
    kind=Kind.KERNEL,
    coq="Chernoff.G5_union",
    mutant=sp.Eq(
        sp.exp(entropy) * sp.exp(-n * sp.Rational(99, 100) * _level),
        delta * sp.exp(-price),
        evaluate=False,
    ),
    note="exp(H) candidates, each failing with probability exp(-n level)",
)
_failure, _q, _q_larger, _r, _low, _high = (
    sp.Symbol(name, nonnegative=True) for name in ("failure", "q", "q_larger", "r", "low", "high")
)
_FAILURE = Obligation(
    id="G5.failure",
    statement=sp.Le(_failure, delta * sp.exp(-price), evaluate=False),
    kind=Kind.KERNEL,
    coq="Chernoff.G5",
    hypotheses=(Setting("list_failure", n, entropy, _level, _failure), sp.Lt(delta, 1)),
    note="the probability that one of exp(H) risks exceeds the kl inverse of its frequency",
)
_INVERSE = (
    Obligation(
        id="G5.inverse_increases",
        statement=sp.Le(_low, _high, evaluate=False),
        kind=Kind.KERNEL,
        coq="KL.inverse_increases",
        hypotheses=(
            Setting("is_kl_inverse", _q, _level, _low),
            Setting("is_kl_inverse", _q_larger, _level, _high),
            sp.Le(_q, _q_larger),
            sp.Lt(_q_larger, 1),
            sp.Lt(delta, 1),
        ),
        note="so the margin error may replace the frequency of the centre",
    ),
    Obligation(
        id="G5.pinsker",
        statement=sp.Le(2 * (_q - _r) ** 2, BernoulliKL(_q, _r), evaluate=False),
        kind=Kind.KERNEL,
        coq="KL.PINSKER",
        hypotheses=(sp.Le(_q, 1), sp.Gt(_r, 0), sp.Lt(_r, 1)),
        note="the inverse exceeds the frequency by at most sqrt(c/2)",
    ),
)
_grow: dict[sp.Basic, Direction] = {
    R_hat: "increasing",
    price: "increasing",
    delta: "decreasing",
    n: "decreasing",
}

G5 = LEMMAS.add(
    Lemma(
        id="G5",
        name="occam_margin",
        title="Classification error by a spectral code",
        lhs=MarginError(0),
        relation="<=",
        rhs=occam_margin(),
        kind=Kind.KERNEL,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, G5"),
        monotone={**_grow, entropy: "increasing"},
        requires=frozenset({COVER, EVERY_INPUT, NETWORK, INDEPENDENT, MARGIN, PAID}),
        provides=frozenset({GUARANTEE, LISTED}),
        uses=("CHERNOFF", "U0"),
        obligations=(
            _FAILURE,
            *_INVERSE,
            _tail,
            Obligation(
                id="G5.margin",
                statement=sp.Le(_half, gamma / 2, evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                hypotheses=(sp.Le(_half, Rho * margin_radius()),),
                mutant=sp.Le(_half, sp.Rational(99, 100) * gamma / 2, evaluate=False),
                note="the margin of the centre is within gamma/2 of the margin",
            ),
        ),
        notes="Ties count as errors; the margin error is a fraction of signed margins. For counts, "
        "inverting the binomial tail is never larger.",
    )
)

G5_RISK = LEMMAS.add(
    Lemma(
        id="G5.risk",
        name="occam_risk",
        title="Risk of a Lipschitz loss by a spectral code",
        lhs=Risk(),
        relation="<=",
        rhs=occam_risk(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, G5"),
        monotone={**_grow, entropy: "increasing", Lambda: "increasing"},
        requires=frozenset(
            {COVER, EVERY_INPUT, NETWORK, INDEPENDENT, UNIT_RANGE, LIPSCHITZ_LOSS, PAID}
        ),
        provides=frozenset({GUARANTEE, LISTED}),
        uses=("CHERNOFF", "G5", "U0"),
        obligations=(
            Obligation(
                id="G5.risk.two_moves",
                statement=sp.Le(_risk, _moved + _inverse, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(
                    sp.Le(_risk, _centre_risk + _moved),
                    sp.Le(_centre_risk, _inverse),
                ),
                mutant=sp.Le(_risk, sp.Rational(99, 100) * (_moved + _inverse), evaluate=False),
                note="to the centre and its kl bound, whose frequency is at most R_hat + moved",
            ),
        ),
    )
)

G6 = LEMMAS.add(
    Lemma(
        id="G6",
        name="compressed_risk",
        title="Risk of a compressed network",
        lhs=Risk(),
        relation="<=",
        rhs=compressed_risk(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source(
            "in the manner of Arora, Ge, Neyshabur, Zhang 2018 and Lotfi et al. 2024",
            "docs/theory, G6",
        ),
        monotone={
            R_hat: "increasing",
            code: "increasing",
            delta: "decreasing",
            n: "decreasing",
        },
        requires=frozenset({LISTED, INDEPENDENT, UNIT_RANGE}),
        provides=frozenset({GUARANTEE}),
        uses=("CHERNOFF", "U0"),
        obligations=(
            Obligation(
                id="G6.kraft",
                statement=sp.Eq(
                    sp.exp(code) * sp.exp(-n * exponent_rate(code, sp.S.Zero)),
                    delta,
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    sp.exp(code)
                    * sp.exp(-n * sp.Rational(99, 100) * exponent_rate(code, sp.S.Zero)),
                    delta,
                    evaluate=False,
                ),
                note="a code of b nats has weight exp(-b); the weights sum to at most 1 (Kraft)",
            ),
        ),
        notes="The guarantee is for the compressed network. The code is prefix-free (Kraft) and "
        "fixed before the sample is seen.",
    )
)
