"""The rules M1-M6 as lemmas, so that ledgers can name them."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Source

_t = sp.Symbol("t", nonnegative=True)
_C = sp.Symbol("C", nonnegative=True)
_F, _G = sp.Function("M_f"), sp.Function("M_g")


def _rule(id: str, name: str, title: str, of: str, rhs: sp.Expr, notes: str = "") -> Lemma:
    return LEMMAS.add(Lemma(
        id=id, name=name, title=title, lhs=sp.Function(f"M_{{{of}}}")(_t), relation="<=", rhs=rhs,
        kind=Kind.ALGEBRA, label=Label.UPPER, source=Source("docs/theory", id),
        provides=frozenset({"majorant"}), notes=notes,
    ))


SUM = _rule("M1", "majorant_sum", "Majorant of a sum", "f + g", _F(_t) + _G(_t))
LINEAR = _rule("M2", "majorant_linear", "Majorant after a linear map of norm C", "f W",
               _C * _F(_t))
PRODUCT = _rule("M3", "majorant_product", "Majorant of a bounded bilinear product (Leibniz)",
                "B(f, g)", _C * _F(_t) * _G(_t))
COMPOSITION = _rule(
    "M4", "majorant_composition", "Majorant of a composition (Faa di Bruno)", "g o f",
    _G(_F(_t) - _F(0)),
    "M_g majorizes g on a set that contains the range of f. With weights that move, the constant "
    "of the inner majorant keeps its infinitesimal part.")
SCALED_ARGUMENT = _rule("M5", "majorant_scaled_argument", "Majorant of x -> f(c x), order >= 1",
                        "f(c .)", _F(_C * _t))
PROJECTION = _rule(
    "M6", "majorant_projection", "Rows on the unit ball: only Lipschitz", "Pi",
    sp.Integer(1) + _t, "Valid to order 1 only; order >= 2 through it is refused.")
