"""LaTeX that MathJax and KaTeX accept, with the catalogue's names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter, translate

from majorant.derivation.symbols import symbol_catalogue


@lru_cache(maxsize=1)
def catalogue_latex() -> dict[str, str]:
    """LaTeX of each catalogue name; a name without an entry is translated (`kappa`, `N_1`)."""
    return {name: entry.latex or name_latex(name) for name, entry in symbol_catalogue().items()}


def name_latex(name: str) -> str:
    """LaTeX of a symbol's name: Greek letters, everything after `_` as one subscript.

    >>> name_latex("kappa"), name_latex("d_h"), name_latex("B_spectrum")
    ('\\\\kappa', 'd_{h}', 'B_{\\\\mathrm{spectrum}}')
    """
    head, *rest = name.strip("_").split("_")
    base = translate(head) if len(head) > 1 else head
    if not rest:
        return base if base != head or len(head) == 1 else rf"\mathrm{{{head}}}"
    below = ", ".join(
        part if len(part) == 1 or part.isdigit() else rf"\mathrm{{{part}}}" for part in rest
    )
    return f"{base}_{{{below}}}"


class MajorantLatex(LatexPrinter):
    """SymPy's LaTeX printer with the catalogue's symbols and one style for sums over indices."""

    def _print_Symbol(self, expr: sp.Symbol, style: str = "plain") -> str:
        return catalogue_latex().get(expr.name) or name_latex(expr.name)

    _print_Dummy = _print_Symbol

    def _print_IndexedBase(self, expr: sp.IndexedBase) -> str:
        name = str(expr.label)
        return catalogue_latex().get(name) or name_latex(name)

    def _print_Indexed(self, expr: sp.Indexed) -> str:
        base, below = self._print(expr.base), ",".join(self._print(i) for i in expr.indices)
        if "_" in base:  # its own subscript and the indices share one: no double subscript
            head, own = base.split("_", 1)
            own = own[1:-1] if own.startswith("{") and own.endswith("}") else own
            return f"{head}_{{{own},{below}}}"
        return f"{base}_{{{below}}}"

    def _print_floor(self, expr: sp.Expr, exp: str | None = None) -> str:
        return self._bracketed(r"\lfloor", expr, r"\rfloor", exp)

    def _print_ceiling(self, expr: sp.Expr, exp: str | None = None) -> str:
        return self._bracketed(r"\lceil", expr, r"\rceil", exp)

    def _bracketed(self, left: str, expr: sp.Expr, right: str, exp: str | None) -> str:
        body = rf"\left{left} {self._print(expr.args[0])} \right{right}"
        return body if exp is None else f"{body}^{{{exp}}}"

    def _print_loggamma(self, expr: sp.Expr, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\log{power} \Gamma\left({self._print(expr.args[0])}\right)"


def latex(expr: sp.Basic) -> str:
    """LaTeX of an expression, without delimiters.

    >>> from majorant.derivation.symbols import C_Q_of, h, l, tau
    >>> latex(C_Q_of[l, h]**2 * tau)
    '\\\\tau C_{Q,l,h}^{2}'
    """
    settings: dict[str, Any] = {"mul_symbol": None, "fold_short_frac": False}
    return str(MajorantLatex(settings).doprint(expr))
