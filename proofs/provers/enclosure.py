"""Interval evaluation of programs: an enclosure of the range over a box."""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from flint import arb, ctx, fmpq

from majorant.proofs.provers import elementary
from majorant.proofs.provers.interval import INF, NEG, ONE, WHOLE, ZERO, Interval, down, up
from majorant.proofs.provers.program import Program, Step

_NAMED = {
    "pi": arb.pi,
    "e": arb.const_e,
    "euler": arb.const_euler,
    "catalan": arb.const_catalan,
}


class Precision:
    """Arb's working precision within a `with` block.

    >>> with Precision(200):
    ...     wide = arb(1) / 3
    >>> wide.rel_accuracy_bits() > 190
    True
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        self.saved = ctx.prec
        ctx.prec = self.bits

    def __exit__(self, *_: object) -> None:
        ctx.prec = self.saved


def constant(step: Step) -> Interval:
    """The value of a `rational` or `named` step."""
    if step.operation == "rational":
        assert isinstance(step.data, fmpq)
        return Interval.rational(step.data)
    return Interval.ball(_NAMED[str(step.data)]())


def rational_power(x: Interval, exponent: fmpq) -> Interval:
    """x^(p/q) of the non-negative part."""
    part = x.clipped(ZERO)
    if part is None:
        return WHOLE
    if exponent < 0:
        return rational_power(x, -exponent).inverse()
    if exponent == fmpq(1, 2):
        return elementary.sqrt(part)
    ball = arb(exponent)
    image = part.increasing(lambda t: t**ball)
    return Interval(image.lo if image.lo >= 0 else ZERO, image.hi)


def evaluate(program: Program, box: Sequence[Interval]) -> list[Interval]:
    """Enclosures of the outputs over a box, at Arb's current precision.

    >>> x = sympy.Symbol("x", real=True)
    >>> half = Interval(arb(0), arb(1) / 2)
    >>> evaluate(Program([x * sympy.log(x)], [x]), [half])[0].hi == 0
    True
    """
    values: list[Interval] = []
    for step in program.steps:
        values.append(apply(step, [values[a] for a in step.arguments], box))
    return [values[position] for position in program.outputs]


def apply(step: Step, arguments: list[Interval], box: Sequence[Interval]) -> Interval:
    """One step on intervals."""
    operation = step.operation
    if operation == "add":
        total = arguments[0]
        for term in arguments[1:]:
            total = total + term
        return total
    if operation == "mul":
        result = arguments[0]
        for factor in arguments[1:]:
            result = result * factor
        # an undefined factor times an exact 0 is not 0
        return WHOLE if any(a.lo == NEG and a.hi == INF for a in arguments) else result
    if operation == "variable":
        assert isinstance(step.data, int)
        return box[step.data]
    if operation in ("rational", "named"):
        return constant(step)
    if operation == "ipow":
        assert isinstance(step.data, int)
        return arguments[0].power(step.data)
    if operation == "rpow":
        assert isinstance(step.data, fmpq)
        return rational_power(arguments[0], step.data)
    if operation == "pow":
        return elementary.real_power(*arguments)
    if operation == "xpowlog":
        assert isinstance(step.data, fmpq)
        return elementary.x_power_log(arguments[0], arb(step.data))
    if operation in ("max", "min"):
        best = arguments[0]
        for other in arguments[1:]:
            best = best.larger(other) if operation == "max" else best.smaller(other)
        return best
    if operation == "polygamma":
        assert isinstance(step.data, int)
        return elementary.polygamma(step.data, arguments[0])
    return elementary.IMAGES[operation](arguments[0])


def point(value: sympy.Expr) -> Interval:
    """The interval of one rational number, or of another constant."""
    if value.is_Rational:
        return Interval.rational(fmpq(int(value.p), int(value.q)))
    return evaluate(Program([value], []), [])[0]


def value_at(
    expr: sympy.Expr, values: dict[sympy.Symbol, sympy.Rational], bits: int
) -> Interval:
    """Enclosure of an expression at a rational point, at `bits` bits.

    >>> x = sympy.Symbol("x", real=True)
    >>> value_at(sympy.exp(x), {x: sympy.Rational(1, 3)}, 64)
    [1.3956124, 1.3956124]
    """
    symbols = list(values)
    with Precision(bits):
        box = [point(values[s]) for s in symbols]
        return evaluate(Program([expr], symbols), box)[0]


__all__ = [
    "ONE",
    "Precision",
    "apply",
    "constant",
    "down",
    "evaluate",
    "point",
    "rational_power",
    "up",
    "value_at",
]
