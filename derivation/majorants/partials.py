"""Coordinate partial derivatives of every multi-index from the operator bounds `D_k`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from majorant.derivation.errors import MajorantError
from majorant.derivation.functions import DerivativeNorm
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.majorants.series import Majorant
from majorant.derivation.symbols import k

_D = sp.Symbol("D_k", nonnegative=True)

PARTIALS = LEMMAS.add(Lemma(
    id="M7", name="partial_derivatives",
    title="Partial derivative of one output coordinate, of order k in all",
    lhs=sp.Function("partial")(sp.Symbol("alpha")), relation="<=", rhs=DerivativeNorm(k),
    kind=Kind.ALGEBRA, label=Label.UPPER, source=Source("docs/theory", "5.3"), uses=("M4",),
    obligations=(Obligation.of_setting("M7.coordinate", _D, "coordinate", _D,
                                       coq="Layers.coordinate_below_norm"),),
    notes="Unit vectors of input coordinates have (2, inf) norm 1; an output coordinate is at "
          "most the norm of its row. It holds for every multi-index of order k.",
))


def partial_bound(majorant: Majorant, multi_index: Sequence[int]) -> Any:
    """Bound on `|d^alpha f_j|` for the exponents `alpha` of the input coordinates.

    Raises `MajorantError` for negative exponents or more derivatives than the majorant has.

    >>> import sympy as sp
    >>> from majorant.derivation.ring import ExactRing
    >>> square = Majorant(ExactRing(), (sp.Integer(1), sp.Integer(2), sp.Integer(1)))
    >>> partial_bound(square, (1, 0, 1))
    2
    """
    if any(exponent < 0 for exponent in multi_index):
        raise MajorantError(f"multi-index {tuple(multi_index)}: exponents are not negative")
    order = sum(multi_index)
    if order > majorant.order:
        raise MajorantError(f"multi-index {tuple(multi_index)}: has order {order}, the majorant "
                            f"stops at {majorant.order}")
    return majorant.bound(order)
