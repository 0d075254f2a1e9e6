"""G1: from Rademacher complexity to risk; with the hypotheses that have been confused elsewhere."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import ExpectedSupremum, Risk
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import R_hat, delta, n, price, rademacher
from majorant.derivation.tags import (
    GUARANTEE,
    INDEPENDENT,
    PAID,
    RADEMACHER,
    RADEMACHER_ABSOLUTE,
    SAMPLE_FREE,
    SYMMETRIC_RANGE,
    UNIT_RANGE,
)


def deviation(
    delta: sp.Expr = delta, n: sp.Expr = n, price: sp.Expr = price, width: sp.Expr = sp.S.One
) -> sp.Expr:
    """`width sqrt((log(1/delta) + price)/(2n))`: McDiarmid's term; `width` of the range.

    >>> deviation(sp.exp(-2), sp.Integer(1), sp.Integer(0))
    1
    """
    return width * sp.sqrt((sp.log(1 / delta) + price) / (2 * n))


def rademacher_bound(
    R_hat: sp.Expr = R_hat,
    rademacher: sp.Expr = rademacher,
    delta: sp.Expr = delta,
    n: sp.Expr = n,
    price: sp.Expr = price,
) -> sp.Expr:
    """`R_hat + 2 r + sqrt((log(1/delta) + price)/(2n))`, a bound on the risk.

    Domain: losses in `[0, 1]`, `n` independent examples, `r` at least the expected Rademacher
    complexity of the loss class, without absolute value. Source: G1.

    >>> rademacher_bound(sp.Integer(0), sp.Integer(0), sp.exp(-2), sp.Integer(1), sp.Integer(0))
    1
    """
    return R_hat + 2 * rademacher + deviation(delta, n, price)


_t = deviation()


def _tail(id: str) -> Obligation:
    """McDiarmid's tail at this deviation is `pi delta`, with `pi = exp(-price)`."""
    return Obligation(
        id=id,
        statement=sp.Eq(sp.exp(-2 * n * _t**2), delta * sp.exp(-price), evaluate=False),
        kind=Kind.ALGEBRA,
        hypotheses=(sp.Lt(delta, 1),),
        mutant=sp.Eq(
            sp.exp(-2 * n * sp.Rational(98, 100) * _t**2), delta * sp.exp(-price), evaluate=False
        ),
        note="McDiarmid's tail at this deviation is pi delta, with pi = exp(-price)",
    )


_atoms = sp.Symbol("m_atoms", integer=True, positive=True)
_half = sp.Rational(1, 2)

SYMMETRIZATION = LEMMAS.add(
    Lemma(
        id="SYMM",
        name="symmetrization",
        title="Symmetrization",
        lhs=ExpectedSupremum(),
        relation="<=",
        rhs=2 * rademacher,
        kind=Kind.CITED,
        label=Label.TIGHT,
        source=Source(
            "Mohri, Rostamizadeh, Talwalkar 2018, Foundations of Machine Learning",
            "proof of Theorem 3.3",
            statement="E sup_g (E g - mean of g over the sample) <= 2 E r(G), with r(G) the "
            "empirical Rademacher complexity E_sigma sup_g (1/n) sum sigma_i g(z_i), without "
            "absolute value.",
        ),
        monotone={rademacher: "increasing"},
        requires=frozenset({INDEPENDENT}),
        obligations=(
            Obligation(
                id="SYMM.example",
                statement=sp.Le(1 - 1 / _atoms, 2 * _half, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Le(1 - 1 / _atoms, sp.Rational(99, 50) * _half, evaluate=False),
                note="one example of m equally likely ones, g_a = 1 except at a: the left side is "
                "1 - 1/m, the complexity 1/2",
            ),
        ),
    )
)

G1 = LEMMAS.add(
    Lemma(
        id="G1",
        name="rademacher_bound",
        title="Risk from Rademacher complexity",
        lhs=Risk(),
        relation="<=",
        rhs=rademacher_bound(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source(
            "Mohri, Rostamizadeh, Talwalkar 2018, Foundations of Machine Learning", "Theorem 3.3"
        ),
        monotone={
            R_hat: "increasing",
            rademacher: "increasing",
            price: "increasing",
            delta: "decreasing",
            n: "decreasing",
        },
        requires=frozenset({RADEMACHER, UNIT_RANGE, INDEPENDENT, SAMPLE_FREE, PAID}),
        provides=frozenset({GUARANTEE}),
        uses=("SYMM", "MCDIARMID"),
        obligations=(_tail("G1.tail"),),
        notes="The covers of chapter 2 do not depend on the sample, so a bound on the empirical "
        "complexity that uses them bounds its expectation.",
    )
)

G1_TWO_SIDED = LEMMAS.add(
    Lemma(
        id="G1.two_sided",
        name="rademacher_bound_two_sided",
        title="Two-sided deviation from the complexity with absolute value",
        lhs=sp.Abs(Risk() - R_hat),
        relation="<=",
        rhs=2 * rademacher + deviation(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("Bartlett and Mendelson 2002", "Theorem 8 (absolute value, two-sided)"),
        monotone={rademacher: "increasing", delta: "decreasing", n: "decreasing"},
        requires=frozenset({RADEMACHER_ABSOLUTE, UNIT_RANGE, INDEPENDENT, SAMPLE_FREE}),
        provides=frozenset({GUARANTEE}),
        uses=("SYMM", "MCDIARMID"),
        obligations=(_tail("G1.two_sided.tail"),),
    )
)

G1_SYMMETRIC = LEMMAS.add(
    Lemma(
        id="G1.symmetric",
        name="rademacher_bound_symmetric_range",
        title="Risk from Rademacher complexity for losses in [-1, 1]",
        lhs=Risk(),
        relation="<=",
        rhs=R_hat + 2 * rademacher + deviation(width=sp.Integer(2)),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("Mohri, Rostamizadeh, Talwalkar 2018", "Theorem 3.3, rescaled"),
        monotone={rademacher: "increasing", delta: "decreasing", n: "decreasing"},
        requires=frozenset({RADEMACHER, SYMMETRIC_RANGE, INDEPENDENT, SAMPLE_FREE}),
        provides=frozenset({GUARANTEE}),
        uses=("SYMM", "MCDIARMID"),
        obligations=(
            Obligation(
                id="G1.symmetric.tail",
                statement=sp.Eq(
                    sp.exp(-2 * n * deviation(width=sp.Integer(2)) ** 2 / 4),
                    delta * sp.exp(-price),
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(delta, 1),),
                note="a range twice as wide changes the exponent of the tail by 4",
            ),
        ),
    )
)
