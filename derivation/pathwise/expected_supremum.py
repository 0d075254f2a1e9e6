"""P3: the expected largest deviation over a smooth class, at the rate 1/sqrt(n)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import ExpectedSupremum
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation
from majorant.derivation.pathwise.lattice import lattice_sum
from majorant.derivation.pathwise.sources import OWN
from majorant.derivation.symbols import (
    Gamma_s,
    Q_cut,
    R_of,
    chi_of,
    d,
    order,
    rho,
    s,
)

# Leibniz for the product with the cut-off. The Hilbert-Schmidt norm of a symmetric tensor of order
# j >= 1 is at most d^{(j-1)/2} its operator norm; the cut-off's tensor has d^{s-j} entries.
smoothness_radius = sp.Sum(
    sp.binomial(s, order)
    * R_of[order]
    * d ** (sp.Max(order - 1, 0) / 2)
    * d ** ((s - order) / 2)
    * chi_of[s - order],
    (order, 0, s),
)

expected_supremum = Gamma_s * sp.sqrt(lattice_sum)

_g, _v, _w = sp.symbols("g_k v_k omega_k", positive=True)
_g2, _v2, _w2 = sp.symbols("g_l v_l omega_l", positive=True)
_cauchy = (_g * _v + _g2 * _v2) ** 2
_cauchy_bound = ((_w * _g) ** 2 + (_w2 * _g2) ** 2) * ((_v / _w) ** 2 + (_v2 / _w2) ** 2)

P3 = LEMMAS.add(
    Lemma(
        id="P3",
        name="pathwise_expected_supremum",
        title="Expected largest deviation of a smooth class along a trajectory",
        lhs=ExpectedSupremum(sp.Symbol("Phi")),
        relation="<=",
        rhs=expected_supremum,
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=OWN,
        hypotheses=(sp.Lt(rho, 1), sp.Gt(rho, 0), sp.Gt(2 * s, d), sp.Gt(Q_cut, d)),
        monotone={Gamma_s: "increasing"},
        requires=frozenset({"lattice sum", "s derivatives on the enlarged cube"}),
        provides=frozenset({"expected supremum"}),
        uses=("P3b",),
        obligations=(
            Obligation(
                id="P3.cauchy_schwarz",
                statement=sp.Le(_cauchy, _cauchy_bound, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Le(_cauchy, sp.Rational(99, 100) * _cauchy_bound, evaluate=False),
                note="weights (2 pi |k| / A)^s on the coefficients, their inverses on the measure",
            ),
        ),
        notes="R_0 may be 1/2: a constant is subtracted. The cut-off is a polynomial step of class "
        "C^{s-1} whose derivative of order s is bounded: Parseval needs no more.",
    )
)
