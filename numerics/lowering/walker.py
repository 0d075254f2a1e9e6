"""Compile an expression into nested closures over a scalar back end (mpmath, balls).

One pass over the tree, one closure per node. What does not depend on the innermost index is
evaluated once per value of the indices that it does depend on, so `alpha_l` inside a minimum
over a grid costs nothing extra.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from majorant.derivation.errors import UnusableInput
from majorant.numerics.lowering.backend import Backend
from majorant.numerics.lowering.recognize import expm1_terms, log1p_argument
from majorant.numerics.lowering.table import BINDERS, FUNCTIONS, RELATIONS, unsupported


@dataclass
class Environment:
    """Values of one call: free names, current index values, cached sub-results."""

    values: dict[str, Any]
    indices: list[int]
    cache: dict[tuple[int, tuple[int, ...]], Any] = field(default_factory=dict)


Closure = Callable[[Environment], Any]


class Compiler:
    """Turns one expression into a closure; `slots` maps bound indices to positions."""

    def __init__(self, expr: sp.Basic, names: Mapping[sp.Basic, str], backend: Backend) -> None:
        self.names, self.backend = names, backend
        self.path: list[str] = []
        self.slots = 0
        self.keys: dict[sp.Basic, int] = {}
        self.uses = Counter(child for node in sp.preorder_traversal(expr) for child in node.args)
        self.closure = self.compile(expr, {})

    def compile(self, node: sp.Basic, slots: Mapping[sp.Symbol, int]) -> Closure:
        """The closure of `node`, cached where it is shared or does not depend on all indices."""
        needed = {index: slot for index, slot in slots.items() if index in node.free_symbols}
        if node.is_Atom or isinstance(node, sp.Indexed | sp.Rel):
            return self.build(node, needed)
        innermost = max(slots.values(), default=-1)
        independent = innermost >= 0 and innermost not in needed.values()
        body = self.build(node, needed)
        if not independent and self.uses[node] < 2:
            return body
        key = self.keys.setdefault(node, len(self.keys))
        positions = tuple(needed[index] for index in sorted(needed, key=str))

        def cached(env: Environment) -> Any:
            at = (key, tuple(env.indices[slot] for slot in positions))
            if at not in env.cache:
                env.cache[at] = body(env)
            return env.cache[at]

        return cached

    def build(self, node: sp.Basic, slots: Mapping[sp.Symbol, int]) -> Closure:
        """The closure of `node` itself."""
        if isinstance(node, sp.Symbol):
            return self.symbol(node, slots)
        if node.is_Atom and node.is_number and node.is_extended_real:
            return self.constant(node)
        if isinstance(node, sp.Indexed):
            return self.entry(node, slots)
        if isinstance(node, sp.Add):
            return self.addition(node, slots)
        if isinstance(node, sp.Mul):
            return self.fold(self.backend.multiply, self.children(node, slots))
        if isinstance(node, sp.Pow):
            return self.power(node, slots)
        if isinstance(node, sp.exp) or (isinstance(node, sp.log) and len(node.args) == 1):
            return self.exponential(node, slots)
        if isinstance(node, sp.Piecewise):
            return self.piecewise(node, slots)
        for kind, operation in BINDERS.items():
            if isinstance(node, kind):
                return self.binder(node, operation, slots)
        name = FUNCTIONS.get(type(node))
        if name is None or name not in self.backend.functions:
            raise unsupported(node, self.path, self.backend.name)
        function, args = self.backend.functions[name], self.children(node, slots)
        return lambda env: function(*(arg(env) for arg in args))

    def children(self, node: sp.Basic, slots: Mapping[sp.Symbol, int]) -> list[Closure]:
        return [self.child(node, at, arg, slots) for at, arg in enumerate(node.args)]

    def child(
        self, node: sp.Basic, at: int, arg: sp.Basic, slots: Mapping[sp.Symbol, int]
    ) -> Closure:
        self.path.append(f"{type(node).__name__}[{at}]")
        closure = self.compile(arg, slots)
        self.path.pop()
        return closure

    def symbol(self, node: sp.Symbol, slots: Mapping[sp.Symbol, int]) -> Closure:
        if node in slots:
            slot, from_integer = slots[node], self.backend.integer
            return lambda env: from_integer(env.indices[slot])
        if node not in self.names:
            raise unsupported(node, self.path, self.backend.name)
        name = self.names[node]
        return lambda env: env.values[name]

    def constant(self, node: sp.Basic) -> Closure:
        convert = self.backend.constant(node)
        return lambda env: convert()

    def integer(self, node: sp.Basic, slots: Mapping[sp.Symbol, int]) -> Callable[..., int]:
        """An index or a limit, as a Python integer."""
        if isinstance(node, sp.Integer):
            fixed = int(node)
            return lambda env: fixed
        if isinstance(node, sp.Symbol) and node in slots:
            slot = slots[node]
            return lambda env: env.indices[slot]
        closure, to_integer = self.compile(node, slots), self.backend.to_integer
        return lambda env: to_integer(closure(env), node)

    def entry(self, node: sp.Indexed, slots: Mapping[sp.Symbol, int]) -> Closure:
        if node.base not in self.names:
            raise unsupported(node, self.path, self.backend.name)
        name, shift = self.names[node.base], node.base.offset  # families may start at 0
        indices = [self.integer(index + shift, slots) for index in node.indices]
        return lambda env: look_up(env.values[name], name, [index(env) for index in indices])

    def fold(self, combine: Callable[[Any, Any], Any], parts: list[Closure]) -> Closure:
        first, rest = parts[0], parts[1:]

        def run(env: Environment) -> Any:
            value = first(env)
            for part in rest:
                value = combine(value, part(env))
            return value

        return run

    def addition(self, node: sp.Add, slots: Mapping[sp.Symbol, int]) -> Closure:
        found = expm1_terms(node)
        if found is None:
            return self.fold(self.backend.add, self.children(node, slots))
        pairs, others = found
        parts = [self.child(node, at, other, slots) for at, other in enumerate(others)]
        expm1, multiply = self.backend.functions["expm1"], self.backend.multiply
        for coefficient, exponent in pairs:
            scale, u = self.compile(coefficient, slots), self.compile(exponent, slots)
            parts.append(self.fold(multiply, [scale, compose(expm1, u)]))
        return self.fold(self.backend.add, parts)

    def power(self, node: sp.Pow, slots: Mapping[sp.Symbol, int]) -> Closure:
        nonnegative = bool(node.base.is_nonnegative)
        base, exponent = self.child(node, 0, node.base, slots), node.exp
        if exponent.is_Integer:
            n, to_power = int(exponent), self.backend.integer_power
            return lambda env: to_power(base(env), n)
        raised, general = self.child(node, 1, exponent, slots), self.backend.power
        return lambda env: general(base(env), raised(env), nonnegative)

    def exponential(self, node: sp.Function, slots: Mapping[sp.Symbol, int]) -> Closure:
        operation, arg = FUNCTIONS[type(node)], node.args[0]
        shifted = log1p_argument(arg) if operation == "log" else None
        if shifted is not None:
            operation, arg = "log1p", shifted
        inner, function = self.child(node, 0, arg, slots), self.backend.functions[operation]
        return lambda env: function(inner(env))

    def piecewise(self, node: sp.Piecewise, slots: Mapping[sp.Symbol, int]) -> Closure:
        if node.args[-1][1] != sp.true:
            raise unsupported(node, self.path, self.backend.name)
        branches = [
            (self.condition(condition, slots), self.child(node, at, value, slots))
            for at, (value, condition) in enumerate(node.args)
        ]
        unite = self.backend.unite

        def run(env: Environment) -> Any:
            possible = []
            for condition, value in branches:
                decided = condition(env)
                if decided is False:
                    continue
                possible.append(value(env))
                if decided is True:
                    break
            return unite(possible)

        return run

    def condition(self, node: sp.Basic, slots: Mapping[sp.Symbol, int]) -> Closure:
        """A three-valued condition: True, False, or None where it is not decided."""
        if node in (sp.true, sp.false):
            decided = bool(node == sp.true)
            return lambda env: decided
        if isinstance(node, sp.And | sp.Or | sp.Not):
            parts = [self.condition(arg, slots) for arg in node.args]
            if isinstance(node, sp.Not):
                return lambda env: None if (found := parts[0](env)) is None else not found
            ends = isinstance(node, sp.Or)
            return lambda env: three_valued((part(env) for part in parts), ends)
        sense = RELATIONS.get(type(node))
        if sense is None:
            raise unsupported(node, self.path, self.backend.name)
        left, right = self.children(node, slots)
        compare = self.backend.compare
        return lambda env: compare(sense, left(env), right(env))

    def binder(self, node: sp.Expr, operation: str, slots: Mapping[sp.Symbol, int]) -> Closure:
        """A reduction over indices; the last limit is the outermost loop.

        Slots are never shared: an inner loop must not move an outer index.
        """
        inner, loops = dict(slots), []
        for index, lo, hi in reversed(node.limits):
            bounds = self.integer(lo, inner), self.integer(hi, inner)
            inner[index] = slot = self.slots
            self.slots += 1
            loops.append((slot, *bounds))
        body, reduce = self.child(node, 0, node.function, inner), self.backend.reductions[operation]

        def members(env: Environment, level: int = 0) -> Iterator[Any]:
            slot, lo, hi = loops[level]
            for at in range(lo(env), hi(env) + 1):
                env.indices[slot] = at
                if level + 1 == len(loops):
                    yield body(env)
                else:
                    yield from members(env, level + 1)

        return lambda env: reduce(members(env))


def three_valued(parts: Iterator[bool | None], ends: bool) -> bool | None:
    """Kleene's `or` (`ends` True) or `and` (`ends` False)."""
    undecided = False
    for part in parts:
        if part is ends:
            return ends
        undecided = undecided or part is None
    return None if undecided else not ends


def look_up(table: Any, name: str, indices: Sequence[int]) -> Any:
    """Entry of a nested list, indices from 1; `UnusableInput` beyond its ends."""
    value = table
    for index in indices:
        if not isinstance(value, list) or not 1 <= index <= len(value):
            size = len(value) if isinstance(value, list) else 0
            raise UnusableInput(
                f"{name}[{', '.join(map(str, indices))}]: the family has {size} entries on this "
                "axis; indices start at 1"
            )
        value = value[index - 1]
    if isinstance(value, list):
        raise UnusableInput(f"{name}: has more axes than the {len(indices)} that are indexed")
    return value


def compose(function: Callable[[Any], Any], inner: Closure) -> Closure:
    """The closure of `function(inner)`."""
    return lambda env: function(inner(env))
