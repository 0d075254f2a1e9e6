"""U3: norms, thresholds and margins rounded to a geometric grid, with telescoping weights."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import exponent, factor, price, ratio
from majorant.derivation.tags import PAID


def geometric_weight(exponent: sp.Expr = exponent) -> sp.Expr:
    """`(2/3)/((|e|+1)(|e|+2))`: weight of the grid point `c0 (1 + ratio)^e`; they sum to 1.

    >>> geometric_weight(sp.Integer(0))
    1/3
    """
    size = sp.Abs(exponent)
    return sp.Rational(2, 3) / ((size + 1) * (size + 2))


def geometric_price(exponent: sp.Expr = exponent) -> sp.Expr:
    """`log(3/2) + log((|e|+1)(|e|+2))`: price of a choice on a geometric grid, in nats.

    >>> sp.logcombine(geometric_price(sp.Integer(0)), force=True)
    log(3)
    """
    size = sp.Abs(exponent)
    return sp.log(sp.Rational(3, 2)) + sp.log((size + 1) * (size + 2))


def geometric_value(
    exponent: sp.Expr = exponent, ratio: sp.Expr = ratio, unit: sp.Expr = sp.S.One
) -> sp.Expr:
    """`unit (1 + ratio)^e`, the grid point itself.

    >>> geometric_value(sp.Integer(2), sp.Integer(1))
    4
    """
    return unit * (1 + ratio) ** exponent


_n = sp.Symbol("n_terms", integer=True, nonnegative=True)
_term = 1 / ((factor + 1) * (factor + 2))
_x = sp.Symbol("x", positive=True)
_real = sp.Symbol("e", real=True)

U3 = LEMMAS.add(
    Lemma(
        id="U3",
        name="geometric_price",
        title="Price of a choice on a geometric grid",
        lhs=price,
        relation="==",
        rhs=geometric_price(),
        kind=Kind.KERNEL,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory 3.1, U3"),
        monotone={},
        provides=frozenset({PAID}),
        uses=("U0",),
        obligations=(
            Obligation(
                id="U3.telescopes",
                statement=sp.Eq(sp.Sum(_term, (factor, 0, _n)), 1 - 1 / (_n + 2), evaluate=False),
                kind=Kind.KERNEL,
                coq="Prices.U3_telescopes",
                mutant=sp.Eq(
                    sp.Sum(_term, (factor, 0, _n)),
                    sp.Rational(99, 100) * (1 - 1 / (_n + 2)),
                    evaluate=False,
                ),
            ),
            Obligation(
                id="U3.step",
                statement=sp.Eq(
                    1 / ((_x + 1) * (_x + 2)), 1 / (_x + 1) - 1 / (_x + 2), evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="auto",
                mutant=sp.Eq(
                    1 / ((_x + 1) * (_x + 2)),
                    sp.Rational(99, 100) * (1 / (_x + 1) - 1 / (_x + 2)),
                    evaluate=False,
                ),
            ),
            Obligation(
                id="U3.two_sided",
                statement=sp.Le(
                    sp.Rational(2, 3) * (2 * (1 - 1 / (_n + 2)) - sp.Rational(1, 2)),
                    1,
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="Prices.U3_two_sided",
                mutant=sp.Le(
                    sp.Rational(68, 100) * (2 * (1 - 1 / (_n + 2)) - sp.Rational(1, 2)),
                    1,
                    evaluate=False,
                ),
                note="the integers count 0 once; weights with 0.68 for 2/3 exceed 1",
            ),
            Obligation(
                id="U3.price_is_log_weight",
                statement=sp.Eq(
                    sp.exp(-geometric_price(_real)), geometric_weight(_real), evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="auto",
            ),
        ),
        notes="A parameter in which the bound increases is rounded up; a margin is rounded down, "
        "and margin error and entropy are both evaluated at the rounded value.",
    )
)
