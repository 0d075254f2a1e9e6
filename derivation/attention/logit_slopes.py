"""Slopes of the logits of a head: with biases, with factors, with rotary positions (A3).

Logits that do not depend on the key token s cancel in the softmax, so a key bias matters only
with rotary positions, where the rotation by t - s makes it depend on s.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import (
    C_Q,
    B_form,
    B_k,
    B_q,
    C_k,
    C_q,
    b,
    s_key,
    s_query,
    scale,
)

_THEORY = Source("docs/theory", "A3, biases and rotary positions")


_ZERO, _ONE = sp.S.Zero, sp.S.One


def logit_obligation(id: str, rhs: sp.Expr, query: tuple[sp.Expr, sp.Expr],
                     key: tuple[sp.Expr, sp.Expr], rows: tuple[sp.Expr, sp.Expr],
                     scale: sp.Expr = scale) -> Obligation:
    """A logit of an affine query row and an affine key row is at most `rhs`.

    `query` and `key` are the norms of matrix and bias, `rows` the radii of the two tokens; a token
    that moves by a unit, or a matrix that does, has 1 in its place and no bias.
    """
    return Obligation.of_setting(
        id, rhs, "logit_value", *query, *key, *rows, scale, coq="Layers.logit",
        note="Cauchy-Schwarz and the triangle inequality for rows of R^N")


def _slope(id: str, name: str, title: str, lhs: sp.Expr, rhs: sp.Expr,
           query: tuple[sp.Expr, sp.Expr], key: tuple[sp.Expr, sp.Expr],
           rows: tuple[sp.Expr, sp.Expr], scale: sp.Expr = scale) -> Lemma:
    return LEMMAS.add(Lemma(
        id=id, name=name, title=title, lhs=lhs, relation="<=", rhs=rhs, kind=Kind.ALGEBRA,
        label=Label.UPPER, source=_THEORY,
        monotone=dict.fromkeys(rhs.free_symbols, "increasing"),
        obligations=(logit_obligation(f"{id}.row", rhs, query, key, rows, scale),),
    ))


FORM_QUERY_SLOPE = _slope(
    "A3.sq", "form_query_slope", "Slope in the query token of logits x_t Q x_s + c x_s",
    s_query, C_Q * b, (C_Q, _ZERO), (_ONE, _ZERO), (_ONE, b), _ONE)
FORM_KEY_SLOPE = _slope(
    "A3.sk", "form_key_slope", "Slope in the key token of logits x_t Q x_s + c x_s",
    s_key, C_Q * b + B_form, (C_Q, B_form), (_ONE, _ZERO), (b, _ONE), _ONE)
FACTOR_QUERY_SLOPE = _slope(
    "A3.fq", "factor_query_slope", "Slope in the query token of factored logits",
    s_query, scale * C_q * C_k * b, (C_q, _ZERO), (C_k, _ZERO), (_ONE, b))
FACTOR_KEY_SLOPE = _slope(
    "A3.fk", "factor_key_slope", "Slope in the key token of factored logits",
    s_key, scale * C_k * (C_q * b + B_q), (C_q, B_q), (C_k, _ZERO), (b, _ONE))
ROTARY_QUERY_SLOPE = _slope(
    "A3.rq", "rotary_query_slope", "Slope in the query token of logits with rotary positions",
    s_query, scale * C_q * (C_k * b + B_k), (C_q, _ZERO), (C_k, B_k), (_ONE, b))
