"""Domains: variables under constraints `expr >= 0` or `expr > 0`.

Dropping a constraint only makes a domain larger, so every method that reads bounds off the
constraints may ignore the ones that it does not understand.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy

from majorant.proofs.provers.exact import sign_of_constant


@dataclass(frozen=True)
class Constraint:
    """`expr > 0` if strict, else `expr >= 0`."""

    expr: sympy.Expr
    strict: bool

    def __str__(self) -> str:
        return f"{self.expr} {'>' if self.strict else '>='} 0"


@dataclass(frozen=True)
class Bound:
    """One end of a variable's range: an expression, and whether it is excluded."""

    value: sympy.Expr
    strict: bool


@dataclass(frozen=True)
class Domain:
    """Variables, constraints, and which variables are integers.

    >>> x = sympy.Symbol("x", real=True)
    >>> d = Domain((x,), (Constraint(x - 1, True), Constraint(3 - 2 * x, False)))
    >>> d.lower(x), d.upper(x).value
    (Bound(value=1, strict=True), 3/2)
    """

    variables: tuple[sympy.Symbol, ...]
    constraints: tuple[Constraint, ...]
    integers: frozenset[sympy.Symbol] = field(default=frozenset())

    def lower(self, variable: sympy.Symbol) -> Bound | None:
        """The greatest constant lower end, None if there is none."""
        return _extreme([b for b in self.ends(variable)[0] if b.value.is_number], 1)

    def upper(self, variable: sympy.Symbol) -> Bound | None:
        """The least constant upper end, None if there is none."""
        return _extreme([b for b in self.ends(variable)[1] if b.value.is_number], -1)

    def ends(self, variable: sympy.Symbol) -> tuple[list[Bound], list[Bound]]:
        """All lower and upper ends that linear constraints with a constant slope give."""
        lowers: list[Bound] = []
        uppers: list[Bound] = []
        for constraint in self.constraints:
            slope = slope_in(constraint.expr, variable)
            if slope is None:
                continue
            sign = sign_of_constant(slope)
            if sign:
                value = expand_outside(variable - constraint.expr / slope)
                (lowers if sign > 0 else uppers).append(Bound(value, constraint.strict))
        return lowers, uppers

    def only_linear_in(self, variable: sympy.Symbol) -> bool:
        """Whether every constraint on the variable is linear in it with a constant slope."""
        return all(
            slope_in(c.expr, variable) is not None
            for c in self.constraints
            if c.expr.has(variable)
        )

    def adding(self, *constraints: Constraint) -> Domain:
        """The domain with more constraints."""
        return Domain(
            self.variables,
            tuple(dict.fromkeys([*self.constraints, *constraints])),
            self.integers,
        )

    def without(self, variable: sympy.Symbol) -> Domain:
        """The projection that forgets a variable, its constraints become those on its ends."""
        kept = [c for c in self.constraints if not c.expr.has(variable)]
        lowers, uppers = self.ends(variable)
        for low in lowers:
            for high in uppers:
                gap = expand_outside(high.value - low.value)
                if not gap.is_number:
                    kept.append(Constraint(gap, low.strict or high.strict))
        return Domain(
            tuple(v for v in self.variables if v != variable),
            tuple(dict.fromkeys(kept)),
            self.integers - {variable},
        )

    def opened(self, variable: sympy.Symbol) -> Domain:
        """The interior in one variable: its constraints become strict."""
        return Domain(
            self.variables,
            tuple(
                Constraint(c.expr, c.strict or c.expr.has(variable)) for c in self.constraints
            ),
            self.integers,
        )

    def subs(self, mapping: dict[sympy.Expr, sympy.Expr]) -> tuple[Constraint, ...]:
        """The constraints after a substitution."""
        return tuple(Constraint(c.expr.subs(mapping), c.strict) for c in self.constraints)

    def __str__(self) -> str:
        return ", ".join(map(str, self.constraints)) or "no constraint"


def expand_outside(expr: sympy.Expr) -> sympy.Expr:
    """The expression expanded, the arguments of functions and of other powers as they are.

    >>> p, q = sympy.symbols("p q", real=True)
    >>> expand_outside(2 * (p - sympy.log((1 - p) / (1 - q))))
    2*p - 2*log((1 - p)/(1 - q))
    """
    marks: dict[sympy.Expr, sympy.Expr] = {}
    for node in expr.atoms(sympy.Function, sympy.Pow):
        if isinstance(node, sympy.Function) or not node.exp.is_Integer:
            marks[node] = sympy.Dummy()
    back = {mark: node for node, mark in marks.items()}
    return sympy.expand(expr.xreplace(marks)).xreplace(back)


def slope_in(expr: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr | None:
    """The constant slope of an expression that is linear in a variable, else None."""
    if not expr.has(variable):
        return None
    slope = expand_outside(expr).coeff(variable, 1)
    if slope.is_number and not expand_outside(expr - slope * variable).has(variable):
        return slope
    return None


def _extreme(bounds: list[Bound], direction: int) -> Bound | None:
    best: Bound | None = None
    for bound in bounds:
        if best is None:
            best = bound
            continue
        sign = sign_of_constant(direction * (bound.value - best.value))
        if sign == 1 or (sign == 0 and bound.strict):
            best = bound
    return best
