"""P4: the risk at a future time, for every member of the class at once."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import Risk
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation
from majorant.derivation.pathwise.bias import bias
from majorant.derivation.pathwise.concentration import concentration
from majorant.derivation.pathwise.sources import PATHWISE
from majorant.derivation.symbols import (
    R_1,
    D,
    D_step,
    delta,
    n,
    rho,
    risk_empirical,
    sup_expected,
    t_after,
)

guarantee = risk_empirical + bias + sup_expected + concentration

_future, _stationary, _phi = sp.symbols("g_future g_stationary phi_deviation", real=True)
_bias, _spread = sp.symbols("bias_term concentration_term", nonnegative=True)

P4 = LEMMAS.add(
    Lemma(
        id="P4",
        name="pathwise_guarantee",
        title="Guarantee at a future time from one trajectory",
        lhs=Risk(sp.Symbol("Z_t")),
        relation="<=",
        rhs=guarantee,
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=PATHWISE,
        hypotheses=(sp.Lt(rho, 1), sp.Lt(delta, 1)),
        monotone={risk_empirical: "increasing", sup_expected: "increasing", R_1: "increasing",
                  D: "increasing", D_step: "increasing", rho: "increasing",
                  t_after: "decreasing", delta: "decreasing", n: "decreasing"},
        requires=frozenset({"bias of a future time", "expected supremum",
                            "concentration along the trajectory"}),
        provides=frozenset({"guarantee at a future time"}),
        uses=("P1", "P2", "P3", "P5"),
        obligations=(
            Obligation(
                id="P4.sum",
                statement=sp.Le(
                    _future, risk_empirical + _bias + sup_expected + _spread, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(
                    sp.Le(_future, _stationary + _bias),
                    sp.Le(_stationary, risk_empirical + _phi),
                    sp.Le(_phi, sup_expected + _spread),
                ),
                mutant=sp.Le(
                    _future, risk_empirical + _bias + sp.Rational(99, 100) * sup_expected + _spread,
                    evaluate=False),
                note="the three steps added up",
            ),
        ),
        notes="For all members of the class and every t >= n with one probability 1 - delta.",
    )
)
