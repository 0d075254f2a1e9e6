"""mpmath functions: an expression as a function of numbers, at any precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import sympy as sp
from mpmath import mp

from majorant.derivation.errors import UnusableInput
from majorant.numerics.lowering import mpmath_operations as ops
from majorant.numerics.lowering.arguments import argument_names, call_values
from majorant.numerics.lowering.backend import Backend
from majorant.numerics.lowering.walker import Compiler, Environment

GUARD_DIGITS = 15


def mpmath_function(
    expr: sp.Expr, args: Sequence[sp.Basic], digits: int = 50
) -> Callable[..., Any]:
    """A function of `args` that computes `expr` with `digits` significant digits (not rigorous).

    Values as in `ball_function`. NaN where the expression is undefined or not real. Raises
    `UnsupportedExpression` with node and path.

    >>> x = sp.Symbol("x", positive=True)
    >>> mpmath_function(sp.log(1 + x), [x], digits=20)(Fraction(1, 10**30))
    mpf('1.0e-30')
    """
    names = argument_names(args)
    compiler = Compiler(expr, names, BACKEND)

    def evaluate(*values: Any) -> Any:
        with mp.workdps(digits + GUARD_DIGITS):
            given = call_values(names, values, to_number)
            return mp.mpf(compiler.closure(Environment(given, [0] * compiler.slots)))

    return evaluate


def to_number(value: Any, name: str = "value") -> Any:
    """An mpmath number at the working precision; floats are the doubles that they are."""
    if isinstance(value, bool | complex):
        raise UnusableInput(f"{name}: expected a real number, got {value!r}")
    if isinstance(value, int | float | mpmath.mpf):
        return mp.mpf(value)
    if isinstance(value, str):
        value = Fraction(value)
    if isinstance(value, Fraction):
        return mp.mpf(value.numerator) / value.denominator
    if isinstance(value, sp.Rational):
        return mp.mpf(int(value.p)) / int(value.q)
    if isinstance(value, sp.Expr):
        return Compiler(value, {}, BACKEND).closure(Environment({}, []))
    if hasattr(value, "numerator") and hasattr(value, "denominator"):
        return mp.mpf(int(value.numerator)) / int(value.denominator)
    if hasattr(value, "item"):
        return to_number(value.item(), name)
    raise UnusableInput(f"{name}: expected a real number, got {type(value).__name__}")


def _constant(node: sp.Basic) -> Callable[[], Any]:
    if isinstance(node, sp.Rational):
        numerator, denominator = int(node.p), int(node.q)
        return lambda: mp.mpf(numerator) / denominator
    if isinstance(node, sp.Float):
        return _constant(sp.Rational(node))
    return lambda: node._to_mpmath(mp.prec)


def _to_integer(value: Any, node: sp.Basic) -> int:
    if not mp.isfinite(value) or value != mp.nint(value):
        raise UnusableInput(f"{node}: an index or a limit must be an integer, got {value}")
    return int(value)


BACKEND = Backend(
    name="mpmath",
    constant=_constant,
    integer=mp.mpf,
    to_integer=_to_integer,
    add=lambda x, y: x + y,
    multiply=lambda x, y: x * y,
    integer_power=ops.real(lambda x, n: x**n),
    power=ops.real(ops.power),
    compare=ops.compare,
    unite=lambda values: values[-1] if len(values) == 1 else ops.NAN,
    functions={
        name: ops.real(function)
        for name, function in {
            "exp": mp.exp,
            "log": ops.log,
            "log1p": mp.log1p,
            "expm1": mp.expm1,
            "sin": mp.sin,
            "cos": mp.cos,
            "tan": mp.tan,
            "asin": mp.asin,
            "acos": mp.acos,
            "atan": mp.atan,
            "atan2": mp.atan2,
            "sinh": mp.sinh,
            "cosh": mp.cosh,
            "tanh": mp.tanh,
            "asinh": mp.asinh,
            "acosh": mp.acosh,
            "atanh": mp.atanh,
            "sinc": mp.sinc,
            "erf": mp.erf,
            "erfc": mp.erfc,
            "gamma": mp.gamma,
            "loggamma": ops.loggamma,
            "digamma": mp.digamma,
            "polygamma": lambda n, x: mp.polygamma(int(n), x),
            "factorial": mp.factorial,
            "binomial": mp.binomial,
            "lambertw": mp.lambertw,
            "zeta": mp.zeta,
            "abs": abs,
            "sign": mp.sign,
            "floor": mp.floor,
            "ceiling": mp.ceil,
            "maximum": lambda *args: ops.propagate_nan(max, ops.NAN)(args),
            "minimum": lambda *args: ops.propagate_nan(min, ops.NAN)(args),
            "positive_power": ops.positive_power,
            "above": lambda x, tau: mp.mpf(x > tau),
            "bernoulli_kl": ops.bernoulli_kl,
            "kl_inverse": ops.kl_inverse,
            "log_plus": ops.log_plus,
            "extended_log": ops.extended_log,
            "log_add_exp": lambda *terms: ops.log_sum_exp(terms),
            "log_scaled": ops.log_scaled,
        }.items()
    },
    reductions={
        "sum_over": lambda members: sum(members, mp.mpf(0)),
        "product_over": ops.product,
        "min_over": ops.propagate_nan(min, mp.inf),
        "max_over": ops.propagate_nan(max, mp.ninf),
        "log_sum_exp_over": ops.log_sum_exp,
    },
)
