"""Side conditions: where an expression is defined as a real number.

They are collected while the text is read, before SymPy has a chance to simplify a division by
zero away (`x/x` becomes 1 at once, `0*log(x)` becomes 0), and again from finished SymPy trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy

#: What may be asked of an expression: `u > 0`, `u >= 0`, `u != 0`, `-1 <= u <= 1`, or that
#: `u` is no non-positive integer.
KINDS = ("positive", "nonnegative", "nonzero", "unit", "pole")


@dataclass(frozen=True)
class Condition:
    """`subject` must satisfy one of `alternatives`, each a conjunction of (kind, expression).

    >>> x = sympy.Symbol("x", real=True)
    >>> str(Condition.of("positive", x, "log(x)"))
    'x > 0 (for log(x))'
    """

    alternatives: tuple[tuple[tuple[str, sympy.Expr], ...], ...]
    subject: str

    @classmethod
    def of(cls, kind: str, expr: sympy.Expr, subject: str) -> Condition:
        """The condition with one alternative and one conjunct."""
        return cls((((kind, expr),),), subject)

    def subs(self, mapping: dict[sympy.Expr, sympy.Expr]) -> Condition:
        """The condition after a substitution of variables."""
        changed = tuple(
            tuple((kind, expr.subs(mapping)) for kind, expr in alternative)
            for alternative in self.alternatives
        )
        return Condition(changed, self.subject)

    def needed(self) -> str:
        """The hypothesis to add, as text."""
        return " or ".join(
            " and ".join(_phrase(kind, expr) for kind, expr in alternative)
            for alternative in self.alternatives
        )

    def __str__(self) -> str:
        return f"{self.needed()} (for {self.subject})"


def _phrase(kind: str, expr: sympy.Expr) -> str:
    forms = {
        "positive": "{} > 0",
        "nonnegative": "{} >= 0",
        "nonzero": "{} != 0",
        "unit": "-1 <= {} <= 1",
        "pole": "{} > 0",
    }
    return forms[kind].format(expr)


def power_condition(base: sympy.Expr, exponent: sympy.Expr, subject: str) -> Condition | None:
    """When `base**exponent` is a real number; None if always.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> print(power_condition(x, y, "x^y"))
    x > 0 or x >= 0 and y > 0 (for x^y)
    """
    if exponent.is_Integer:
        if exponent.is_nonnegative or (base.is_number and base.is_nonzero):
            return None
        return Condition.of("nonzero", base, subject)
    if (base.is_Rational and base.is_positive) or base in (sympy.E, sympy.pi):
        return None
    if exponent.is_Rational:
        kind = "nonnegative" if exponent.is_positive else "positive"
        return Condition.of(kind, base, subject)
    boundary = (("nonnegative", base), ("positive", exponent))
    return Condition(((("positive", base),), boundary), subject)


def conditions_of(expr: sympy.Expr) -> Iterator[Condition]:
    """The side conditions of a SymPy tree, outermost last, without duplicates.

    >>> x = sympy.Symbol("x", real=True)
    >>> sorted(str(c) for c in conditions_of(sympy.log(x - 1) / x))
    ['x != 0 (for 1/x)', 'x - 1 > 0 (for log(x - 1))']
    """
    seen: set[Condition] = set()
    for node in sympy.postorder_traversal(expr):
        condition = _own_condition(node)
        if condition is not None and condition not in seen:
            seen.add(condition)
            yield condition


def _own_condition(node: sympy.Basic) -> Condition | None:
    if isinstance(node, sympy.exp):
        return None
    if isinstance(node, sympy.Pow):
        return power_condition(node.base, node.exp, str(node))
    if isinstance(node, sympy.log):
        return Condition.of("positive", node.args[0], str(node))
    if isinstance(node, sympy.tan | sympy.sec):
        return Condition.of("nonzero", sympy.cos(node.args[0]), str(node))
    if isinstance(node, sympy.cot | sympy.csc):
        return Condition.of("nonzero", sympy.sin(node.args[0]), str(node))
    if isinstance(node, sympy.coth | sympy.csch):
        return Condition.of("nonzero", node.args[0], str(node))
    if isinstance(node, sympy.asin | sympy.acos):
        return Condition.of("unit", node.args[0], str(node))
    if isinstance(node, sympy.atanh):
        return Condition.of("positive", 1 - node.args[0] ** 2, str(node))
    if isinstance(node, sympy.acosh):
        return Condition.of("nonnegative", node.args[0] - 1, str(node))
    if isinstance(node, sympy.gamma | sympy.loggamma):
        return Condition.of("pole", node.args[0], str(node))
    return None
