"""Free objects of a statement, their Coq types, and the hypotheses that SymPy's assumptions are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.functions.setting import Setting


@dataclass(frozen=True)
class Signature:
    """Objects that a statement quantifies over: reals, counting symbols, families.

    `fixed` maps a family to the leading subscript that it always carries: `sigma[a, i]` with `a`
    free is printed as the family `sigma i` of one matrix.
    """

    reals: tuple[sp.Symbol, ...]
    counts: tuple[sp.Symbol, ...]
    families: tuple[sp.IndexedBase, ...]
    bound: frozenset[sp.Symbol]
    fixed: tuple[tuple[sp.IndexedBase, sp.Basic], ...] = ()


def bound_symbols(expr: sp.Basic) -> set[sp.Symbol]:
    """Indices and integration variables of `expr`."""
    return {limit[0] for node in expr.atoms(ExprWithLimits) for limit in node.limits}


def _counting_symbols(expr: sp.Basic) -> set[sp.Symbol]:
    """Symbols that occur in a limit of a sum or product, or in a subscript."""
    found: set[sp.Symbol] = set()
    for node in expr.atoms(ExprWithLimits):
        if not isinstance(node, sp.Integral):
            for index, *ends in node.limits:
                found.add(index)
                for end in ends:
                    found |= end.free_symbols
    for entry in expr.atoms(sp.Indexed):
        for index in entry.indices:
            found |= index.free_symbols
    for setting in expr.atoms(Setting):
        found |= {arg for arg in setting.arguments if isinstance(arg, sp.Symbol) and arg.is_integer}
    return {symbol for symbol in found if isinstance(symbol, sp.Symbol)}


def signature(conclusion: sp.Basic, hypotheses: Iterable[sp.Basic] = ()) -> Signature:
    """The objects of a statement, each kind sorted by name.

    >>> s, (i, r) = sp.IndexedBase("s"), sp.symbols("i r", integer=True, positive=True)
    >>> found = signature(sp.Sum(s[i], (i, 1, r)) <= sp.Symbol("x"))
    >>> found.reals, found.counts, found.families
    ((x,), (r,), (s,))
    """
    everything = [conclusion, *hypotheses]
    bound = set().union(*(bound_symbols(item) for item in everything))
    counting = set().union(*(_counting_symbols(item) for item in everything))
    families = {family for item in everything for family in item.atoms(sp.IndexedBase)}
    labels = {family.label for family in families}
    free = {
        symbol
        for item in everything
        for symbol in item.free_symbols
        if isinstance(symbol, sp.Symbol) and not isinstance(symbol, sp.Indexed)
    } - labels
    free_in_conclusion = conclusion.free_symbols
    # an index that is bound in the conclusion is universally quantified inside a hypothesis
    local = {s for s in free if s in bound and s not in free_in_conclusion}
    free -= local
    for symbol in free & counting:
        if symbol.is_integer is not True or symbol.is_nonnegative is not True:
            raise UnsupportedExpression(f"{symbol}: limits and subscripts must be integers >= 0")
    fixed = _fixed_first(everything, families, free, bound)
    dropped = {index for _, index in fixed if not _used_elsewhere(index, everything)}
    by_name = lambda item: (str(item), repr(sp.srepr(item)))  # noqa: E731
    return Signature(
        tuple(sorted(free - counting - dropped, key=by_name)),
        tuple(sorted((free & counting) - dropped, key=by_name)),
        tuple(sorted(families, key=by_name)),
        frozenset(bound),
        fixed,
    )


def _fixed_first(
    everything: list[sp.Basic],
    families: set[sp.IndexedBase],
    free: set[sp.Symbol],
    bound: set[sp.Symbol],
) -> tuple[tuple[sp.IndexedBase, sp.Basic], ...]:
    pairs = []
    for family in sorted(families, key=str):
        entries = [e for item in everything for e in item.atoms(sp.Indexed) if e.base == family]
        firsts = {entry.indices[0] for entry in entries if len(entry.indices) > 1}
        if len(firsts) == 1 and all(len(entry.indices) > 1 for entry in entries):
            first = firsts.pop()
            if first in free and first not in bound:
                pairs.append((family, first))
    return tuple(pairs)


def _used_elsewhere(index: sp.Basic, everything: list[sp.Basic]) -> bool:
    """Whether `index` occurs outside leading subscripts."""
    marker = sp.Dummy("marker", integer=True, positive=True)

    def strip(item: sp.Basic) -> sp.Basic:
        return item.replace(
            lambda e: isinstance(e, sp.Indexed) and len(e.indices) > 1 and e.indices[0] == index,
            lambda e: e.base[(marker, *e.indices[1:])],
        )

    return any(index in strip(item).free_symbols for item in everything)


def assumed_relation(expr: sp.Expr) -> sp.Basic | None:
    """The strongest sign condition that SymPy assumes of `expr`.

    >>> assumed_relation(sp.Symbol("x", positive=True))
    x > 0
    """
    if expr.is_positive:
        return sp.Gt(expr, 0, evaluate=False)
    if expr.is_nonnegative:
        return sp.Ge(expr, 0, evaluate=False)
    if expr.is_negative:
        return sp.Lt(expr, 0, evaluate=False)
    if expr.is_nonpositive:
        return sp.Le(expr, 0, evaluate=False)
    return None
