"""A4 for one head: how far its output moves with its matrices, and the radius of its output.

If the logits of two heads with the same values differ by at most `eta` (up to a shift per row),
the covariance step moves the output by at most `C_V b eta`; without centring, twice that.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Source
from majorant.derivation.symbols import C_V, B_bias, B_k, B_q, C_k, C_q, b, scale

_THEORY = Source("docs/theory", "A4")


def _sensitivity(id: str, name: str, title: str, of: str, rhs: sp.Expr) -> Lemma:
    return LEMMAS.add(Lemma(
        id=id, name=name, title=title, lhs=sp.Function("S")(sp.Symbol(of)), relation="<=",
        rhs=rhs, kind=Kind.ALGEBRA, label=Label.UPPER, source=_THEORY,
        monotone=dict.fromkeys(rhs.free_symbols, "increasing"),
        provides=frozenset({"sensitivity"}),
    ))


LOGITS = _sensitivity(
    "A4.z", "logit_sensitivity", "Output of a head per unit of its logits", "z", C_V * b)
LOGITS_CRUDE = _sensitivity(
    "A4.z.crude", "logit_sensitivity_crude",
    "Output of a head per unit of its logits, without centring", "z", 2 * C_V * b)
FORM = _sensitivity(
    "A4.Q", "form_sensitivity", "Logits per unit of the form Q", "Q", b**2)
FORM_BIAS = _sensitivity(
    "A4.c", "form_bias_sensitivity", "Logits per unit of the query bias seen by the keys", "c",
    b)
QUERY = _sensitivity(
    "A4.Wq", "query_sensitivity", "Logits per unit of the query matrix", "W_q",
    scale * b**2 * C_k)
QUERY_ROTARY = _sensitivity(
    "A4.Wq.rotary", "query_sensitivity_rotary",
    "Logits per unit of the query matrix, rotary positions", "W_q", scale * b * (C_k * b + B_k))
QUERY_BIAS = _sensitivity(
    "A4.bq", "query_bias_sensitivity", "Logits per unit of the query bias", "b_q",
    scale * b * C_k)
QUERY_BIAS_ROTARY = _sensitivity(
    "A4.bq.rotary", "query_bias_sensitivity_rotary",
    "Logits per unit of the query bias, rotary positions", "b_q", scale * (C_k * b + B_k))
KEY = _sensitivity(
    "A4.Wk", "key_sensitivity", "Logits per unit of the key matrix", "W_k",
    scale * b * (C_q * b + B_q))
KEY_BIAS_ROTARY = _sensitivity(
    "A4.bk.rotary", "key_bias_sensitivity_rotary",
    "Logits per unit of the key bias, rotary positions", "b_k", scale * (C_q * b + B_q))

#: Norm of a token after a linear map with a bias: values of a head, any linear layer.
AFFINE_RADIUS = LEMMAS.add(Lemma(
    id="B.affine", name="affine_radius", title="Norm of a row after a linear map with a bias",
    lhs=sp.Function("radius")(sp.Symbol("affine")), relation="<=", rhs=C_V * b + B_bias,
    kind=Kind.ALGEBRA, label=Label.TIGHT, source=Source("docs/theory", "1.4"),
    monotone={C_V: "increasing", b: "increasing", B_bias: "increasing"},
))
