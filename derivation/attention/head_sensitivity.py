"""A4 for one head: how far its output moves with its matrices, and the radius of its output.

If the logits of two heads with the same values differ by at most `eta` (up to a shift per row),
the covariance step moves the output by at most `C_V b eta`; without centring, twice that.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.attention.logit_slopes import logit_obligation
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import C_V, B_bias, B_k, B_q, C_k, C_q, b, scale

_THEORY = Source("docs/theory", "A4")
_ZERO, _ONE = sp.S.Zero, sp.S.One
_mean_of_product, _product_of_means = sp.symbols("E_vy E_v_E_y", real=True)


def _sensitivity(id: str, name: str, title: str, of: str, rhs: sp.Expr,
                 obligation: Obligation) -> Lemma:
    return LEMMAS.add(Lemma(
        id=id, name=name, title=title, lhs=sp.Function("S")(sp.Symbol(of)), relation="<=",
        rhs=rhs, kind=Kind.ALGEBRA, label=Label.UPPER, source=_THEORY,
        monotone=dict.fromkeys(rhs.free_symbols, "increasing"),
        provides=frozenset({"sensitivity"}), obligations=(obligation,),
    ))


def _logits(id: str, name: str, title: str, of: str, rhs: sp.Expr,
            query: tuple[sp.Expr, sp.Expr], key: tuple[sp.Expr, sp.Expr],
            scale: sp.Expr = scale) -> Lemma:
    """How far a logit moves per unit of one factor: 1 in its place, both tokens of norm b."""
    return _sensitivity(id, name, title, of, rhs,
                        logit_obligation(f"{id}.row", rhs, query, key, (b, b), scale))


LOGITS = _sensitivity(
    "A4.z", "logit_sensitivity", "Output of a head per unit of its logits", "z", C_V * b,
    Obligation.of_setting("A4.z.slope", C_V * b, "logit_slope", C_V * b, coq="Heads.A4_logits",
                          note="covariance step along the path of the logits"))
LOGITS_CRUDE = _sensitivity(
    "A4.z.crude", "logit_sensitivity_crude",
    "Output of a head per unit of its logits, without centring", "z", 2 * C_V * b,
    Obligation(
        id="A4.z.crude.terms", kind=Kind.ALGEBRA,
        statement=sp.Le(_mean_of_product - _product_of_means, 2 * C_V * b, evaluate=False),
        hypotheses=(_mean_of_product <= C_V * b, -_product_of_means <= C_V * b),
        mutant=sp.Le(_mean_of_product - _product_of_means, sp.Rational(99, 50) * C_V * b,
                     evaluate=False),
        note="both terms of the covariance by their size, without centring"))
FORM = _logits(
    "A4.Q", "form_sensitivity", "Logits per unit of the form Q", "Q", b**2,
    (_ONE, _ZERO), (_ONE, _ZERO), _ONE)
FORM_BIAS = _logits(
    "A4.c", "form_bias_sensitivity", "Logits per unit of the query bias seen by the keys", "c",
    b, (_ZERO, _ONE), (_ONE, _ZERO), _ONE)
QUERY = _logits(
    "A4.Wq", "query_sensitivity", "Logits per unit of the query matrix", "W_q",
    scale * b**2 * C_k, (_ONE, _ZERO), (C_k, _ZERO))
QUERY_ROTARY = _logits(
    "A4.Wq.rotary", "query_sensitivity_rotary",
    "Logits per unit of the query matrix, rotary positions", "W_q", scale * b * (C_k * b + B_k),
    (_ONE, _ZERO), (C_k, B_k))
QUERY_BIAS = _logits(
    "A4.bq", "query_bias_sensitivity", "Logits per unit of the query bias", "b_q",
    scale * b * C_k, (_ZERO, _ONE), (C_k, _ZERO))
QUERY_BIAS_ROTARY = _logits(
    "A4.bq.rotary", "query_bias_sensitivity_rotary",
    "Logits per unit of the query bias, rotary positions", "b_q", scale * (C_k * b + B_k),
    (_ZERO, _ONE), (C_k, B_k))
KEY = _logits(
    "A4.Wk", "key_sensitivity", "Logits per unit of the key matrix", "W_k",
    scale * b * (C_q * b + B_q), (C_q, B_q), (_ONE, _ZERO))
KEY_BIAS_ROTARY = _logits(
    "A4.bk.rotary", "key_bias_sensitivity_rotary",
    "Logits per unit of the key bias, rotary positions", "b_k", scale * (C_q * b + B_q),
    (C_q, B_q), (_ZERO, _ONE))

_x, _c = sp.symbols("x c", nonnegative=True)

#: Norm of a token after a linear map with a bias: values of a head, any linear layer.
AFFINE_RADIUS = LEMMAS.add(Lemma(
    id="B.affine", name="affine_radius", title="Norm of a row after a linear map with a bias",
    lhs=sp.Function("radius")(sp.Symbol("affine")), relation="<=", rhs=C_V * b + B_bias,
    kind=Kind.ALGEBRA, label=Label.TIGHT, source=Source("docs/theory", "1.4"),
    monotone={C_V: "increasing", b: "increasing", B_bias: "increasing"},
    obligations=(
        Obligation.of_setting("B.affine.row", C_V * b + B_bias, "affine_row", C_V, b, B_bias,
                              coq="Layers.affine"),
        Obligation(
            id="B.affine.attained", kind=Kind.ALGEBRA,
            statement=sp.Le(C_V * _x + _c, C_V * b + B_bias, evaluate=False),
            hypotheses=(_x <= b, _c <= B_bias),
            mutant=sp.Le(C_V * _x + _c, sp.Rational(99, 100) * (C_V * b + B_bias),
                         evaluate=False),
            note="one dimension, everything in one direction: equality at x = b, c = B_bias")),
))
