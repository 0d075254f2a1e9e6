"""A1 as lemmas: the joint cumulants of bounded variables, with the exact constants up to 4."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.attention.cumulants import cumulant_bound
from majorant.derivation.functions import JointCumulant
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Source

_THEORY = Source("docs/theory", "A1", statement=(
    "If |V_i| <= 1 for all i then |kappa(V_1, ..., V_k)| <= c_k for every joint law."))


def _cumulant(k: int) -> Lemma:
    upper = cumulant_bound(k)[1]
    return LEMMAS.add(Lemma(
        id="A1" if k == 1 else f"A1.{k}", name=f"cumulant_{k}",
        title=f"Joint cumulant of {k} variables bounded by 1", lhs=JointCumulant(sp.Integer(k)),
        relation="<=", rhs=sp.Rational(upper.numerator, upper.denominator), kind=Kind.ALGEBRA,
        label=Label.TIGHT if k <= 4 else Label.UPPER, source=_THEORY,
        uses=() if k == 1 else ("A1",),
        notes="Attained by signs." if k <= 4 else "An enclosure of the smaller of (i) and (ii).",
    ))


CUMULANT_LEMMAS = tuple(_cumulant(k) for k in range(1, 9))
