"""Taylor jets over intervals: enclosures of f(x), f'(x), f''(x)/2!, ... for all x of a box.

A jet is a list of intervals; entry k encloses the k-th Taylor coefficient at every point of the
box. The recurrences are those of Moore's automatic differentiation. `WHOLE` entries carry no
information (beyond a kink of `Abs`, `Min`, `Max`; entry 1 is then Clarke's derivative, for which
the mean value theorem still holds).
"""

from __future__ import annotations

from math import factorial

from flint import arb, fmpq

from majorant.proofs.provers import elementary
from majorant.proofs.provers.enclosure import constant, rational_power
from majorant.proofs.provers.interval import ONE, WHOLE, ZERO, Interval
from majorant.proofs.provers.program import Program, Step

Jet = list[Interval]
_NIL = Interval(ZERO, ZERO)
_UNIT = Interval(ONE, ONE)


def _whole_number(value: int) -> Interval:
    return Interval(arb(value), arb(value))


def add(u: Jet, v: Jet) -> Jet:
    """Sum."""
    return [a + b for a, b in zip(u, v, strict=True)]


def multiply(u: Jet, v: Jet) -> Jet:
    """Cauchy product."""
    result = []
    for k in range(len(u)):
        total = u[0] * v[k]
        for j in range(1, k + 1):
            total = total + u[j] * v[k - j]
        result.append(total)
    return result


def _integrate(first: Interval, slope: Jet) -> Jet:
    """The jet with value `first` whose derivative has the jet `slope` (one entry shorter)."""
    return [first] + [c * Interval.rational(fmpq(1, k + 1)) for k, c in enumerate(slope)]


def _derivative(u: Jet) -> Jet:
    return [u[k] * _whole_number(k) for k in range(1, len(u))]


def exp(u: Jet) -> Jet:
    """e^u."""
    result = [elementary.exp(u[0])]
    for k in range(1, len(u)):
        total = _NIL
        for j in range(1, k + 1):
            total = total + u[j] * result[k - j] * _whole_number(j)
        result.append(total * Interval.rational(fmpq(1, k)))
    return result


def log(u: Jet) -> Jet:
    """log u."""
    inverse = _positive(u[0]).inverse()
    result = [elementary.log(u[0])]
    for k in range(1, len(u)):
        total = u[k]
        for j in range(1, k):
            total = total - result[j] * u[k - j] * Interval.rational(fmpq(j, k))
        result.append(total * inverse)
    return result


def _positive(x: Interval) -> Interval:
    return x.clipped(ZERO) or WHOLE


def power(u: Jet, exponent: fmpq) -> Jet:
    """u^r for a rational r, by multiplication if r is a small non-negative integer."""
    if exponent.denominator == 1 and 0 <= exponent <= 64:
        return _integer_power(u, int(exponent.numerator))
    if exponent.denominator == 1:
        first, base = u[0].power(int(exponent.numerator)), u[0]
    else:
        first, base = rational_power(u[0], exponent), _positive(u[0])
    inverse = base.inverse()
    result = [first]
    for k in range(1, len(u)):
        total = _NIL
        for j in range(1, k + 1):
            weight = Interval.rational(exponent * fmpq(j, k) - fmpq(k - j, k))
            total = total + weight * u[j] * result[k - j]
        result.append(total * inverse)
    return result


def _integer_power(u: Jet, exponent: int) -> Jet:
    if exponent == 0:
        return [_UNIT] + [_NIL] * (len(u) - 1)
    result: Jet | None = None
    base, bits = u, exponent
    while bits:
        if bits & 1:
            result = base if result is None else multiply(result, base)
        bits >>= 1
        if bits:
            base = multiply(base, base)
    assert result is not None
    result[0] = u[0].power(exponent)
    return result


def sine_cosine(u: Jet, hyperbolic: bool = False) -> tuple[Jet, Jet]:
    """(sin u, cos u) or (sinh u, cosh u)."""
    if hyperbolic:
        s, c = [elementary.sinh(u[0])], [elementary.cosh(u[0])]
    else:
        s, c = [elementary.sin(u[0])], [elementary.cos(u[0])]
    for k in range(1, len(u)):
        ds, dc = _NIL, _NIL
        for j in range(1, k + 1):
            weight = u[j] * Interval.rational(fmpq(j, k))
            ds, dc = ds + weight * c[k - j], dc + weight * s[k - j]
        s.append(ds)
        c.append(dc if hyperbolic else -dc)
    return s, c


def _by_slope(u: Jet, first: Interval, slope: Jet) -> Jet:
    """The jet of F(u) where `slope` is the jet of F'(u)."""
    return _integrate(first, multiply(slope[: len(u) - 1], _derivative(u)))


def _riccati(u: Jet, first: Interval, sign: int) -> Jet:
    """tan (sign 1) and tanh (sign -1): v' = u' (1 + sign v^2)."""
    result = [first]
    du = _derivative(u)
    for k in range(1, len(u)):
        square = multiply(result, result)
        slope = [s if sign > 0 else -s for s in square]
        slope[0] = slope[0] + _UNIT
        result.append(multiply(slope, du[:k])[k - 1] * Interval.rational(fmpq(1, k)))
    return result


