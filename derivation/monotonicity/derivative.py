"""The second try: the sign of the derivative, where everything is smooth and defined."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.monotonicity.composition import (
    DOWN,
    UP,
    Composer,
    Monotonicity,
    direction_of_sign,
)

LONGEST = 60  # operations in a derivative that is worth factoring

SMOOTH = (sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.tanh, sp.atan, sp.sinh, sp.cosh, sp.erf,
          sp.Number, sp.NumberSymbol, sp.Symbol)


def by_derivative(expr: sp.Expr, x: sp.Basic, composer: Composer) -> Monotonicity | None:
    """A direction from the sign of the derivative, or None.

    Only for expressions that are smooth on their domain: there the derivative's sign decides.
    """
    if not (isinstance(x, sp.Symbol) and smooth(expr, composer)) or x.is_integer:
        return None
    derivative = sp.diff(expr, x)
    forms = [derivative]
    if derivative.count_ops() <= LONGEST:
        forms.append(sp.factor(sp.together(derivative)))
    for form in forms:
        sign = direction_of_sign(composer.range(form).sign)
        if sign:
            return UP if sign > 0 else DOWN
    return None


def smooth(expr: sp.Basic, composer: Composer) -> bool:
    """Whether every node is defined and differentiable on the whole domain."""
    if not isinstance(expr, SMOOTH):
        return False
    if isinstance(expr, sp.log) and not composer.range(expr.args[0]).at_least(0, strict=True):
        return False
    if isinstance(expr, sp.Pow) and not (expr.exp.is_Integer and expr.exp > 0):
        base = composer.range(expr.base)
        away = base.at_least(0, strict=True) or base.at_most(0, strict=True)
        if not (base.at_least(0, strict=True) or (expr.exp.is_Integer and away)):
            return False
    return all(smooth(arg, composer) for arg in expr.args)
