"""Concentration inequalities: bounded differences (cited), Massart and Chernoff (proved)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import (
    BernoulliKL,
    EmpiricalRademacher,
    FailureProbability,
    Risk,
)
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import R_hat, eps, n, radius
from majorant.derivation.tags import INDEPENDENT, LISTED, UNIT_RANGE

cardinality_log = sp.Symbol("log_cardinality", nonnegative=True)


def massart(
    log_cardinality: sp.Expr = cardinality_log, radius: sp.Expr = radius, n: sp.Expr = n
) -> sp.Expr:
    """`radius sqrt(2 log(cardinality)/n)`: Rademacher average of finitely many vectors.

    Each vector has `n` entries of root mean square at most `radius`. Source: MASSART.

    >>> massart(sp.Integer(2), sp.Integer(1), sp.Integer(4))
    1
    """
    return radius * sp.sqrt(2 * log_cardinality / n)


_x = sp.Symbol("x", real=True)
_lam = sp.Symbol("lam", positive=True)
_log_M = sp.Symbol("log_M", positive=True)
_z, _q, _r = (sp.Symbol(name, positive=True) for name in ("z", "q", "r"))
_tilt = _q * (1 - _r) / (_r * (1 - _q))
_unit = (sp.Lt(_q, _r), sp.Lt(_r, 1))

MCDIARMID = LEMMAS.add(
    Lemma(
        id="MCDIARMID",
        name="bounded_differences",
        title="Bounded differences",
        lhs=FailureProbability(eps),
        relation="<=",
        rhs=sp.exp(-2 * n * eps**2),
        kind=Kind.CITED,
        label=Label.UPPER,
        source=Source(
            "McDiarmid 1989; Boucheron, Lugosi, Massart 2013",
            "Theorem 6.2",
            statement="If a function of independent variables (or a martingale: Azuma-Hoeffding) "
            "changes by at most c_i when variable i changes, it exceeds its mean by t with "
            "probability at most exp(-2 t^2 / sum c_i^2). Here c_i = 1/n.",
        ),
        monotone={n: "decreasing", eps: "decreasing"},
        requires=frozenset({INDEPENDENT, UNIT_RANGE}),
    )
)

MASSART = LEMMAS.add(
    Lemma(
        id="MASSART",
        name="massart",
        title="Massart's lemma",
        lhs=EmpiricalRademacher(cardinality_log),
        relation="<=",
        rhs=massart(),
        kind=Kind.KERNEL,
        label=Label.UPPER,
        source=Source("Massart 2000; Boucheron, Lugosi, Massart 2013", "Theorem 2.5"),
        monotone={cardinality_log: "increasing", radius: "increasing", n: "decreasing"},
        requires=frozenset({LISTED}),
        obligations=(
            Obligation(
                id="MASSART.cosh",
                statement=sp.Le(sp.cosh(_x), sp.exp(_x**2 / 2), evaluate=False),
                kind=Kind.KERNEL,
                mutant=sp.Le(sp.cosh(_x), sp.exp(sp.Rational(99, 200) * _x**2), evaluate=False),
                note="a sign is subgaussian with parameter 1",
            ),
            Obligation(
                id="MASSART.optimum",
                statement=sp.Eq(
                    _log_M / sp.sqrt(2 * _log_M) + sp.sqrt(2 * _log_M) / 2,
                    sp.sqrt(2 * _log_M),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                note="log M/lam + lam/2 at lam = sqrt(2 log M)",
            ),
            Obligation(
                id="MASSART.least",
                statement=sp.Le(sp.sqrt(2 * _log_M), _log_M / _lam + _lam / 2, evaluate=False),
                kind=Kind.KERNEL,
                mutant=sp.Le(
                    sp.sqrt(2 * _log_M),
                    sp.Rational(99, 100) * (_log_M / _lam + _lam / 2),
                    evaluate=False,
                ),
            ),
        ),
    )
)

CHERNOFF = LEMMAS.add(
    Lemma(
        id="CHERNOFF",
        name="chernoff_kl",
        title="Chernoff's bound in kl form",
        lhs=FailureProbability(BernoulliKL(R_hat, Risk())),
        relation="<=",
        rhs=sp.exp(-n * eps),
        kind=Kind.KERNEL,
        label=Label.UPPER,
        source=Source("Chernoff 1952; Hoeffding 1963", "Theorem 1, (2.1)"),
        monotone={n: "decreasing", eps: "decreasing"},
        requires=frozenset({INDEPENDENT, UNIT_RANGE}),
        obligations=(
            Obligation(
                id="CHERNOFF.chord",
                statement=sp.Le(sp.exp(-_lam * _z), 1 - _z + _z * sp.exp(-_lam), evaluate=False),
                kind=Kind.INTERVAL,
                hypotheses=(sp.Le(_z, 1),),
                mutant=sp.Le(
                    sp.exp(-_lam * _z),
                    sp.Rational(99, 100) * (1 - _z + _z * sp.exp(-_lam)),
                    evaluate=False,
                ),
                note="convexity: losses in [0,1] are dominated by coin flips",
            ),
            Obligation(
                id="CHERNOFF.exponent",
                statement=sp.Eq(
                    sp.log(1 - _r + _r * _tilt) - _q * sp.log(_tilt),
                    -BernoulliKL(_q, _r).expanded(),
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                hypotheses=_unit,
                mutant=sp.Eq(
                    sp.log(1 - _r + _r * _tilt) - _q * sp.log(_tilt),
                    -sp.Rational(99, 100) * BernoulliKL(_q, _r).expanded(),
                    evaluate=False,
                ),
                note="at the optimal tilt the exponent is minus kl(q, r)",
            ),
        ),
        notes="Also for sampling without replacement from a finite pool (Hoeffding 1963, Theorem "
        "4); the guarantee is then about that pool.",
    )
)
