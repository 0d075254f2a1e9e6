"""Ball functions: an expression as a function that returns a rigorous enclosure.

This module and what it imports (not torch) are part of what a certificate's checker trusts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq, fmpz

from majorant.derivation.errors import UnsupportedExpression, UnusableInput
from majorant.numerics.lowering import ball_operations as ops
from majorant.numerics.lowering.arguments import argument_names, call_values
from majorant.numerics.lowering.backend import Backend
from majorant.numerics.lowering.ball_kl import kl_inverse
from majorant.numerics.lowering.walker import Compiler, Environment


def ball_function(
    expr: sp.Expr, args: Sequence[sp.Basic], prec: int = 128
) -> Callable[..., arb]:
    """A function of `args` that returns a ball containing `expr`, at `prec` bits.

    `args` are Symbols and IndexedBases; values are numbers (int, Fraction, float taken as the
    double that it is, decimal string enclosed, ball) and, for families, nested sequences whose
    first entry has index 1. A NaN ball means that nothing is known (an undefined term, an
    undecided branch that is undefined). Raises `UnsupportedExpression` with node and path, and
    `UnusableInput` for values that do not fit.

    >>> x = sp.Symbol("x", positive=True)
    >>> value = ball_function(sp.log(1 + x), [x])(Fraction(1, 3))
    >>> bool(value > arb("0.2876")) and bool(value < arb("0.2877"))
    True
    >>> ball_function(sp.log(x), [x])(0).is_nan()
    True
    """
    names = argument_names(args)
    compiler = Compiler(expr, names, BACKEND)

    def evaluate(*values: Any) -> arb:
        with ctx.workprec(prec):
            given = call_values(names, values, to_ball)
            return compiler.closure(Environment(given, [0] * compiler.slots))

    return evaluate


def to_ball(value: Any, name: str = "value") -> arb:
    """A ball that contains `value`; floats are the doubles that they are.

    >>> to_ball("0.1").contains(fmpq(1, 10)), to_ball(0.1).contains(fmpq(1, 10))
    (True, False)
    """
    if isinstance(value, arb):
        return value
    if isinstance(value, bool | complex):
        raise UnusableInput(f"{name}: expected a real number, got {value!r}")
    if isinstance(value, int | float | fmpz | fmpq):
        return arb(value)
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    if isinstance(value, str):
        return to_ball(Fraction(value), name)
    if isinstance(value, sp.Rational):
        return arb(fmpq(int(value.p), int(value.q)))
    if isinstance(value, sp.Expr):
        return Compiler(value, {}, BACKEND).closure(Environment({}, []))
    if hasattr(value, "_mpf_"):
        return arb(value)
    if hasattr(value, "item"):
        return to_ball(value.item(), name)
    raise UnusableInput(f"{name}: expected a real number, got {type(value).__name__}")


def ends(ball: arb) -> tuple[Fraction, Fraction]:
    """Exact rational ends of a finite ball.

    >>> ends(arb(2) + arb(1) / 2)
    (Fraction(5, 2), Fraction(5, 2))
    """
    if not ball.is_finite():
        raise UnusableInput(f"{ball}: not a finite ball, its ends are not numbers")
    return _fraction(ball.lower()), _fraction(ball.upper())


def _fraction(exact: arb) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _constant(node: sp.Basic) -> Callable[[], arb]:
    if isinstance(node, sp.Rational):
        value = fmpq(int(node.p), int(node.q))
        return lambda: arb(value)
    if isinstance(node, sp.Float):
        exact = sp.Rational(node)
        return _constant(exact)
    if node in CONSTANTS:
        return CONSTANTS[node]
    raise UnsupportedExpression(f"balls: no enclosure of the constant {node}")


def _to_integer(value: arb, node: sp.Basic) -> int:
    whole = value.unique_fmpz()
    if whole is None:
        raise UnusableInput(f"{node}: an index or a limit must be one certain integer, got {value}")
    return int(whole)


CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
    sp.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
    sp.oo: arb.pos_inf,
    -sp.oo: arb.neg_inf,
}

BACKEND = Backend(
    name="balls",
    constant=_constant,
    integer=arb,
    to_integer=_to_integer,
    add=lambda x, y: x + y,
    multiply=lambda x, y: x * y,
    integer_power=ops.integer_power,
    power=ops.power,
    compare=ops.compare,
    unite=ops.unite,
    functions={
        "exp": ops.exp,
        "log": ops.log,
        "log1p": ops.log1p,
        "expm1": lambda x: x.expm1(),
        "sin": lambda x: x.sin(),
        "cos": lambda x: x.cos(),
        "tan": lambda x: x.tan(),
        "asin": lambda x: x.asin(),
        "acos": lambda x: x.acos(),
        "atan": lambda x: x.atan(),
        "atan2": lambda y, x: arb.atan2(y, x),
        "sinh": lambda x: x.sinh(),
        "cosh": lambda x: x.cosh(),
        "tanh": lambda x: x.tanh(),
        "asinh": lambda x: x.asinh(),
        "acosh": lambda x: x.acosh(),
        "atanh": lambda x: x.atanh(),
        "sinc": ops.sinc,
        "erf": lambda x: x.erf(),
        "erfc": lambda x: x.erfc(),
        "gamma": lambda x: x.gamma(),
        "loggamma": ops.loggamma,
        "digamma": lambda x: x.digamma(),
        "polygamma": ops.polygamma,
        "factorial": ops.factorial,
        "binomial": ops.binomial,
        "lambertw": lambda x: x.lambertw(),
        "zeta": lambda s, *a: s.zeta(*a),
        "abs": abs,
        "sign": lambda x: x.sgn(),
        "floor": lambda x: x.floor(),
        "ceiling": lambda x: x.ceil(),
        "maximum": ops.maximum,
        "minimum": ops.minimum,
        "positive_power": ops.positive_power,
        "above": ops.above,
        "bernoulli_kl": ops.bernoulli_kl,
        "kl_inverse": kl_inverse,
        "log_plus": ops.log_plus,
        "extended_log": ops.extended_log,
        "log_add_exp": lambda *terms: ops.log_sum_exp(terms),
        "log_scaled": ops.log_scaled,
    },
    reductions={
        "sum_over": ops.total,
        "product_over": ops.product,
        "min_over": ops.least,
        "max_over": ops.largest,
        "log_sum_exp_over": ops.log_sum_exp,
    },
)
