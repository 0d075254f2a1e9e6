"""U4: the price of a staircase envelope chosen after training."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from majorant.derivation.functions import Setting
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import J_blocks, N_min, exponent_of, j, price
from majorant.derivation.tags import PAID
from majorant.derivation.union_bound.geometric_grid import geometric_price


def rank_price(N_min: sp.Expr = N_min) -> sp.Expr:
    """`log(min(N1, N2) + 1)`: price of the rank that is kept, in nats.

    >>> rank_price(sp.Integer(7))
    log(8)
    """
    return sp.log(N_min + 1)


def descent_price(before: sp.Expr, after: sp.Expr) -> sp.Expr:
    """`log((d+1)(d+2))`, `d = before - after >= 0`: price of a step down of a staircase, in nats.

    >>> descent_price(sp.Integer(3), sp.Integer(3))
    log(2)
    """
    drop = before - after
    return sp.log((drop + 1) * (drop + 2))


def staircase_price(level: Callable[[sp.Expr], sp.Expr] = lambda j: exponent_of[j]) -> sp.Expr:
    """Price of a rank and of the levels `level(1) >= level(2) >= ...` (exponents), in nats.

    `J_blocks >= 1` blocks start below the rank (rank 0 costs `rank_price` alone). The knots
    `0, 1, 2, 4, ..., N_min` are fixed before the data. Source: U4.

    >>> staircase_price().has(exponent_of)
    True
    """
    steps = sp.Sum(descent_price(level(j - 1), level(j)), (j, 2, J_blocks))
    return rank_price() + geometric_price(level(sp.S.One)) + steps


_d = sp.Symbol("d", nonnegative=True)
_k, _M = sp.symbols("k M", integer=True, positive=True)
_level = sp.IndexedBase(sp.Symbol("level", real=True))


def _total_weight() -> sp.Expr:
    """Weights `exp(-price)` of the staircases `level[1, .], ..., level[M, .]`, added up."""
    price = staircase_price(lambda j: _level[_k, j])
    return sp.Sum(sp.exp(-price, evaluate=False), (_k, 1, _M))

U4 = LEMMAS.add(
    Lemma(
        id="U4",
        name="staircase_price",
        title="Price of a staircase envelope",
        lhs=price,
        relation="==",
        rhs=staircase_price(),
        kind=Kind.ALGEBRA,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory 3.1, U4"),
        hypotheses=(sp.Ge(J_blocks, 1),),
        monotone={N_min: "increasing"},
        provides=frozenset({PAID}),
        uses=("U0", "U3"),
        obligations=(
            Obligation(
                id="U4.step_weight",
                statement=sp.Eq(
                    sp.exp(-descent_price(_d, sp.Integer(0))),
                    1 / (_d + 1) - 1 / (_d + 2),
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    sp.exp(-descent_price(_d, sp.Integer(0))),
                    sp.Rational(99, 100) * (1 / (_d + 1) - 1 / (_d + 2)),
                    evaluate=False,
                ),
                note="steps down have telescoping weights that sum to 1",
            ),
            Obligation(
                id="U4.kraft",
                statement=sp.Le(_total_weight(), 1 / (N_min + 1), evaluate=False),
                kind=Kind.KERNEL,
                hypotheses=(
                    sp.Le(_level[_k, j], _level[_k, j - 1]),
                    Setting("distinct_staircases", _M, J_blocks, _level),
                ),
                coq="Staircases.U4",
                note="any M distinct staircases of one rank; there are N_min + 1 ranks",
            ),
            Obligation(
                id="U4.rank_weight",
                statement=sp.Eq((N_min + 1) * sp.exp(-rank_price()), 1, evaluate=False),
                kind=Kind.ALGEBRA,
            ),
        ),
        notes="Tight: the weights of all staircases sum to exactly 1.",
    )
)
