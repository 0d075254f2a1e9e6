"""LayerNorm and RMSNorm at first order, and the projection of rows on the unit ball (1.4).

`LN(x) = gain * P x / sqrt(||P x||^2 / N + eps) + bias` with `P` the removal of the mean (the
identity for RMSNorm). The map `y -> y / sqrt(||y||^2/N + eps)` is radial, with profile of slope
and of chord at most `1 / sqrt(v + eps)` wherever the variances of BOTH points are at least `v`:
the bound holds between any two such points, although the set of them is not convex.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import B_bias, G_gain, N, eps_norm, v_floor

_THEORY = Source("docs/theory", "1.4")

_r = sp.Symbol("r", nonnegative=True)
_slope = sp.diff(_r / sp.sqrt(_r**2 + eps_norm), _r)
_chord = 1 / sp.sqrt(_r**2 + eps_norm)


def _row(id: str, rhs: sp.Expr, gain: sp.Expr, bias: sp.Expr) -> Obligation:
    return Obligation.of_setting(id, rhs, "normalized_row", N, gain, bias, eps_norm,
                                 coq="Layers.normalized", note="the mean square is at most 1")


NORMALIZATION_LIPSCHITZ = LEMMAS.add(Lemma(
    id="B.norm", name="normalization_lipschitz",
    title="Lipschitz constant of LayerNorm and RMSNorm",
    lhs=sp.Function("Lip")(sp.Symbol("LN")), relation="<=",
    rhs=G_gain / sp.sqrt(v_floor + eps_norm), kind=Kind.ALGEBRA, label=Label.TIGHT,
    source=_THEORY, hypotheses=(v_floor + eps_norm > 0,),
    monotone={G_gain: "increasing", v_floor: "decreasing", eps_norm: "decreasing"},
    provides=frozenset({"lipschitz"}),
    obligations=(Obligation(
        id="B.norm.slope", kind=Kind.ALGEBRA, statement=sp.Le(_slope, _chord, evaluate=False),
        mutant=sp.Le(_slope, sp.Rational(99, 100) * _chord, evaluate=False),
        note="the radial profile r / sqrt(r^2 + eps) is flatter than its chord; equal at r = 0"),),
))

NORMALIZATION_RADIUS = LEMMAS.add(Lemma(
    id="B.norm.radius", name="normalization_radius",
    title="Norm of a row after LayerNorm or RMSNorm",
    lhs=sp.Function("radius")(sp.Symbol("LN")), relation="<=",
    rhs=G_gain * sp.sqrt(N) + B_bias, kind=Kind.ALGEBRA, label=Label.UPPER, source=_THEORY,
    monotone={G_gain: "increasing", N: "increasing", B_bias: "increasing"},
    obligations=(_row("B.norm.radius.row", G_gain * sp.sqrt(N) + B_bias, G_gain, B_bias),),
    provides=frozenset({"radius"}),
))

GAIN_SENSITIVITY = LEMMAS.add(Lemma(
    id="A4.gain", name="gain_sensitivity", title="Normalized row per unit of the gain (sup norm)",
    lhs=sp.Function("S")(sp.Symbol("gain")), relation="<=", rhs=sp.sqrt(N), kind=Kind.ALGEBRA,
    label=Label.TIGHT, source=Source("docs/theory", "A4"), monotone={N: "increasing"},
    obligations=(
        _row("A4.gain.row", sp.sqrt(N), sp.S.One, sp.S.Zero),
        Obligation(
            id="A4.gain.attained", kind=Kind.ALGEBRA,
            statement=sp.Le(sp.sqrt(N) * _r * _chord, sp.sqrt(N), evaluate=False),
            mutant=sp.Le(sp.sqrt(N) * _r * _chord, sp.Rational(99, 100) * sp.sqrt(N),
                         evaluate=False),
            note="a row of root mean square r: the limit of large r")),
    provides=frozenset({"sensitivity"}),
))
