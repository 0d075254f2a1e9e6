"""Guarded constructors: SymPy nodes whose evaluation cannot run away.

SymPy evaluates numbers eagerly, so that `9^9^9` or `gamma(10^6)` would hang the reader. Each
constructor here estimates the size of the result first.
"""

from __future__ import annotations

import math

import sympy

from majorant.proofs.claims.functions import FUNCTIONS

MAX_BITS = 20_000
MAX_ARGUMENTS = 16


class TooLarge(ValueError):
    """A constant of the claim would need more than `MAX_BITS` bits."""


def rational_literal(text: str) -> sympy.Rational:
    """The exact value of a decimal literal.

    >>> rational_literal("0.1"), rational_literal("2.5e-3")
    (1/10, 1/400)
    """
    mantissa, _, exponent = text.lower().partition("e")
    shift = int(exponent) if exponent and len(exponent) < 8 else (10**7 if exponent else 0)
    if abs(shift) > 5000:
        raise TooLarge("the exponent of a literal must lie within -5000..5000")
    whole, _, fraction = mantissa.partition(".")
    value = sympy.Rational(int(whole + fraction or "0"), 10 ** len(fraction))
    return value * sympy.Integer(10) ** shift


def _bits(value: sympy.Rational) -> int:
    return max(int(abs(value.p)).bit_length(), int(value.q).bit_length())


def power(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    """`base**exponent`, refused when both are rational and the result is huge."""
    if exponent.is_Rational and _bits(exponent) > 200:
        raise TooLarge("this exponent is too large")
    if base.is_Rational and exponent.is_Rational:
        if _bits(base) * (abs(exponent) + 1) > MAX_BITS:
            raise TooLarge("this power is too large to be written out")
    elif exponent.is_Integer and not base.is_Symbol and abs(exponent) > 2000:
        raise TooLarge("a compound base may be raised to powers up to 2000")
    return base**exponent


def product(left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
    """`left*right`, with sums kept factored."""
    if left.is_Rational and right.is_Add:
        return sympy.Mul(left, right, evaluate=left in (0, 1, -1))
    return left * right


def call(name: str, arguments: list[sympy.Expr]) -> sympy.Expr:
    """A function of the table applied to its arguments."""
    if len(arguments) > MAX_ARGUMENTS:
        raise TooLarge(f"at most {MAX_ARGUMENTS} arguments are supported")
    if name in ("gamma", "lgamma", "factorial") and arguments[0].is_Rational:
        if abs(arguments[0]) > 1000:
            raise TooLarge(f"{name} of a constant beyond 1000")
    if name in ("floor", "ceil", "sign") and arguments[0].is_number:
        size = abs(arguments[0]).evalf(5)
        if not (size.is_Float and math.isfinite(float(size)) and size < 1e15):
            raise TooLarge(f"{name} of a constant of this size")
    if name == "pow":
        return power(arguments[0], arguments[1])
    return FUNCTIONS[name].build(*arguments)
