"""Cited: measurable optimal couplings, which let two futures of a chain approach each other."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import ExpectedSupremum
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import D, rho, t_after

coupled_distance = D * rho**t_after
_x, _y = sp.symbols("x y", nonnegative=True)
_moved = sp.Abs(rho**3 * _x - rho**3 * _y)
_bound = coupled_distance.subs({D: sp.Abs(_x - _y), t_after: 3})

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
        obligations=(Obligation(
            id="COUPLINGS.example", kind=Kind.ALGEBRA,
            statement=sp.Le(_moved, _bound, evaluate=False),
            mutant=sp.Le(_moved, sp.Rational(99, 100) * _bound, evaluate=False),
            note="attained: the chain x -> rho x, three steps"),),
        monotone={D: "increasing", rho: "increasing", t_after: "decreasing"},
    )
)
