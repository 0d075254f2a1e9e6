"""The rules M1-M6 as lemmas, so that ledgers can name them."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import Setting
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.majorants.series import Majorant
from majorant.derivation.ring import ExactRing

_t = sp.Symbol("t", nonnegative=True)
_C = sp.Symbol("C", nonnegative=True)
_F, _G = sp.Function("M_f"), sp.Function("M_g")
_n, _k = sp.symbols("n k", integer=True, nonnegative=True)
_a, _b = (sp.IndexedBase(sp.Symbol(name, nonnegative=True)) for name in "ab")
_coefficient = sp.Symbol("coefficient", real=True)


def _kernel(id: str, rhs: sp.Expr, setting: str, *arguments: sp.Basic | int) -> Obligation:
    """The Taylor coefficient of a map in any unit directions is at most `rhs`."""
    return Obligation(
        id=id, statement=sp.Le(_coefficient, rhs, evaluate=False), kind=Kind.KERNEL,
        hypotheses=(Setting(setting, *arguments, _coefficient),),
        coq=f"Majorants.{id.replace('.', '_')}",
        note="for all maps whose derivatives obey the sum, product and chain rule")


def _composed(order: int) -> Obligation:
    """The coefficient that the series code computes for `g o f`."""
    inner, outer = (Majorant(ExactRing(), tuple(family[k] for k in range(order + 1)))
                    for family in (_a, _b))
    return _kernel(f"M4.order{order}", sp.expand(inner.then(outer).taylor[order]),
                   "composition_coefficient", sp.Integer(order), _a, _b)


def _scaled(order: int) -> Obligation:
    series = Majorant(ExactRing(), tuple(_a[k] for k in range(order + 1))).argument_scaled(_C)
    return _kernel(f"M5.order{order}", series.taylor[order], "scaled_coefficient",
                   sp.Integer(order), _C, _a)


def _rule(id: str, name: str, title: str, of: str, rhs: sp.Expr,
          obligations: tuple[Obligation, ...], notes: str = "") -> Lemma:
    return LEMMAS.add(Lemma(
        id=id, name=name, title=title, lhs=sp.Function(f"M_{{{of}}}")(_t), relation="<=", rhs=rhs,
        kind=Kind.ALGEBRA, label=Label.UPPER, source=Source("docs/theory", id),
        provides=frozenset({"majorant"}), notes=notes, obligations=obligations,
    ))


SUM = _rule("M1", "majorant_sum", "Majorant of a sum", "f + g", _F(_t) + _G(_t),
            (_kernel("M1", _a[_n] + _b[_n], "sum_coefficient", _n, _a, _b),))
LINEAR = _rule("M2", "majorant_linear", "Majorant after a linear map of norm C", "f W",
               _C * _F(_t), (_kernel("M2", _C * _a[_n], "linear_coefficient", _n, _C, _a),))
PRODUCT = _rule("M3", "majorant_product", "Majorant of a bounded bilinear product (Leibniz)",
                "B(f, g)", _C * _F(_t) * _G(_t), (_kernel(
                    "M3", sp.Sum(_C * _a[_k] * _b[_n - _k], (_k, 0, _n)),
                    "product_coefficient", _n, _C, _a, _b),))
COMPOSITION = _rule(
    "M4", "majorant_composition", "Majorant of a composition (Faa di Bruno)", "g o f",
    _G(_F(_t) - _F(0)), tuple(map(_composed, range(1, 5))),
    "M_g majorizes g on a set that contains the range of f. With weights that move, the constant "
    "of the inner majorant keeps its infinitesimal part.")
SCALED_ARGUMENT = _rule("M5", "majorant_scaled_argument", "Majorant of x -> f(c x), order >= 1",
                        "f(c .)", _F(_C * _t), (_scaled(3),))
PROJECTION = _rule(
    "M6", "majorant_projection", "Rows on the unit ball: only Lipschitz", "Pi",
    sp.Integer(1) + _t, (Obligation.of_setting(
        "M6.lipschitz", sp.diff(1 + _t, _t), "projection_quotient", coq="Layers.projection",
        note="a projection on a convex set, by its dot products"),),
    "Valid to order 1 only; order >= 2 through it is refused.")
