"""P2: the largest deviation concentrates around its mean, along one trajectory."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import ExpectedSupremum
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation
from majorant.derivation.pathwise.bias import CONTRACTING, LIPSCHITZ_CLASS
from majorant.derivation.pathwise.sources import OWN
from majorant.derivation.symbols import R_1, D_step, delta, n, rho

concentration = R_1 * D_step / (1 - rho) * sp.sqrt(sp.log(1 / delta) / (2 * n))

# Azuma-Hoeffding: P(sum of differences > u) <= exp(-2 u^2 / sum of squared ranges).
_range = R_1 * D_step / (n * (1 - rho))
_tail = sp.exp(-2 * concentration**2 / (n * _range**2))
_weaker_tail = sp.exp(-sp.Rational(199, 100) * concentration**2 / (n * _range**2))

P2 = LEMMAS.add(
    Lemma(
        id="P2",
        name="pathwise_concentration",
        title="Concentration of the largest deviation along a trajectory",
        lhs=ExpectedSupremum(sp.Symbol("Phi")),
        relation="<=",
        rhs=concentration,
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=OWN,
        hypotheses=(sp.Lt(rho, 1), sp.Lt(delta, 1)),
        monotone={R_1: "increasing", D_step: "increasing", rho: "increasing",
                  delta: "decreasing", n: "decreasing"},
        requires=frozenset({CONTRACTING, LIPSCHITZ_CLASS}),
        provides=frozenset({"concentration along the trajectory"}),
        uses=("MCDIARMID", "COUPLINGS"),
        obligations=(
            Obligation(
                id="P2.inversion",
                statement=sp.Eq(_tail, delta, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(rho, 1), sp.Lt(delta, 1), sp.Gt(R_1, 0)),
                mutant=sp.Eq(_weaker_tail, delta, evaluate=False),
                note="the deviation makes Azuma's tail equal to delta",
            ),
        ),
        notes="The martingale difference of step i has range at most R_1 D' / (n (1 - rho)): "
        "couple the two futures; the i-th point moves the mean by R_1/n and the distance shrinks "
        "by rho a step. D' is the largest diameter of the support of one step, at most D.",
    )
)
