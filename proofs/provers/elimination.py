"""Equalities among hypotheses, solved for variables.

Every alternative that is returned follows from the equalities under the hypotheses, and together
the alternatives cover all solutions: `x^2 + y^2 = 1` gives `x = sqrt(1 - y^2)` and its negative,
both with `1 - y^2 >= 0`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import sympy

from majorant.proofs.claims.claim import Claim
from majorant.proofs.provers.domain import Constraint, Domain, expand_outside
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.outcome import Clock

Root = tuple[sympy.Expr, tuple[Constraint, ...]]
Sign = Callable[[sympy.Expr], tuple[int | None, bool]]


@dataclass(frozen=True)
class Solution:
    """Variables in terms of the others, what that needs, and equalities that stay."""

    solved: tuple[tuple[sympy.Symbol, sympy.Expr], ...] = ()
    constraints: tuple[Constraint, ...] = ()
    unsolved: tuple[sympy.Expr, ...] = ()
    mapping: dict[sympy.Symbol, sympy.Expr] = field(default_factory=dict, compare=False)

    def with_root(self, variable: sympy.Symbol, root: Root) -> Solution:
        """One more variable solved, put into those solved before."""
        value, needed = root
        earlier = tuple((v, e.subs(variable, value)) for v, e in self.solved)
        kept = tuple(Constraint(c.expr.subs(variable, value), c.strict) for c in self.constraints)
        solved = (*earlier, (variable, value))
        return Solution(solved, (*kept, *needed), self.unsolved, dict(solved))


def solutions(claim: Claim, bounded: Domain) -> list[Solution]:
    """The alternatives that the equalities of a claim leave; `bounded` holds its inequalities.

    >>> from majorant.proofs.claims import parse_claim
    >>> claim = parse_claim("x <= 1", "x^2 + y^2 = 1, x >= 0, y >= 0")
    >>> x, y = claim.variables
    >>> domain = Domain((x, y), (Constraint(x, False), Constraint(y, False)))
    >>> [s.solved for s in solutions(claim, domain)]
    [((y, sqrt(1 - x**2)),)]
    """
    signs = Engine(Clock.of(1.0), ())

    def sign(expr: sympy.Expr) -> tuple[int | None, bool]:
        return signs.sign(sympy.factor(expr), bounded)

    found = [Solution()]
    for hypothesis in claim.hypotheses:
        if hypothesis.relation != "=":
            continue
        longer: list[Solution] = []
        for solution in found:
            gap = (hypothesis.left - hypothesis.right).subs(solution.mapping)
            longer += _solved(solution, gap, claim, sign)
        found = longer
    return found


def _solved(
    solution: Solution, gap: sympy.Expr, claim: Claim, sign: Sign
) -> list[Solution]:
    symbols = [s for s in gap.free_symbols if s not in claim.integers]
    symbols.sort(key=str, reverse=True)
    symbols.sort(key=lambda s: sign(s)[0] is None)  # a known sign leaves one root of two
    plain = expand_outside(gap)  # definitions such as r = sin(x)/x stay as they are written
    gap = sympy.expand(sympy.numer(sympy.together(gap)))
    if gap == 0:
        return [solution]
    for form, attempts in ((plain, _ATTEMPTS[:1]), (gap, _ATTEMPTS)):
        for attempt in attempts:
            for variable in symbols:
                roots = attempt(form, variable, sign)
                if roots:
                    return [solution.with_root(variable, root) for root in roots]
    kept = (*solution.unsolved, gap)
    return [Solution(solution.solved, solution.constraints, kept, solution.mapping)]


def _linear(
    gap: sympy.Expr, variable: sympy.Symbol, sign: Sign
) -> list[Root]:
    """slope * v + rest with a constant slope."""
    found = _coefficients(gap, variable)
    if found is None or not found[0].is_number:
        return []
    slope, rest = found
    return [(expand_outside(-rest / slope), ())]


def _linear_signed(
    gap: sympy.Expr, variable: sympy.Symbol, sign: Sign
) -> list[Root]:
    """slope * v + rest with a slope that the hypotheses keep away from 0."""
    found = _coefficients(gap, variable)
    if found is None or not _never_zero(found[0], sign):
        return []
    slope, rest = found
    return [(sympy.cancel(-rest / slope), ())]


def _never_zero(expr: sympy.Expr, sign: Sign) -> bool:
    known, certain = sign(expr)
    return certain and known in (1, -1)


def _coefficients(
    gap: sympy.Expr, variable: sympy.Symbol
) -> tuple[sympy.Expr, sympy.Expr] | None:
    if not gap.is_polynomial(variable):
        return None
    poly = sympy.Poly(gap, variable)
    if poly.degree() != 1:
        return None
    slope, rest = poly.all_coeffs()
    return slope, rest


def _quadratic(
    gap: sympy.Expr, variable: sympy.Symbol, sign: Sign
) -> list[Root]:
    """a v^2 + b v + c with a of constant sign: two roots where the discriminant allows them."""
    if not gap.is_polynomial(variable):
        return []
    poly = sympy.Poly(gap, variable)
    if poly.degree() != 2:
        return []
    a, b, c = poly.all_coeffs()
    if not (a.is_number and a.is_nonzero):
        return []
    inside = sympy.expand((b**2 - 4 * a * c) / (4 * a**2))
    needed = () if inside.is_number else (Constraint(inside, False),)
    middle, root = sympy.expand(-b / (2 * a)), sympy.sqrt(inside)
    if inside.is_number and inside.is_negative:
        return []
    known, _ = sign(variable)
    if b == 0 and known in (1, -1):
        return [(known * root, needed)]
    return [(middle + root, needed), (middle - root, needed)]


def _peeled(
    gap: sympy.Expr, variable: sympy.Symbol, sign: Sign
) -> list[Root]:
    """k * g(v) + rest with g = log, exp or a power of a positive variable."""
    inside = [t for t in sympy.Add.make_args(gap) if t.has(variable)]
    if len(inside) != 1:
        return []
    factor, node = inside[0].as_independent(variable, as_Add=False)
    if not _never_zero(factor, sign):
        return []
    value = sympy.cancel(-(gap - inside[0]) / factor)
    if isinstance(node, sympy.log) and node.args[0] == variable:
        return [(sympy.exp(value), ())]
    if isinstance(node, sympy.exp) and node.args[0] == variable:
        return [(sympy.log(value), () if value.is_number else (Constraint(value, True),))]
    base, exponent = node.as_base_exp()
    if base == variable and exponent.is_Rational and sign(variable) == (1, True):
        needed = () if value.is_number else (Constraint(value, True),)
        return [(value ** (1 / exponent), needed)]
    return []


_ATTEMPTS: tuple[
    Callable[[sympy.Expr, sympy.Symbol, Sign], list[Root]], ...
] = (_linear, _linear_signed, _quadratic, _peeled)
