"""A claim: `left relation right` under hypotheses, over real (or integer) variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.claims.conditions import Condition, conditions_of
from majorant.proofs.claims.hypothesis import Hypothesis

RELATIONS = ("<", "<=", "=", ">=", ">", "increasing", "decreasing", "monotone")


@dataclass(frozen=True)
class Claim:
    """`lhs relation rhs` whenever all hypotheses hold.

    `relation` is one of `<`, `<=`, `=`, `>=`, `>`; for `increasing`, `decreasing` and `monotone`
    `rhs` is the variable (in the weak sense: `increasing` allows constant stretches).
    `hypotheses` may be SymPy relationals or `Hypothesis` objects. Assumptions that SymPy symbols
    carry (`positive=True`, `integer=True`...) become hypotheses, and the claim's own symbols are
    merely real, so that nothing is assumed in silence. `conditions` and `given_conditions` say
    where the texts of the claim and of its hypotheses are defined; they are added to those read
    off the trees.

    Raises `UnsupportedExpression` for floating-point numbers (they are not what was written),
    infinite or complex constants, and unknown relations.

    >>> x = sympy.Symbol("x", positive=True)
    >>> print(Claim(sympy.log(x), "<=", x - 1))
    log(x) <= x - 1 given x > 0
    """

    lhs: sympy.Expr
    relation: str
    rhs: sympy.Expr
    hypotheses: tuple[Hypothesis, ...] = ()
    conditions: tuple[Condition, ...] = ()
    given_conditions: tuple[Condition, ...] = ()
    text: str = ""

    def __post_init__(self) -> None:
        relation = "=" if self.relation == "==" else self.relation
        if relation not in RELATIONS:
            raise UnsupportedExpression(
                f"relation {self.relation!r}: expected one of {', '.join(RELATIONS)}"
            )
        given = [Hypothesis.from_sympy(h) for h in self.hypotheses]
        lhs, rhs = sympy.sympify(self.lhs), sympy.sympify(self.rhs)
        symbols = lhs.free_symbols | rhs.free_symbols
        for hypothesis in given:
            symbols |= hypothesis.symbols
        renaming = {s: sympy.Symbol(s.name, real=True) for s in symbols}
        if len(set(renaming.values())) < len(renaming):
            raise UnsupportedExpression(
                "two different symbols of the claim have the same name: "
                + ", ".join(sorted(s.name for s in symbols))
            )
        assumed = [h for s in sorted(symbols, key=str) for h in _assumed(s, renaming[s])]
        given = [h.subs(renaming) for h in given]
        lhs, rhs = lhs.xreplace(renaming), rhs.xreplace(renaming)
        for expr in (lhs, rhs, *(h.left for h in given), *(h.right for h in given)):
            _refuse_inexact(expr)
        put = object.__setattr__
        put(self, "lhs", lhs)
        put(self, "rhs", rhs)
        put(self, "relation", relation)
        put(self, "hypotheses", _distinct([*given, *assumed]))
        trees = [c for side in (lhs, rhs) for c in conditions_of(side)]
        put(self, "conditions", _distinct([*self.conditions, *trees]))
        inner = [
            c for h in given for side in (h.left, h.right) for c in conditions_of(side)
        ]
        put(self, "given_conditions", _distinct([*self.given_conditions, *inner]))

    @property
    def variables(self) -> tuple[sympy.Symbol, ...]:
        """All variables of the claim and its hypotheses, in alphabetical order."""
        symbols = self.lhs.free_symbols | self.rhs.free_symbols
        for hypothesis in self.hypotheses:
            symbols |= hypothesis.symbols
        for condition in (*self.conditions, *self.given_conditions):
            for alternative in condition.alternatives:
                for _, expr in alternative:
                    symbols |= expr.free_symbols
        return tuple(sorted(symbols, key=lambda s: str(s.name)))

    @property
    def integers(self) -> set[sympy.Symbol]:
        """The variables that range over the integers."""
        return {h.left for h in self.hypotheses if h.relation == "integer"}

    def __str__(self) -> str:
        if self.relation in ("increasing", "decreasing", "monotone"):
            said = f"{self.lhs} is {self.relation} in {self.rhs}"
        else:
            said = f"{self.lhs} {self.relation} {self.rhs}"
        if self.hypotheses:
            said += " given " + ", ".join(str(h) for h in self.hypotheses)
        return said


def _distinct(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))


def _assumed(symbol: sympy.Symbol, fresh: sympy.Symbol) -> list[Hypothesis]:
    zero = sympy.Integer(0)
    found: list[Hypothesis] = []
    if symbol.is_positive:
        found.append(Hypothesis(fresh, ">", zero))
    elif symbol.is_negative:
        found.append(Hypothesis(fresh, "<", zero))
    elif symbol.is_nonnegative:
        found.append(Hypothesis(fresh, ">=", zero))
    elif symbol.is_nonpositive:
        found.append(Hypothesis(fresh, "<=", zero))
    elif symbol.is_nonzero:
        found.append(Hypothesis(fresh, "!=", zero))
    if symbol.is_integer:
        found.append(Hypothesis(fresh, "integer"))
    return found


def _refuse_inexact(expr: sympy.Expr) -> None:
    for number in expr.atoms(sympy.Float):
        raise UnsupportedExpression(
            f"floating-point number {number} in {expr}: write it as a Rational or as text, "
            "so that the claim says exactly what is meant"
        )
    if expr.has(sympy.I):
        raise UnsupportedExpression(f"complex number in {expr}: claims are about reals")
