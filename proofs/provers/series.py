"""Taylor jets by FLINT's power series over balls: the fast path of branch and bound.

Same meaning as `taylor.jet`; kinks that cannot be resolved and rare functions fall back to it.
"""

from __future__ import annotations

from flint import arb, arb_series, fmpq

from majorant.proofs.provers.enclosure import constant
from majorant.proofs.provers.interval import Interval
from majorant.proofs.provers.program import Program, Step
from majorant.proofs.provers.taylor import Jet, jet


class _Fallback(Exception):
    """This step has no power series in FLINT."""


def series_jet(program: Program, box: Interval, order: int) -> Jet:
    """Enclosures of the Taylor coefficients of the first output at every point of a box.

    >>> import sympy
    >>> x = sympy.Symbol("x", real=True)
    >>> series_jet(Program([sympy.exp(x)], [x]), Interval(arb(0), arb(0)), 2)[2].contains(0.5)
    True
    """
    length = order + 1
    ball = box.lo.union(box.hi) if not box.lo == box.hi else box.lo
    try:
        values: list[arb_series] = []
        for step in program.steps:
            values.append(_apply(step, [values[a] for a in step.arguments], ball, length))
    except (_Fallback, ZeroDivisionError, ValueError, NotImplementedError):
        return jet(program, box, order)
    result = values[program.outputs[0]]
    return [Interval.ball(result[k]) for k in range(length)]


def _ball_of(value: Interval) -> arb:
    return value.lo.union(value.hi)


def _apply(step: Step, arguments: list[arb_series], ball: arb, length: int) -> arb_series:
    operation, data = step.operation, step.data
    if operation == "variable":
        return arb_series([ball, 1], prec=length)
    if operation == "rational":
        return arb_series([arb(data)], prec=length)
    if operation == "named":
        return arb_series([_ball_of(constant(step))], prec=length)
    u = arguments[0]
    if operation == "add":
        for other in arguments[1:]:
            u = u + other
        return u
    if operation == "mul":
        for other in arguments[1:]:
            u = u * other
        return u
    if operation == "ipow":
        assert isinstance(data, int)
        return _whole_power(u, data, length)
    if operation == "rpow":
        assert isinstance(data, fmpq)
        return _broken_power(u, data, length)
    if operation == "pow":
        return (arguments[1] * _log(u)).exp()
    if operation == "xpowlog":
        assert isinstance(data, fmpq)
        log = _log(u)
        if data.denominator == 1 and data <= 8:
            return _whole_power(u, int(data.numerator), length) * log
        return (log * arb(data)).exp() * log
    if operation in ("max", "min"):
        for other in arguments[1:]:
            u = _extreme(u, other, operation == "max")
        return u
    return _unary(operation, u, length)


def _log(u: arb_series) -> arb_series:
    if not u[0] > 0:
        raise _Fallback
    return u.log()


def _whole_power(u: arb_series, exponent: int, length: int) -> arb_series:
    if exponent < 0:
        if u[0].contains(0):
            raise _Fallback
        return _one(length) / _whole_power(u, -exponent, length)
    result, base, bits = _one(length), u, exponent
    while bits:
        if bits & 1:
            result = result * base
        bits >>= 1
        if bits:
            base = base * base
    return result


def _one(length: int) -> arb_series:
    return arb_series([1], prec=length)


def _broken_power(u: arb_series, exponent: fmpq, length: int) -> arb_series:
    if not u[0] > 0:
        raise _Fallback
    if exponent == fmpq(1, 2):
        return u.sqrt()
    if exponent == fmpq(-1, 2):
        return u.rsqrt()
    return (u.log() * arb(exponent)).exp()


def _extreme(u: arb_series, v: arb_series, larger: bool) -> arb_series:
    if u[0] > v[0]:
        return u if larger else v
    if u[0] < v[0]:
        return v if larger else u
    raise _Fallback


def _unary(operation: str, u: arb_series, length: int) -> arb_series:
    if operation == "exp":
        return u.exp()
    if operation == "log":
        return _log(u)
    if operation in ("sin", "cos", "tan", "atan", "erf"):
        return getattr(u, operation)()
    if operation in ("sinh", "cosh"):
        plus = u.exp()
        minus = _one(length) / plus
        return (plus - minus) / 2 if operation == "sinh" else (plus + minus) / 2
    if operation == "tanh":
        if abs(u[0]).upper() > 50:
            raise _Fallback
        return _one(length) - 2 / ((u * 2).exp() + 1)
    if operation == "Abs":
        if u[0] > 0:
            return u
        if u[0] < 0:
            return -u
        raise _Fallback
    if operation in ("gamma", "loggamma") and u[0] > 0:
        return u.gamma() if operation == "gamma" else u.lgamma()
    if operation == "asin" and abs(u[0]) < 1:
        return u.asin()
    if operation == "acos" and abs(u[0]) < 1:
        return u.acos()
    raise _Fallback
