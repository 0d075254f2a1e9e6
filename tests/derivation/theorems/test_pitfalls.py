"""Faults that were reported of public code for bounds, turned into cases."""

from __future__ import annotations

import pytest
import sympy as sp

from majorant.derivation import shipped
from majorant.derivation.bound import Bound
from majorant.derivation.functions import KLInverse
from majorant.derivation.symbols import delta, n

shipped.load()
GUARANTEES = [bound for bound in shipped.shipped_bounds()
              if bound.status != "proxy" and n in bound.expression.free_symbols]


@pytest.mark.parametrize("bound", GUARANTEES, ids=lambda bound: bound.name)
def test_generalization_bounds_constants_and_logarithms_are_kept(bound: Bound) -> None:
    """bneyshabur/generalization-bounds: "constants and logarithmic factors are not included"."""
    expression = bound.expression
    assert delta in expression.free_symbols, "the failure probability is part of the bound"
    assert expression.has(sp.log)
    # the one guarantee without a constant of its own is the exact inversion of kl
    assert expression.func is KLInverse or expression.atoms(sp.Integer) - {0, 1, -1}