def compose(u: Jet, coefficients: Jet) -> Jet:
    """The jet of f(u) from the Taylor coefficients of f over the range of u."""
    step = [_NIL, *u[1:]]
    result = [coefficients[-1]] + [_NIL] * (len(u) - 1)
    for coefficient in reversed(coefficients[:-1]):
        result = multiply(result, step)
        result[0] = result[0] + coefficient
    return result


def _polygamma(order: int, u: Jet) -> Jet:
    return compose(
        u,
        [
            elementary.polygamma(order + k, u[0]) * Interval.rational(fmpq(1, factorial(k)))
            for k in range(len(u))
        ],
    )


def _kink(u: Jet, v: Jet, first: Interval) -> Jet:
    """Between two branches: the value, Clarke's derivative, and nothing about the rest."""
    head = [first] + ([u[1].hull(v[1])] if len(u) > 1 else [])
    return head + [WHOLE] * (len(u) - len(head))


def _extreme(u: Jet, v: Jet, larger: bool) -> Jet:
    if u[0].lo > v[0].hi or u[0].hi < v[0].lo:
        return u if (u[0].lo > v[0].hi) == larger else v
    return _kink(u, v, u[0].larger(v[0]) if larger else u[0].smaller(v[0]))


def _stepwise(u: Jet, image: Interval) -> Jet:
    rest = _NIL if image.lo == image.hi else WHOLE
    return [image] + [rest] * (len(u) - 1)


def _absolute(u: Jet) -> Jet:
    minus = [-c for c in u]
    if u[0].lo > 0 or u[0].hi < 0:
        return u if u[0].lo > 0 else minus
    return _kink(u, minus, u[0].absolute())


def _inverse_circular(u: Jet, first: Interval) -> Jet:
    one = [_UNIT] + [_NIL] * (len(u) - 1)
    return _by_slope(
        u, first, power([a - b for a, b in zip(one, multiply(u, u), strict=True)], fmpq(-1, 2))
    )


def unary(operation: str, u: Jet) -> Jet:
    """One function of the table on a jet."""
    if operation == "exp":
        return exp(u)
    if operation == "log":
        return log(u)
    if operation in ("sin", "cos", "sinh", "cosh"):
        s, c = sine_cosine(u, operation.endswith("h"))
        return s if operation.startswith("s") else c
    if operation in ("tan", "tanh"):
        return _riccati(u, elementary.IMAGES[operation](u[0]), 1 if operation == "tan" else -1)
    if operation == "Abs":
        return _absolute(u)
    first = elementary.IMAGES[operation](u[0])
    if operation in ("floor", "ceiling", "sign"):
        return _stepwise(u, first)
    if operation == "atan":
        square = multiply(u, u)
        square[0] = u[0].power(2) + _UNIT
        return _by_slope(u, first, power(square, fmpq(-1)))
    if operation == "asin":
        return _inverse_circular(u, first)
    if operation == "acos":
        arc = _inverse_circular(u, elementary.asin(u[0]))
        return [first, *(-c for c in arc[1:])]
    if operation == "erf":
        square = multiply(u, u)
        square[0] = u[0].power(2)
        scale = Interval.ball(2 / arb.pi().sqrt())
        return _by_slope(u, first, [c * scale for c in exp([-c for c in square])])
    if operation == "loggamma":
        return _by_slope(u, first, _polygamma(0, u))
    assert operation == "gamma"
    result = exp(unary("loggamma", u))
    result[0] = first
    return result


def jet(program: Program, box: Interval, order: int) -> Jet:
    """The jet of the first output of a one-variable program over a box.

    >>> import sympy
    >>> x = sympy.Symbol("x", real=True)
    >>> zero = Interval(ZERO, ZERO)
    >>> jet(Program([sympy.exp(x) * x**2], [x]), zero, 3)[3].contains(1)
    True
    """
    values: list[Jet] = []
    for step in program.steps:
        values.append(_apply(step, [values[a] for a in step.arguments], box, order))
    return values[program.outputs[0]]


def _apply(step: Step, arguments: list[Jet], box: Interval, order: int) -> Jet:
    operation = step.operation
    if operation in ("rational", "named"):
        return [constant(step)] + [_NIL] * order
    if operation == "variable":
        return ([box, _UNIT] + [_NIL] * order)[: order + 1]
    if operation == "add":
        total = arguments[0]
        for term in arguments[1:]:
            total = add(total, term)
        return total
    if operation == "mul":
        result = arguments[0]
        for factor in arguments[1:]:
            result = multiply(result, factor)
        return result
    if operation == "ipow":
        assert isinstance(step.data, int)
        return power(arguments[0], fmpq(step.data))
    if operation == "rpow":
        assert isinstance(step.data, fmpq)
        return power(arguments[0], step.data)
    if operation == "pow":
        result = exp(multiply(arguments[1], log(arguments[0])))
        result[0] = elementary.real_power(arguments[0][0], arguments[1][0])
        return result
    if operation == "xpowlog":
        assert isinstance(step.data, fmpq)
        u = arguments[0]
        result = multiply(power(u, step.data), log(u))
        result[0] = elementary.x_power_log(u[0], arb(step.data))
        return result
    if operation in ("max", "min"):
        result = arguments[0]
        for other in arguments[1:]:
            result = _extreme(result, other, operation == "max")
        return result
    if operation == "polygamma":
        assert isinstance(step.data, int)
        return _polygamma(step.data, arguments[0])
    return unary(operation, arguments[0])
