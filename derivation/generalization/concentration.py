"""Concentration inequalities: bounded differences (cited), Massart and Chernoff (proved)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import (
    BernoulliKL,
    EmpiricalRademacher,
    FailureProbability,
    Risk,
    Setting,
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


_average, _failure = sp.symbols("average failure", real=True)
_x = sp.Symbol("x", real=True)
_lam = sp.Symbol("lam", positive=True)
_log_M = sp.Symbol("log_M", positive=True)
_log_q, _log_r, _log_1q, _log_1r = sp.symbols("log_q log_r log_1q log_1r", real=True)
_z, _q, _r, _t = (sp.Symbol(name, positive=True) for name in ("z", "q", "r", "t"))
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
                id="MASSART.average",
                statement=sp.Le(_average, massart(), evaluate=False),
                kind=Kind.KERNEL,
                coq="Chaining.MASSART",
                hypotheses=(Setting("massart_value", n, cardinality_log, radius, _average),),
                note="the exact average over all sign vectors",
            ),
            Obligation(
                id="MASSART.cosh",
                statement=sp.Le(sp.cosh(_x), sp.exp(_x**2 / 2), evaluate=False),
                kind=Kind.KERNEL,
                coq="Chaining.MASSART_cosh",
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
                coq="auto",
                note="log M/lam + lam/2 at lam = sqrt(2 log M)",
            ),
            Obligation(
                id="MASSART.least",
                statement=sp.Le(sp.sqrt(2 * _log_M), _log_M / _lam + _lam / 2, evaluate=False),
                kind=Kind.KERNEL,
                coq="Chaining.MASSART_least",
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
                id="CHERNOFF.failure",
                statement=sp.Le(_failure, sp.exp(-n * eps), evaluate=False),
                kind=Kind.KERNEL,
                coq="Chernoff.CHERNOFF",
                hypotheses=(Setting("list_failure", n, sp.S.Zero, eps, _failure),),
                note="finite laws of examples, losses in [0, 1], independent samples",
            ),
            Obligation(
                id="CHERNOFF.chord",
                statement=sp.Le(_t**_z, 1 - _z + _z * _t, evaluate=False),
                kind=Kind.INTERVAL,
                hypotheses=(sp.Le(_z, 1), sp.Le(_t, 1)),
                mutant=sp.Le(_t**_z, sp.Rational(99, 100) * (1 - _z + _z * _t), evaluate=False),
                note="convexity, t = exp(-lambda): losses in [0,1] are dominated by coin flips",
            ),
            Obligation(
                id="CHERNOFF.tilted_mean",
                statement=sp.Eq(1 - _r + _r * _tilt, (1 - _r) / (1 - _q), evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=_unit,
                mutant=sp.Eq(
                    1 - _r + _r * _tilt,
                    sp.Rational(99, 100) * (1 - _r) / (1 - _q),
                    evaluate=False,
                ),
                note="t = q(1-r)/(r(1-q)) is the optimal tilt",
            ),
            Obligation(
                id="CHERNOFF.exponent",
                statement=sp.Eq(
                    (_log_1r - _log_1q) - _q * (_log_q + _log_1r - _log_r - _log_1q),
                    -(_q * (_log_q - _log_r) + (1 - _q) * (_log_1q - _log_1r)),
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                note="at the optimal tilt the exponent is minus kl(q, r), in the four logarithms",
            ),
        ),
        notes="Also for sampling without replacement from a finite pool (Hoeffding 1963, Theorem "
        "4); the guarantee is then about that pool.",
    )
)
