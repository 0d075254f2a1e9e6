"""A2: the majorant of an attention head, all orders, in the (2, inf) norm, for every mask.

For a unit vector u, `<att(X)_t, u> = D LSE(z)[y]` with logits `z_s` and `y_s = x_s V u`. If `Z(t)`
is a majorant of the logits and `C_V (b + t)` one of the values, then

    M_att(t) = C_V (b + t) * M_LSE'( Z(t) - Z(0) ).

For a plain form `Z(t) = C_Q (b + t)^2`; biases and rotary positions only change `Z`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from majorant.derivation.attention.head_lipschitz import HEAD_SERIES
from majorant.derivation.attention.logit_slopes import logit_obligation
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import C_Q, C_V, B_form, B_k, B_q, C_k, C_q, b, scale

#: The variable of majorant series.
t = sp.Symbol("t", nonnegative=True)
_SOURCE = Source("docs/theory", "A2")

_M_LSE = sp.Function("M_LSE'")
_Z = sp.Function("Z")
_ZERO, _ONE = sp.S.Zero, sp.S.One
_AT_T = (b + t, b + t)  # both tokens at a distance t from rows of norm b


def _majorant(id: str, name: str, title: str, of: str, rhs: sp.Expr,
              obligation: Obligation, uses: tuple[str, ...] = ()) -> Lemma:
    return LEMMAS.add(Lemma(
        id=id, name=name, title=title, lhs=sp.Function(f"M_{of}")(t), relation="<=", rhs=rhs,
        kind=Kind.ALGEBRA, label=Label.UPPER, source=_SOURCE, uses=uses,
        obligations=(obligation,),
        monotone=dict.fromkeys(rhs.free_symbols, "increasing"), provides=frozenset({"majorant"}),
        notes="Coefficient by coefficient, as formal power series in t.",
    ))


FORM_LOGITS = _majorant(
    "A2.Z", "form_logits_majorant", "Majorant of logits x_t Q x_s + c x_s", "z",
    _FORM := C_Q * (b + t)**2 + B_form * (b + t),
    logit_obligation("A2.Z.row", _FORM, (C_Q, B_form), (_ONE, _ZERO), _AT_T, _ONE))
FACTOR_LOGITS = _majorant(
    "A2.Z.factors", "factor_logits_majorant", "Majorant of factored logits (a key bias cancels)",
    "z", _FACTORS := scale * (C_q * (b + t) + B_q) * C_k * (b + t),
    logit_obligation("A2.Z.factors.row", _FACTORS, (C_q, B_q), (C_k, _ZERO), _AT_T))
ROTARY_LOGITS = _majorant(
    "A2.Z.rotary", "rotary_logits_majorant", "Majorant of logits with rotary positions", "z",
    _ROTARY := scale * (C_q * (b + t) + B_q) * (C_k * (b + t) + B_k),
    logit_obligation("A2.Z.rotary.row", _ROTARY, (C_q, B_q), (C_k, B_k), _AT_T))
HEAD_VALUES = _majorant(
    "A2.Y", "head_values_majorant", "Majorant of the values of a head", "y", C_V * (b + t),
    Obligation.of_setting("A2.Y.row", C_V * (b + t), "affine_row", C_V, b + t, _ZERO,
                          coq="Layers.affine"))


def _first_order() -> Obligation:
    """The coefficient of t for a plain form, with the constants 1, 1 of A1."""
    logits = FORM_LOGITS.rhs.subs(B_form, 0)
    series = HEAD_VALUES.rhs * (1 + logits - logits.subs(t, 0))
    slope = sp.diff(series, t).subs(t, 0)
    return Obligation(
        id="A2.first_order", kind=Kind.ALGEBRA,
        statement=sp.Eq(slope, HEAD_SERIES.rhs, evaluate=False),
        mutant=sp.Eq(slope, sp.Rational(99, 100) * HEAD_SERIES.rhs, evaluate=False),
        note="D LSE and D^2 LSE have the constants c_1 = c_2 = 1")


HEAD_MAJORANT = _majorant(
    "A2", "head_majorant", "Majorant of an attention head",
    "att", HEAD_VALUES.rhs * _M_LSE(_Z(t) - _Z(0)), _first_order(),
    uses=("A1", "A2.Z", "A2.Y", "M3", "M4"))


@lru_cache(maxsize=64)
def polynomial_coefficients(rhs: Any) -> tuple[sp.Expr, ...]:
    """Coefficients of a lemma's polynomial in `t`, lowest first.

    >>> polynomial_coefficients(FORM_LOGITS.rhs)[2]
    C_Q
    """
    return tuple(reversed(sp.Poly(rhs, t).all_coeffs()))
