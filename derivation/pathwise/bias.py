"""P1: how far the law of the chain is from its stationary law."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import Risk
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation
from majorant.derivation.pathwise.sources import OWN
from majorant.derivation.symbols import R_1, D, rho, t_after

CONTRACTING = "chain contracts in the Wasserstein distance"
LIPSCHITZ_CLASS = "every member of the class is R_1-Lipschitz on the convex hull"

bias = R_1 * D * rho**t_after

_step = R_1 * (rho * D * rho**t_after)

P1 = LEMMAS.add(
    Lemma(
        id="P1",
        name="pathwise_bias",
        title="Bias of a future time",
        lhs=sp.Abs(Risk(sp.Symbol("Z_t")) - Risk(sp.Symbol("pi"))),
        relation="<=",
        rhs=bias,
        kind=Kind.ALGEBRA,
        label=Label.TIGHT,
        source=OWN,
        hypotheses=(sp.Lt(rho, 1),),
        monotone={R_1: "increasing", D: "increasing", rho: "increasing", t_after: "decreasing"},
        requires=frozenset({CONTRACTING, LIPSCHITZ_CLASS}),
        provides=frozenset({"bias of a future time"}),
        uses=("COUPLINGS",),
        obligations=(
            Obligation(
                id="P1.step",
                statement=sp.Le(_step, bias.subs(t_after, t_after + 1), evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(rho, 1), sp.Gt(rho, 0)),
                mutant=sp.Le(_step, sp.Rational(99, 100) * bias.subs(t_after, t_after + 1),
                             evaluate=False),
                note="one more step multiplies the distance by rho: the induction of the proof",
            ),
        ),
        notes="The time is counted from the end of the sample for a member trained on it, from "
        "the start of the chain for a fixed one. Equality: Z' = rho Z, g linear.",
    )
)
