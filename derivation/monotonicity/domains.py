"""Domains: what the catalogue and the hypotheses say about symbols and sub-expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import sympy as sp

from majorant.derivation.ranges import Range
from majorant.derivation.symbols import symbol_catalogue

NUMBER = r"-?\d+(?:/\d+)?"


@lru_cache(maxsize=1)
def catalogue_ranges() -> dict[sp.Basic, Range]:
    """Two-sided domains of the catalogue (`0 < theta < 1`), read from its own text.

    >>> import sympy as sp
    >>> from majorant.derivation.symbols import p
    >>> catalogue_ranges()[p]
    Range(lo=0, hi=2, lo_open=False, hi_open=False)
    """
    found: dict[sp.Basic, Range] = {}
    for name, entry in symbol_catalogue().items():
        pattern = rf"({NUMBER}) (<=?) {re.escape(name)} (<=?) ({NUMBER})"
        match = re.fullmatch(pattern, entry.domain)
        if match:
            lo, left, right, hi = match.groups()
            found[entry.symbol] = Range(
                sp.Rational(lo), sp.Rational(hi), left == "<", right == "<"
            )
    return found


class Facts:
    """Known ranges of expressions: from hypotheses such as `tau < eps` and `p <= 2`.

    A relation `u < v` is kept as the range of the expanded difference `v - u`.
    """

    def __init__(self, hypotheses: Iterable[sp.Basic] = ()) -> None:
        self.known: dict[sp.Basic, Range] = {}
        for hypothesis in hypotheses:
            self.add(hypothesis)

    def add(self, hypothesis: sp.Basic) -> None:
        """Take in one relational (or a conjunction); other statements are left out: that is
        weaker, never wrong."""
        if isinstance(hypothesis, sp.And):
            for part in hypothesis.args:
                self.add(part)
            return
        if isinstance(hypothesis, sp.Equality):
            self.add(sp.Le(hypothesis.lhs, hypothesis.rhs, evaluate=False))
            self.add(sp.Ge(hypothesis.lhs, hypothesis.rhs, evaluate=False))
            return
        if not isinstance(hypothesis, sp.StrictLessThan | sp.LessThan | sp.StrictGreaterThan
                          | sp.GreaterThan):
            return
        small, large = hypothesis.lts, hypothesis.gts
        strict = isinstance(hypothesis, sp.StrictLessThan | sp.StrictGreaterThan)
        difference = sp.expand(large - small)
        if difference.is_number:
            return
        constant, rest = difference.as_coeff_Add()
        scale, core = rest.as_coeff_Mul()
        end = -constant / scale
        bound = Range.above(end, strict) if scale > 0 else -Range.above(-end, strict)
        earlier = self.known.get(core)
        self.known[core] = bound if earlier is None else earlier.intersect(bound)

    def __getitem__(self, expr: sp.Basic) -> Range | None:
        """What is known of exactly this expression."""
        found = self.known.get(expr)
        listed = catalogue_ranges().get(expr)
        if found is None or listed is None:
            return found or listed
        return found.intersect(listed)

    def extended(self, hypotheses: Iterable[sp.Basic]) -> Facts:
        """These facts and more."""
        more = Facts()
        more.known = dict(self.known)
        for hypothesis in hypotheses:
            more.add(hypothesis)
        return more
