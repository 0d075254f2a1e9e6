"""Feed-forward layers, plain and gated: Lipschitz constants and radii (chapter 1.4).

`L_phi` bounds `|phi'|`, `A_phi` bounds `|phi(x) - phi(0)| / |x|`. For entrywise products
`||a * b||_2 <= ||a||_inf ||b||_2`, so the gate enters with the largest entry of its rows.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import (
    A_phi,
    B_bias,
    C_down,
    C_gate,
    C_in,
    C_out,
    C_up,
    L_phi,
    N_ff,
    R_gate,
    R_up,
    b,
    phi_0,
)

_THEORY = Source("docs/theory", "1.4")


_ZERO, _ONE = sp.S.Zero, sp.S.One


def _lemma(id: str, name: str, title: str, lhs: sp.Expr, rhs: sp.Expr, setting: str,
           theorem: str, arguments: tuple[sp.Expr, ...], provides: str = "lipschitz") -> Lemma:
    return LEMMAS.add(Lemma(
        id=id, name=name, title=title, lhs=lhs, relation="<=", rhs=rhs, kind=Kind.ALGEBRA,
        label=Label.UPPER, source=_THEORY,
        monotone=dict.fromkeys(rhs.free_symbols, "increasing"),
        provides=frozenset({provides}),
        obligations=(Obligation.of_setting(f"{id}.row", rhs, setting, *arguments,
                                           coq=f"Layers.{theorem}"),),
    ))


FEED_FORWARD_LIPSCHITZ = _lemma(
    "B.ff", "feed_forward_lipschitz", "Lipschitz constant of a feed-forward layer",
    sp.Function("Lip")(sp.Symbol("ff")), L_phi * C_in * C_out,
    "feed_forward_quotient", "feed_forward", (C_in, C_out, L_phi))
HIDDEN_RADIUS = _lemma(
    "B.hidden", "hidden_radius", "Norm of a hidden row phi(x M_in + b_in)",
    sp.Function("radius")(sp.Symbol("hidden")),
    A_phi * (C_in * b + B_bias) + phi_0 * sp.sqrt(N_ff),
    "activated_row", "activated", (N_ff, A_phi, C_in, b, B_bias, phi_0), "radius")
POINTWISE_RADIUS = _lemma(
    "B.pointwise", "pointwise_radius", "Norm of a row after an activation on N_ff entries",
    sp.Function("radius")(sp.Symbol("pointwise")), A_phi * b + phi_0 * sp.sqrt(N_ff),
    "activated_row", "activated", (N_ff, A_phi, _ONE, b, _ZERO, phi_0), "radius")
GATED_LIPSCHITZ = _lemma(
    "B.gated", "gated_lipschitz", "Lipschitz constant of a gated feed-forward layer",
    sp.Function("Lip")(sp.Symbol("gated")),
    C_down * (L_phi * C_gate * R_up + C_up * R_gate),
    "gated_quotient", "gated", (C_gate, C_up, C_down, L_phi, R_gate, R_up))
GATE_HEIGHT = _lemma(
    "B.gate", "gate_height", "Largest entry of an activated gate phi(x W_gate + b_gate)",
    sp.Function("radius")(sp.Symbol("gate")), A_phi * (C_gate * b + B_bias) + phi_0,
    "activated_entry", "activated_height", (A_phi, C_gate, b, B_bias, phi_0), "radius")
M_IN_SENSITIVITY = _lemma(
    "A4.M_in", "m_in_sensitivity", "Feed-forward output per unit of x M_in",
    sp.Function("S")(sp.Symbol("M_in")), L_phi * C_out,
    "feed_forward_quotient", "feed_forward", (_ONE, C_out, L_phi), "sensitivity")
GATE_SENSITIVITY = _lemma(
    "A4.gate", "gate_sensitivity", "Gated output per unit of x W_gate",
    sp.Function("S")(sp.Symbol("W_gate")), L_phi * R_up * C_down,
    "gated_quotient", "gated", (_ONE, _ZERO, C_down, L_phi, R_gate, R_up), "sensitivity")
UP_SENSITIVITY = _lemma(
    "A4.up", "up_sensitivity", "Gated output per unit of x W_up",
    sp.Function("S")(sp.Symbol("W_up")), R_gate * C_down,
    "gated_quotient", "gated", (_ZERO, _ONE, C_down, L_phi, R_gate, R_up), "sensitivity")
