"""Text for people: formulas on lines, sources, directions."""

from __future__ import annotations

import textwrap

import sympy as sp
from sympy.printing.str import StrPrinter

from majorant.derivation.functions import CountingFunction, Over

WIDTH = 96


class MajorantText(StrPrinter):
    """SymPy's one-line printer, with sums over indices written as people write them."""

    def _over(self, word: str, expr: sp.Expr) -> str:
        ranges = ", ".join(
            f"{self._print(index)} = {self._print(lo)}..{self._print(hi)}"
            for index, lo, hi in reversed(expr.limits)
        )
        return f"{word}[{ranges}]({self._print(expr.args[0])})"

    def _print_Sum(self, expr: sp.Sum) -> str:
        return self._over("sum", expr)

    def _print_Product(self, expr: sp.Product) -> str:
        return self._over("prod", expr)

    def _print_MinOver(self, expr: Over) -> str:
        return self._over("min", expr)

    def _print_MaxOver(self, expr: Over) -> str:
        return self._over("max", expr)

    def _print_LogSumExpOver(self, expr: Over) -> str:
        return self._over("logsumexp", expr)

    def _print_CountingFunction(self, expr: CountingFunction) -> str:
        index, lo, hi = (self._print(part) for part in expr.limits[0])
        return f"#{{{index} in {lo}..{hi} : {self._print(expr.entry)} > " \
               f"{self._print(expr.threshold)}}}"


def text(expr: sp.Basic) -> str:
    """One line of plain text.

    >>> from majorant.derivation.symbols import K, S_of, a
    >>> text(sp.Sum(S_of[a], (a, 1, K)))
    'sum[a = 1..K](S_of[a])'
    """
    return str(MajorantText().doprint(expr))


def wrapped(title: str, lines: list[str]) -> str:
    """A titled block, wrapped to the width of a terminal; '' without lines."""
    if not lines:
        return ""
    body = "\n".join(
        textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="      ",
                      break_long_words=False, break_on_hyphens=False)
        for line in lines
    )
    return f"{title}\n{body}\n"
