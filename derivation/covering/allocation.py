"""C8: how to share the accuracy among matrices."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering.low_rank import low_rank_entropy
from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import A_of, K, a, eps, kappa_of

C = sp.Symbol("C", positive=True)
weight = sp.Symbol("weight", positive=True)
price_of_accuracy = sp.Symbol("lam", positive=True)
u = sp.Symbol("u", positive=True)
power = sp.Symbol("power", positive=True)


def allocated_radius(
    weight: sp.Expr = weight, C: sp.Expr = C, lam: sp.Expr = price_of_accuracy
) -> sp.Expr:
    """`q/(2C + sqrt(4C^2 + q))`, `q = 4 C weight/lam`: the radius beyond `tau` at multiplier `lam`.

    Minimizes `weight log(1 + 4C/u) + lam u`; `weight = k (N1 + N2)`, and `lam` stands for the
    multiplier times `kappa`. The form has no cancellation. Domain: all positive. Source: C8.

    >>> allocated_radius(sp.Integer(3), sp.Integer(1), sp.Integer(1))
    2
    """
    q = 4 * C * weight / lam
    return q / (2 * C + sp.sqrt(4 * C**2 + q))


def lagrangian(u: sp.Expr = u) -> sp.Expr:
    """`weight log(1 + 4C/u) + lam u`, convex in `u > 0`.

    >>> lagrangian().has(sp.log)
    True
    """
    return low_rank_entropy(weight, sp.Integer(1), sp.Integer(0), C, u) + price_of_accuracy * u


def power_allocation(power: sp.Expr = power, eps: sp.Expr = eps) -> sp.Expr:
    """`(sum_a (A_a kappa_a^q)^{1/(q+1)})^{q+1} eps^{-q}`: least total of `sum A_a eps_a^{-q}`.

    For `q = 2` these are the exponents 2/3 and 3 of Bartlett, Foster and Telgarsky 2017.

    >>> power_allocation().func in (sp.Mul, sp.Pow)
    True
    """
    inner = sp.Sum((A_of[a] * kappa_of[a] ** power) ** (1 / (power + 1)), (a, 1, K))
    return inner ** (power + 1) * eps ** (-power)


_best = allocated_radius()
_x, _total = sp.Symbol("x", real=True), sp.Symbol("total", positive=True)

C8 = LEMMAS.add(
    Lemma(
        id="C8",
        name="allocated_accuracy",
        title="Optimal accuracy of one matrix at a given multiplier",
        lhs=lagrangian(_best),
        relation="<=",
        rhs=lagrangian(),
        kind=Kind.KERNEL,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory, C8"),
        monotone={u: "neither"},
        obligations=(
            Obligation(
                id="C8.stationary",
                statement=sp.Eq(
                    price_of_accuracy * _best * (_best + 4 * C), 4 * C * weight, evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="Entropies.C8_stationary",
                mutant=sp.Eq(
                    price_of_accuracy * _best * (_best + 4 * C),
                    sp.Rational(99, 100) * 4 * C * weight,
                    evaluate=False,
                ),
            ),
            Obligation(
                id="C8.stable_form",
                statement=sp.Eq(
                    _best,
                    -2 * C + sp.sqrt(4 * C**2 + 4 * C * weight / price_of_accuracy),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="Entropies.C8_stable_form",
            ),
            Obligation(
                id="C8.optimal",
                statement=sp.Le(lagrangian(_best), lagrangian(), evaluate=False),
                kind=Kind.KERNEL,
                coq="Entropies.C8_optimal",
                mutant=sp.Le(
                    lagrangian(_best), sp.Rational(99, 100) * lagrangian(), evaluate=False
                ),
            ),
        ),
        notes="The allocation is free: for a fixed class the least entropy bound is a number.",
    )
)

C8_POWER = LEMMAS.add(
    Lemma(
        id="C8.power",
        name="allocated_powers",
        title="Optimal allocation for power entropies",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=power_allocation(),
        kind=Kind.ALGEBRA,
        label=Label.TIGHT,
        source=Source("majorant; Bartlett, Foster, Telgarsky 2017 (q = 2)", "docs/theory, C8"),
        monotone={eps: "decreasing"},
        uses=("C7",),
        obligations=(
            Obligation(
                id="C8.power.budget",
                statement=sp.Eq(_total * _total**power, _total ** (power + 1), evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    _total * _total**power,
                    sp.Rational(99, 100) * _total ** (power + 1),
                    evaluate=False,
                ),
                note="total = sum (A kappa^q)^{1/(q+1)}: the value at eps_a proportional to "
                "(A_a/kappa_a)^{1/(q+1)}",
            ),
            Obligation(
                id="C8.power.tangent",
                statement=sp.Le(1 + _x, sp.exp(_x), evaluate=False),
                kind=Kind.INTERVAL,
                mutant=sp.Le(1 + _x, sp.Rational(99, 100) * sp.exp(_x), evaluate=False),
                note="used at q x and at -x, with u = exp(-x) the radius over the optimal radius",
            ),
            Obligation(
                id="C8.power.optimal",
                statement=sp.Eq((1 + power * _x) + power * (1 - _x), 1 + power, evaluate=False),
                kind=Kind.ALGEBRA,
                note="so 1 + q - q u <= u^{-q}: each term lies above its tangent at the optimum, "
                "and the tangents add up to the optimum",
            ),
            Obligation(
                id="C8.power.optimal_square",
                statement=sp.Le((3 - 2 * u) * u**2, 1, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Le((3 - 2 * u) * u**2, sp.Rational(99, 100), evaluate=False),
                note="the same at q = 2, times u^2",
            ),
        ),
    )
)
