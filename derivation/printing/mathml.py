"""Presentation MathML of formulas: what a browser shows without any script."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.mathml import MathMLPresentationPrinter

from majorant.derivation.functions import MaxOver, MinOver, Over
from majorant.derivation.functions.facts import OwnFunction

_OPERATORS = {MinOver: "min", MaxOver: "max"}


class _Printer(MathMLPresentationPrinter):
    """SymPy's printer with the binders and functions of ours."""

    def _print_Over(self, expr: Over) -> Any:
        row = self.dom.createElement("mrow")
        under = self.dom.createElement("munder")
        name = self.dom.createElement("mo")
        name.appendChild(self.dom.createTextNode(_OPERATORS.get(type(expr), expr.func.__name__)))
        under.appendChild(name)
        index, low, high = expr.limits[0]
        ranges = self.dom.createElement("mrow")
        for part in (low, "≤", index, "≤", high):
            if isinstance(part, str):
                mark = self.dom.createElement("mo")
                mark.appendChild(self.dom.createTextNode(part))
                ranges.appendChild(mark)
            else:
                ranges.appendChild(self._print(part))
        under.appendChild(ranges)
        row.appendChild(under)
        row.appendChild(self._print(expr.function))
        return row

    _print_MinOver = _print_Over
    _print_MaxOver = _print_Over

    def _print_OwnFunction(self, expr: OwnFunction) -> Any:
        return self._print_Function(sp.Function(type(expr).__name__)(*expr.args))


def mathml(expr: sp.Basic) -> str:
    """A `<math>` element for an expression or a relation, display style.

    >>> x = sp.Symbol("x", positive=True)
    >>> mathml(sp.sqrt(x))
    '<math display="block"><msqrt><mi>x</mi></msqrt></math>'
    """
    printer = _Printer({"mul_symbol": "&#xB7;"})
    element = printer._print(expr)
    return f'<math display="block">{element.toxml()}</math>'
