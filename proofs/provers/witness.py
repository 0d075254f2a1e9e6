"""Confirmation of a counterexample: exact point, balls, certainly on the wrong side."""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from flint import arb

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.hypothesis import Hypothesis
from majorant.proofs.claims.verdict import Witness
from majorant.proofs.provers.enclosure import Precision, evaluate, point
from majorant.proofs.provers.exact import sign_of_constant
from majorant.proofs.provers.interval import Interval
from majorant.proofs.provers.program import Program

#: Rational coordinates, except where a hypothesis such as x + y = pi leaves none.
Point = dict[sympy.Symbol, sympy.Expr]
_BITS = (64, 160, 512, 1600)
_LARGE = 10**6


def compare(left: sympy.Expr, right: sympy.Expr, values: Point) -> int | None:
    """The certain sign of `right - left` at a rational point, None if it stays open."""
    symbols = list(values)
    try:
        program = Program([left, right, right - left], symbols)
    except UnsupportedExpression:
        return None
    for bits in _BITS:
        with Precision(bits):
            box = [point(values[s]) for s in symbols]
            first, second, gap = evaluate(program, box)
        if not _number(first) or not _number(second):
            continue
        for a, b in ((first, second), (Interval(arb(0), arb(0)), gap)):
            if b.lo > a.hi:
                return 1
            if b.hi < a.lo:
                return -1
    if _too_heavy(right - left, values):
        return None
    exact = (right - left).subs(values)
    return sign_of_constant(exact) if exact.is_number else None


def _too_heavy(gap: sympy.Expr, values: Point) -> bool:
    """Whether SymPy would factor large numbers to write out their broken powers."""
    numbers = [n for v in values.values() for n in v.atoms(sympy.Rational)]
    if all(abs(n.p) < _LARGE and n.q < _LARGE for n in numbers):
        return False
    return any(n.exp.free_symbols for n in gap.atoms(sympy.Pow, sympy.exp))


def _number(value: Interval) -> bool:
    return value.bounded


def hypothesis_holds(hypothesis: Hypothesis, values: Point) -> bool:
    """Whether a hypothesis is certainly true at a rational point."""
    if hypothesis.relation == "integer":
        return bool(hypothesis.left.subs(values).is_Integer)
    if not hypothesis.symbols <= set(values):
        return False
    sign = compare(hypothesis.left, hypothesis.right, values)
    if sign is None:
        return False
    return sign in _ALLOWED[hypothesis.relation]


_ALLOWED = {
    "<": (1,),
    "<=": (0, 1),
    "=": (0,),
    ">=": (0, -1),
    ">": (-1,),
    "!=": (1, -1),
}


def conditions_hold(claim: Claim, values: Point) -> bool:
    """Whether all that the claim mentions is certainly defined at a rational point."""
    for condition in (*claim.conditions, *claim.given_conditions):
        if not any(
            all(kind_holds(kind, expr, values) for kind, expr in alternative)
            for alternative in condition.alternatives
        ):
            return False
    return True


def kind_holds(kind: str, expr: sympy.Expr, values: Point) -> bool:
    """Whether one requirement of `conditions.KINDS` is certainly met at a point."""
    zero = sympy.Integer(0)
    if kind == "unit":
        below = compare(expr, sympy.Integer(1), values)
        above = compare(sympy.Integer(-1), expr, values)
        return below in (0, 1) and above in (0, 1)
    sign = compare(zero, expr, values)
    if kind == "pole":
        return sign == 1
    return sign in {"positive": (1,), "nonnegative": (0, 1), "nonzero": (1, -1)}[kind]


def feasible(claim: Claim, values: Point) -> bool:
    """Whether all hypotheses certainly hold at a rational point."""
    return all(hypothesis_holds(h, values) for h in claim.hypotheses)


def confirm(claim: Claim, values: Point) -> Witness | None:
    """The witness, if the claim is certainly false at this point of its domain."""
    if set(claim.variables) - set(values):
        return None
    sign = compare(claim.lhs, claim.rhs, values)
    if sign is None or sign in _ALLOWED[claim.relation]:
        return None
    if not feasible(claim, values) or not conditions_hold(claim, values):
        return None
    left, right = _told_apart(claim, values)
    return Witness(
        {str(s): str(v) for s, v in values.items()},
        left,
        right,
        blame(claim.lhs, claim.relation, claim.rhs, values),
    )


def shown(expr: sympy.Expr, values: Point, digits: int = 20) -> str:
    """A value as a ball, as text."""
    symbols = list(values)
    with Precision(400):
        value = evaluate(Program([expr], symbols), [point(values[s]) for s in symbols])[0]
        return str(value.lo.union(value.hi).str(digits))


def _told_apart(claim: Claim, values: Point) -> tuple[str, str]:
    """Both values with enough digits to see that they differ (up to 80), if they do."""
    for digits in (20, 40, 80):
        left, right = shown(claim.lhs, values, digits), shown(claim.rhs, values, digits)
        if left.split(" +/-")[0] != right.split(" +/-")[0]:
            return left, right
    return shown(claim.lhs, values), shown(claim.rhs, values)


def blame(left: sympy.Expr, relation: str, right: sympy.Expr, values: Point) -> str:
    """The smallest part that already fails: common terms, factors and functions peeled off."""
    for _ in range(20):
        smaller = _peel(left, right, values)
        if smaller is None:
            break
        left, right = smaller
    return f"{left} {relation} {right}"


def _positive(expr: sympy.Expr, values: Point) -> bool:
    return compare(sympy.Integer(0), expr, values) == 1


def _peel(
    left: sympy.Expr, right: sympy.Expr, values: Point
) -> tuple[sympy.Expr, sympy.Expr] | None:
    increasing = (sympy.exp, sympy.log, sympy.atan, sympy.tanh, sympy.sinh, sympy.erf)
    for kind in increasing:
        if isinstance(left, kind) and isinstance(right, kind):
            return left.args[0], right.args[0]
    shared = set(sympy.Add.make_args(left)) & set(sympy.Add.make_args(right))
    if shared and not (left == right):
        common = sympy.Add(*shared)
        return left - common, right - common
    factors = set(sympy.Mul.make_args(left)) & set(sympy.Mul.make_args(right))
    positive = [f for f in factors if f != 1 and _positive(f, values)]
    if positive and left != right:
        common = sympy.Mul(*positive)
        return left / common, right / common
    chosen = _attained(left, values, left), _attained(right, values, right)
    if chosen != (left, right):
        return chosen
    return None


def _attained(expr: sympy.Expr, values: Point, default: sympy.Expr) -> sympy.Expr:
    if not isinstance(expr, sympy.Max | sympy.Min):
        return default
    for argument in expr.args:
        others: Sequence[sympy.Expr] = [a for a in expr.args if a != argument]
        signs = [compare(argument, other, values) for other in others]
        if isinstance(expr, sympy.Max) and all(s in (0, -1) for s in signs):
            return argument
        if isinstance(expr, sympy.Min) and all(s in (0, 1) for s in signs):
            return argument
    return default
