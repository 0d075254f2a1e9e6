"""Sines and cosines as points of the circle: addition theorems, and signs by quadrants.

A trigonometric polynomial becomes a polynomial in `s = sin t`, `c = cos t` for a few base angles
t, with `s^2 + c^2 = 1`, which real algebra can decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from majorant.proofs.provers.domain import Bound, Domain
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

    def signs(self, domain: Domain) -> list[tuple[sympy.Expr, int, bool]]:
        """Triples (u, +-1, strict): sines and cosines whose sign the domain fixes."""
        found: list[tuple[sympy.Expr, int, bool]] = []
        for part, step in self.steps.items():
            if part.is_Symbol:
                low, high = domain.lower(part), domain.upper(part)
                if low is not None and high is not None:
                    ends = (Bound(step * b.value, b.strict) for b in (low, high))
                    found += _quadrants(step * part, *ends)
        for angle, (low, high) in self._sums(domain).items():
            if low is not None and high is not None:
                found += _quadrants(angle, low, high)
        return [(self.expand(u), sign, strict) for u, sign, strict in found]

    def _sums(self, domain: Domain) -> dict[sympy.Expr, list[Bound | None]]:
        """Sums of angles that the constraints bound by constants, with both ends."""
        ends: dict[sympy.Expr, list[Bound | None]] = {}
        for constraint in domain.constraints:
            constant, rest = sympy.expand(constraint.expr).as_independent(
                *constraint.expr.free_symbols, as_Add=True
            )
            parts = _parts(rest)
            if len(parts) < 2 or not set(parts) <= set(self.steps):
                continue
            upper = rest.could_extract_minus_sign()
            angle = -rest if upper else rest
            pair = ends.setdefault(angle, [_least(_parts(angle), domain), None])
            value = constant if upper else -constant
            if pair[upper] is None or sign_of_constant(value) == 1:
                pair[upper] = Bound(value, constraint.strict)
        return ends


def _least(parts: dict[sympy.Expr, sympy.Rational], domain: Domain) -> Bound | None:
    """0 as the lower end of a sum of angles that are not negative."""
    lows = [domain.lower(p) if p.is_Symbol else None for p in parts]
    if not all(f.is_positive for f in parts.values()):
        return None
    if not all(b is not None and sign_of_constant(b.value) in (0, 1) for b in lows):
        return None
    return Bound(sympy.Integer(0), any(b is not None and b.strict for b in lows))


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


def _quadrants(angle: sympy.Expr, low: Bound, high: Bound) -> list[tuple[sympy.Expr, int, bool]]:
    """What is known about sin and cos of an angle between two constants."""
    found: list[tuple[sympy.Expr, int, bool]] = []
    for turn in range(-4, 4):
        start = turn * _QUARTER
        below = sign_of_constant(low.value - start)
        above = sign_of_constant(start + 2 * _QUARTER - high.value)
        if below in (0, 1) and above in (0, 1):
            # sin >= 0 on [0, pi], cos <= 0 on [pi/2, 3 pi/2], ...
            kind = sympy.sin if turn % 2 == 0 else sympy.cos
            strict = (below == 1 or low.strict) and (above == 1 or high.strict)
            found.append((kind(angle), 1 if turn % 4 in (0, 3) else -1, strict))
    return found


def period(expr: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr | None:
    """A period of an expression that contains the variable in sines and cosines only."""
    rates = []
    replaced = expr
    for node in expr.atoms(sympy.sin, sympy.cos):
        rate = node.args[0].coeff(variable, 1)
        if not rate.is_Rational or rate == 0 or (node.args[0] - rate * variable).has(variable):
            return None
        rates.append(abs(rate))
        replaced = replaced.xreplace({node: sympy.Dummy()})
    if not rates or replaced.has(variable):
        return None
    common = sympy.ilcm(1, 1, *(r.q for r in rates))
    return 2 * sympy.pi * common if common < 50 else None
