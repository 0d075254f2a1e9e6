"""Sines and cosines as points of the circle: addition theorems, and signs by quadrants.

A trigonometric polynomial becomes a polynomial in `s = sin t`, `c = cos t` for a few base angles
t, with `s^2 + c^2 = 1`, which real algebra can decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from majorant.proofs.provers.domain import Domain
from majorant.proofs.provers.exact import sign_of_constant

MAX_MULTIPLE = 6
_QUARTER = sympy.pi / 2


@dataclass(frozen=True)
class Circles:
    """Base angles: for each part m of the angles, the rational step g such that all are
    multiples of g m."""

    steps: dict[sympy.Expr, sympy.Rational]

    @classmethod
    def of(cls, expr: sympy.Expr) -> Circles | None:
        """The base angles of an expression; None without sines and cosines, or if they differ
        by too large multiples."""
        nodes = expr.atoms(sympy.sin, sympy.cos, sympy.tan)
        steps: dict[sympy.Expr, sympy.Rational] = {}
        found: list[dict[sympy.Expr, sympy.Rational]] = [_parts(n.args[0]) for n in nodes]
        for parts in found:
            for part, factor in parts.items():
                steps[part] = sympy.gcd(steps.get(part, sympy.Integer(0)), factor)
        multiples = [abs(f / steps[p]) for parts in found for p, f in parts.items()]
        if not steps or len(steps) > 3 or max(multiples) > MAX_MULTIPLE:
            return None
        return cls(steps)

    def expand(self, expr: sympy.Expr) -> sympy.Expr:
        """The expression in sines and cosines of the base angles only.

        >>> x, y = sympy.symbols("x y", real=True)
        >>> Circles({x: sympy.Integer(1), y: sympy.Integer(1)}).expand(sympy.sin(x + y))
        sin(x)*cos(y) + sin(y)*cos(x)
        """
        back: dict[sympy.Expr, sympy.Expr] = {}
        there = {}
        for part, step in self.steps.items():
            angle = sympy.Dummy("t", real=True)
            back[angle] = step * part
            there[part] = angle / step
        opened = {}
        for node in expr.atoms(sympy.sin, sympy.cos, sympy.tan):
            angle = sympy.expand(node.args[0]).subs(there)
            if isinstance(node, sympy.tan):
                value = sympy.expand_trig(sympy.sin(angle)) / sympy.expand_trig(sympy.cos(angle))
            else:
                value = sympy.expand_trig(node.func(angle))
            opened[node] = value.xreplace(back)
        return expr.xreplace(opened)

    def signs(self, domain: Domain) -> list[tuple[sympy.Expr, int]]:
        """Pairs (u, +-1): sines and cosines whose sign the domain fixes."""
        found: list[tuple[sympy.Expr, int]] = []
        for part, step in self.steps.items():
            if part.is_Symbol:
                low, high = domain.lower(part), domain.upper(part)
                if low is not None and high is not None:
                    found += _quadrants(step * part, step * low.value, step * high.value)
        for constraint in domain.constraints:
            angle = sympy.expand(constraint.expr)
            constant, rest = angle.as_independent(*angle.free_symbols, as_Add=True)
            parts = _parts(-rest)
            if rest == 0 or not set(parts) <= set(self.steps):
                continue
            if all(f.is_positive and _not_negative(p, domain) for p, f in parts.items()):
                found += _quadrants(angle, sympy.Integer(0), constant)
                found += _quadrants(sympy.expand(-rest), sympy.Integer(0), constant)
        return [(self.expand(u), sign) for u, sign in found]


def _parts(angle: sympy.Expr) -> dict[sympy.Expr, sympy.Rational]:
    """The angle as a rational combination of its parts, constants left out."""
    parts: dict[sympy.Expr, sympy.Rational] = {}
    for term in sympy.Add.make_args(sympy.expand(angle)):
        factor, part = term.as_coeff_Mul()
        if part.free_symbols:
            if not factor.is_Rational:
                factor, part = sympy.Integer(1), term
            parts[part] = factor
    return parts


def _not_negative(part: sympy.Expr, domain: Domain) -> bool:
    low = domain.lower(part) if part.is_Symbol else None
    return low is not None and sign_of_constant(low.value) in (0, 1)


def _within(low: sympy.Expr, high: sympy.Expr, a: sympy.Expr, b: sympy.Expr) -> bool:
    return sign_of_constant(low - a) in (0, 1) and sign_of_constant(b - high) in (0, 1)


def _quadrants(
    angle: sympy.Expr, low: sympy.Expr, high: sympy.Expr
) -> list[tuple[sympy.Expr, int]]:
    """What is known about sin and cos of an angle between two constants."""
    found: list[tuple[sympy.Expr, int]] = []
    for turn in range(-4, 4):
        start = turn * _QUARTER
        if _within(low, high, start, start + 2 * _QUARTER):
            # sin >= 0 on [0, pi], cos <= 0 on [pi/2, 3 pi/2], ...
            kind = sympy.sin if turn % 2 == 0 else sympy.cos
            found.append((kind(angle), 1 if turn % 4 in (0, 3) else -1))
    return found
