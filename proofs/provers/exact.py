"""The sign of a constant: balls decide what is not zero, algebra decides what is."""

from __future__ import annotations

from functools import lru_cache

import sympy
from flint import fmpq

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers.enclosure import Precision, evaluate
from majorant.proofs.provers.interval import Interval
from majorant.proofs.provers.program import Program

_BITS = (64, 192, 640, 2048)


@lru_cache(maxsize=4096)
def sign_of_constant(expr: sympy.Expr) -> int | None:
    """-1, 0 or 1 with certainty; None if it could not be decided.

    Zero is only returned for a formal identity (rational arithmetic, logarithms of primes,
    radicals, minimal polynomials), never because a number looks small.

    >>> sign_of_constant(sympy.log(8) - 3 * sympy.log(2)), sign_of_constant(sympy.pi - 3)
    (0, 1)
    """
    if expr.is_Rational:
        return int(sympy.sign(expr))
    if expr.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo, sympy.I) or expr.free_symbols:
        return None
    try:
        program = Program([expr], [])
    except UnsupportedExpression:
        return None
    for bits in _BITS:
        with Precision(bits):
            value = evaluate(program, [])[0]
        if value.lo > 0:
            return 1
        if value.hi < 0:
            return -1
        if value.lo == 0 and value.hi == 0:
            return 0
        if bits == _BITS[1] and is_formally_zero(expr):
            return 0
    return None


_SAMPLES = ((37, 19, 101), (113, 41, 59), (11, 7, 301))


def differs_from_zero(expr: sympy.Expr) -> bool:
    """Whether balls show that an expression is not 0 at one of a few positive rational points."""
    symbols = sorted(expr.free_symbols, key=str)
    try:
        program = Program([expr], symbols)
    except UnsupportedExpression:
        return False
    for first, step, below in _SAMPLES:
        point = [
            Interval.rational(fmpq(first + step * k, below + k)) for k in range(len(symbols))
        ]
        with Precision(96):
            value = evaluate(program, point)[0]
        if value.bounded and (value.lo > 0 or value.hi < 0):
            return True
    return False


def _heavy(expr: sympy.Expr) -> bool:
    """Whether numbers are so large that SymPy would write out enormous powers."""
    for number in expr.atoms(sympy.Rational):
        if abs(number.p) > 10**60 or number.q > 10**60:
            return True
    for power in expr.atoms(sympy.Pow, sympy.exp):
        if power.exp.is_number and not abs(power.exp.evalf(5)) < 200:
            return True
    return False


@lru_cache(maxsize=4096)
def is_formally_zero(expr: sympy.Expr) -> bool:
    """Whether algebra shows that an expression is 0 (False: not shown).

    >>> x = sympy.Symbol("x", real=True)
    >>> is_formally_zero((x + 1) ** 2 - x**2 - 2 * x - 1)
    True
    """
    if expr == 0:
        return True
    if expr.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo) or _heavy(expr):
        return False
    if differs_from_zero(expr):
        return False
    if expr.is_number and expr.is_algebraic:
        try:
            return bool(sympy.minimal_polynomial(expr) == sympy.Symbol("x"))
        except (NotImplementedError, ValueError, TypeError):
            return False
    for step in (_expanded, _rational_normal, _collected, _trigonometric, _recurrence):
        try:
            if step(expr) == 0:
                return True
        except (NotImplementedError, ValueError, TypeError, AttributeError, RecursionError):
            continue
    return False


def _expanded(expr: sympy.Expr) -> sympy.Expr:
    opened = sympy.expand_log(sympy.expand(expr), factor=True)
    return sympy.expand(sympy.powsimp(opened))


def _rational_normal(expr: sympy.Expr) -> sympy.Expr:
    opened = sympy.expand_log(sympy.powdenest(expr), factor=True)
    top = sympy.numer(sympy.together(sympy.expand(opened)))
    top = sympy.powsimp(sympy.expand(sympy.expand_power_base(top)))
    return sympy.expand(sympy.expand_log(top, factor=True))


def _trigonometric(expr: sympy.Expr) -> sympy.Expr:
    if not expr.has(sympy.sin, sympy.cos, sympy.tan, sympy.sinh, sympy.cosh, sympy.tanh):
        return expr
    if sympy.count_ops(expr) > 80:
        return expr
    rewritten = expr.rewrite(sympy.exp)
    return sympy.expand(sympy.powsimp(sympy.expand(sympy.numer(sympy.together(rewritten)))))


def _recurrence(expr: sympy.Expr) -> sympy.Expr:
    """Gamma(u + 1) = u Gamma(u) and what follows for its logarithm and their derivatives."""
    if not expr.has(sympy.gamma, sympy.loggamma, sympy.polygamma):
        return expr
    opened = {}
    for node in expr.atoms(sympy.loggamma):
        shift, rest = node.args[0].as_coeff_Add()
        steps = int(sympy.floor(shift)) if abs(shift) < 20 else 0
        if steps > 0 and rest != 0:
            base = node.args[0] - steps
            logs = [sympy.log(base + k) for k in range(steps)]
            opened[node] = sympy.Add(sympy.loggamma(base), *logs)
    return sympy.expand(sympy.expand_func(expr.xreplace(opened)))


def _collected(expr: sympy.Expr) -> sympy.Expr:
    """Each term as a product of bases to normalized exponents, then a common denominator."""
    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(expr)):
        exponents: dict[sympy.Expr, sympy.Expr] = {}
        for base, exponent in _powers(term, sympy.Integer(1)):
            exponents[base] = exponents.get(base, sympy.Integer(0)) + exponent
        parts = []
        for base, exponent in exponents.items():
            whole = sympy.apart(sympy.cancel(exponent)) if exponent.free_symbols else exponent
            parts.append(sympy.Pow(base, whole))
        total += sympy.powsimp(sympy.Mul(*parts))
    return sympy.expand(sympy.numer(sympy.together(sympy.expand(total, power_exp=True))))


def _powers(
    term: sympy.Expr, outer: sympy.Expr
) -> list[tuple[sympy.Expr, sympy.Expr]]:
    """Bases and exponents of a product; powers of powers are merged over positive bases only."""
    found: list[tuple[sympy.Expr, sympy.Expr]] = []
    for factor in sympy.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        whole = exponent * outer
        inner = base.base if isinstance(base, sympy.Pow) else None
        if base.is_Mul and all(a.is_positive for a in base.args):
            found += _powers(base, whole)
        elif inner is not None and inner.is_positive:
            found += _powers(inner, base.exp * whole)
        else:
            found.append((base, whole))
    return found
