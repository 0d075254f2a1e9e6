"""A hypothesis: a relation between two expressions, or that a variable is an integer."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy.core.relational import Relational

from majorant.derivation.errors import UnsupportedExpression

RELATIONS = ("<", "<=", "=", ">=", ">", "!=")
_FROM_SYMPY = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


_ZERO = sympy.Integer(0)


@dataclass(frozen=True)
class Hypothesis:
    """`left relation right`; the relation `integer` says that `left` is an integer.

    >>> x = sympy.Symbol("x", real=True)
    >>> str(Hypothesis(x, ">", sympy.Integer(0)))
    'x > 0'
    """

    left: sympy.Expr
    relation: str
    right: sympy.Expr = _ZERO

    def __str__(self) -> str:
        if self.relation == "integer":
            return f"integer({self.left})"
        return f"{self.left} {self.relation} {self.right}"

    def subs(self, mapping: dict[sympy.Expr, sympy.Expr]) -> Hypothesis:
        """The hypothesis after a substitution."""
        return Hypothesis(self.left.subs(mapping), self.relation, self.right.subs(mapping))

    @property
    def symbols(self) -> set[sympy.Symbol]:
        """The variables that it mentions."""
        return self.left.free_symbols | self.right.free_symbols

    @classmethod
    def from_sympy(cls, relation: object) -> Hypothesis:
        """Read a SymPy relational; `False` becomes the impossible `1 <= 0`.

        >>> x = sympy.Symbol("x", real=True)
        >>> str(Hypothesis.from_sympy(x < 1))
        'x < 1'
        """
        if isinstance(relation, Hypothesis):
            return relation
        if relation is True or relation is sympy.true:
            return cls(sympy.Integer(0), "<=", sympy.Integer(1))
        if relation is False or relation is sympy.false:
            return cls(sympy.Integer(1), "<=", sympy.Integer(0))
        if isinstance(relation, Relational):
            return cls(relation.lhs, _FROM_SYMPY[relation.rel_op], relation.rhs)
        raise UnsupportedExpression(
            f"hypothesis {relation!r}: expected a relation such as x > 0, "
            f"got {type(relation).__name__}"
        )
