"""Cited: measurable optimal couplings, which let two futures of a chain approach each other."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import ExpectedSupremum
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Source
from majorant.derivation.symbols import D, rho, t_after

coupled_distance = D * rho**t_after

COUPLINGS = LEMMAS.add(
    Lemma(
        id="COUPLINGS",
        name="optimal_couplings",
        title="Measurable optimal couplings",
        lhs=ExpectedSupremum(sp.Symbol("distance_after")),
        relation="<=",
        rhs=coupled_distance,
        kind=Kind.CITED,
        label=Label.TIGHT,
        source=Source(
            "Villani 2009",
            "Corollary 5.22",
            statement="For a kernel on a Polish space there is a choice, measurable in the pair of "
            "starting points, of couplings that attain the Wasserstein distance; composed along a "
            "chain that contracts by rho, the expected distance after t steps is at most rho^t "
            "times the initial one.",
        ),
        hypotheses=(sp.Lt(rho, 1),),
        monotone={D: "increasing", rho: "increasing", t_after: "decreasing"},
    )
)
