"""Random points of the domain of an expression, for tests and for confirmation by sampling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import sympy as sp

from majorant.derivation.errors import UnusableInput
from majorant.derivation.functions.facts import assumed_range
from majorant.derivation.monotonicity.domains import Facts
from majorant.derivation.ranges import Range
from majorant.derivation.symbols import symbol_catalogue
from majorant.numerics.lowering.arguments import arguments_of
from majorant.numerics.lowering.high_precision import mpmath_function
from majorant.numerics.lowering.table import BINDERS

SMALL, LARGE = 0.02, 50.0
TRIES, HALVINGS = 1000, 12


@dataclass(frozen=True)
class Point:
    """One point: the arguments in order, and a value for each."""

    args: tuple[sp.Basic, ...]
    values: tuple[Any, ...]

    def at(self, args: Sequence[sp.Basic]) -> tuple[Any, ...]:
        """The values of some of the arguments, in their order."""
        given = dict(zip(self.args, self.values, strict=True))
        return tuple(given[arg] for arg in args)

    def replaced(self, arg: sp.Basic, value: Any) -> Point:
        """The point with another value of one argument."""
        pairs = zip(self.args, self.values, strict=True)
        return Point(self.args, tuple(value if a == arg else v for a, v in pairs))


def draw(
    expr: sp.Expr, hypotheses: Iterable[sp.Basic] = (), seed: int = 0, size: int = 6
) -> Point:
    """A random point at which the assumptions, the catalogue's domains and the hypotheses hold.

    Symbols that limit a sum stay small; families have `size` entries on every axis. A hypothesis
    between entries of two families (`tau_of[a] < eps_of[a]`) holds for every entry. Raises
    `UnusableInput` if no point was found.

    >>> x = sp.Symbol("x", positive=True)
    >>> point = draw(x, [x < 2], seed=1)
    >>> 0 < point.values[0] < 2
    True
    """
    return Sampler(expr, tuple(hypotheses), size).point(seed)


class Sampler:
    """Draws points of one domain, and says whether a point lies in it."""

    def __init__(
        self, expr: sp.Expr, hypotheses: Sequence[sp.Basic] = (), size: int = 6
    ) -> None:
        self.random, self.size = Random(0), size
        self.entrywise = [h for h in hypotheses if is_entrywise(h)]
        self.joint = [h for h in hypotheses if isinstance(h, sp.Rel) and not is_entrywise(h)]
        self.args = arguments_of(expr, *self.joint)
        self.facts = Facts(self.joint)
        self.bounds: dict[sp.Symbol, Range] = {}
        self.ranks = {entry.base: len(entry.indices) for entry in expr.atoms(sp.Indexed)}
        for hypothesis in self.joint:
            self.ranks.update(
                {entry.base: len(entry.indices) for entry in hypothesis.atoms(sp.Indexed)}
            )
        self.limits = limiting_symbols(expr)
        self.checks = [
            (h, mpmath_function(h.lhs - h.rhs, self.args, digits=30)) for h in self.joint
        ]

        self.equations = [
            (h.lhs, mpmath_function(h.rhs, self.args, digits=30))
            for h in self.joint
            if isinstance(h, sp.Equality) and settable(h.lhs)
        ]

    def point(self, seed: int) -> Point:
        """The point of a seed; `UnusableInput` if none was found."""
        self.random = Random(seed)
        for _ in range(TRIES):
            values = {arg: self.value(arg) for arg in self.args}
            for target, rule in self.equations:
                self.assign(target, float(rule(*(values[arg] for arg in self.args))), values)
            for hypothesis, difference in self.checks:
                self.shrink(hypothesis, difference, values)
            for hypothesis in self.entrywise:
                self.repair(hypothesis, values)
            point = Point(tuple(self.args), tuple(values[arg] for arg in self.args))
            if self.contains(point):
                return point
        raise UnusableInput(f"no point found at which {self.joint} hold; are they contradictory?")

    def assign(self, target: sp.Basic, value: float, values: dict[sp.Basic, Any]) -> None:
        """Make `target == value` true: a symbol, or one entry of a family."""
        if isinstance(target, sp.Symbol):
            values[target] = round(value) if target.is_integer else value
            return
        *outer, last = (int(index + target.base.offset) - 1 for index in target.indices)
        row = values[target.base]
        for index in outer:
            row = row[index]
        row[last] = value

    def shrink(self, hypothesis: sp.Rel, difference: Any, values: dict[sp.Basic, Any]) -> None:
        """Halve the real quantities on the small side until an inequality holds (or give up)."""
        if isinstance(hypothesis, sp.Equality | sp.Unequality):
            return
        small = set(arguments_of(hypothesis.lts)) - set(arguments_of(hypothesis.gts))
        movable = [arg for arg in small if arg in values and not _label(arg).is_integer]
        for _ in range(HALVINGS if movable else 0):
            if holds(hypothesis, difference(*(values[arg] for arg in self.args))):
                return
            for arg in movable:
                values[arg] = halved(values[arg])

    def joint_hold(self, values: Sequence[Any]) -> bool:
        """Whether the hypotheses that are not entrywise hold."""
        return all(holds(hypothesis, f(*values)) for hypothesis, f in self.checks)

    def contains(self, point: Point) -> bool:
        """Whether every hypothesis holds at a point (assumptions on symbols are not looked at)."""
        values = dict(zip(point.args, point.values, strict=True))
        for hypothesis in self.entrywise:
            small, large = hypothesis.lts.base, hypothesis.gts.base
            if small in values and large in values:
                strict = isinstance(hypothesis, sp.StrictLessThan | sp.StrictGreaterThan)
                if not dominated(values[small], values[large], strict):
                    return False
        return self.joint_hold(point.values)

    def value(self, arg: sp.Basic) -> Any:
        if isinstance(arg, sp.IndexedBase):
            return self.family(arg, self.ranks[arg])
        return self.number(arg, arg in self.limits)

    def number(self, symbol: sp.Symbol, limiting: bool) -> float | int:
        if symbol not in self.bounds:
            known = self.facts[symbol] or Range.unknown()
            self.bounds[symbol] = assumed_range(symbol).intersect(known)
        bounds = self.bounds[symbol]
        if symbol.is_integer:
            low = int(bounds.lo) if bounds.lo.is_finite else -4
            span = 3 if limiting else 40
            high = min(low + span, int(bounds.hi)) if bounds.hi.is_finite else low + span
            return self.random.randint(low, max(low, high))
        return self.real(bounds)

    def real(self, bounds: Range) -> float:
        """Log-uniform on half-lines, uniform on bounded intervals, both signs on the line."""
        lo = float(bounds.lo) if bounds.lo.is_finite else None
        hi = float(bounds.hi) if bounds.hi.is_finite else None
        if lo is not None and hi is not None:
            return lo + (hi - lo) * self.random.uniform(0.001, 0.999)
        size = SMALL * (LARGE / SMALL) ** self.random.random()
        if lo is not None:
            return lo + size
        if hi is not None:
            return hi - size
        return size if self.random.random() < 0.5 else -size

    def family(self, base: sp.IndexedBase, rank: int) -> Any:
        if rank == 0:
            return self.number(base.label, True)
        entries = [self.family(base, rank - 1) for _ in range(self.size)]
        if rank > 1:
            return entries
        if ascending(base):  # `knot[1] = 0 < knot[2] < ...`
            return sorted([0, *entries[1:]])
        return sorted(entries, reverse=True)  # spectra and the like

    def repair(self, hypothesis: sp.Rel, values: dict[sp.Basic, Any]) -> None:
        """Make an entrywise relation between two families true by lowering the small side."""
        small, large = hypothesis.lts.base, hypothesis.gts.base
        if small in values and large in values:
            values[small] = self.lowered(values[small], values[large])

    def lowered(self, x: Any, y: Any) -> Any:
        if isinstance(x, list):
            return [self.lowered(a, b) for a, b in zip(x, y, strict=True)]
        return x if x < y else y * self.random.uniform(0.1, 0.95)


def ascending(base: sp.IndexedBase) -> bool:
    """Whether the catalogue says that a family starts at 0 and increases along its index."""
    entry = symbol_catalogue().get(str(base.label))
    return entry is not None and entry.domain.startswith(f"{entry.name}[1] = 0 <")


def is_entrywise(hypothesis: sp.Basic) -> bool:
    """Whether a relation compares the entries of two families, for every index."""
    return (
        isinstance(hypothesis, sp.StrictLessThan | sp.LessThan | sp.StrictGreaterThan
                   | sp.GreaterThan)
        and isinstance(hypothesis.lhs, sp.Indexed)
        and isinstance(hypothesis.rhs, sp.Indexed)
        and hypothesis.lhs.indices == hypothesis.rhs.indices
    )


def _label(arg: sp.Basic) -> sp.Symbol:
    return arg.label if isinstance(arg, sp.IndexedBase) else arg


def halved(value: Any) -> Any:
    """Half of a number, or of every entry."""
    return [halved(entry) for entry in value] if isinstance(value, list) else value / 2


def settable(target: sp.Basic) -> bool:
    """A symbol, or an entry with explicit indices."""
    explicit = isinstance(target, sp.Indexed) and all(i.is_Integer for i in target.indices)
    return isinstance(target, sp.Symbol) or explicit


def dominated(x: Any, y: Any, strict: bool) -> bool:
    """Whether `x <= y` (`x < y`) entry by entry."""
    if isinstance(x, list):
        return all(dominated(a, b, strict) for a, b in zip(x, y, strict=True))
    return bool(x < y if strict else x <= y)


def holds(hypothesis: sp.Rel, difference: Any) -> bool:
    """Whether `lhs - rhs = difference` satisfies the relation."""
    if isinstance(hypothesis, sp.Equality):
        return bool(abs(difference) < 1e-12)
    return bool(hypothesis.func(sp.Float(str(difference)), 0))


def limiting_symbols(expr: sp.Basic) -> set[sp.Basic]:
    """Symbols in the limits of sums and in indices: they decide how long an evaluation takes."""
    found: set[sp.Basic] = set()
    binders: Any = tuple(BINDERS)
    for node in sp.preorder_traversal(expr):
        if isinstance(node, binders):
            for _, lo, hi in node.args[1:]:
                found |= lo.free_symbols | hi.free_symbols
        if isinstance(node, sp.Indexed):
            for index in node.indices:
                found |= index.free_symbols
    return found
