"""Interval images of the elementary functions: one row of a table per function.

Each row restricts its argument to the function's own domain and rounds outwards. Where nothing
is known the answer is the whole line.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, fmpz

from majorant.proofs.provers.interval import (
    INF,
    NEG,
    ONE,
    UNIT,
    WHOLE,
    ZERO,
    Interval,
    down,
    up,
)


def exp(x: Interval) -> Interval:
    """e^x; never below 0."""
    image = x.increasing(lambda t: t.exp(), ZERO, INF)
    return Interval(image.lo if image.lo >= 0 else ZERO, image.hi)


def log(x: Interval) -> Interval:
    """Natural logarithm of the positive part."""
    part = x.clipped(ZERO)
    if part is None or part.hi == 0:
        return WHOLE
    lo = NEG if part.lo == 0 else down(part.lo.log()) if part.lo < INF else INF
    return Interval(lo, INF if part.hi == INF else up(part.hi.log()))


def sqrt(x: Interval) -> Interval:
    """Square root of the non-negative part."""
    part = x.clipped(ZERO)
    return WHOLE if part is None else part.increasing(lambda t: t.sqrt())


def real_power(x: Interval, y: Interval) -> Interval:
    """x^y for the positive part of x (and 0^y = 0 for y > 0)."""
    part = x.clipped(ZERO)
    if part is None:
        return WHOLE
    if part.hi == 0:
        return Interval(ZERO, ZERO) if y.lo > 0 else WHOLE
    return exp(y * log(part))


def x_power_log(x: Interval, exponent: arb) -> Interval:
    """x^a log x for a > 0, with the limit 0 at x = 0; it falls until x = e^(-1/a)."""
    part = x.clipped(ZERO)
    if part is None:
        return WHOLE

    def value(t: arb) -> arb:
        if t == 0:
            return ZERO
        return INF if t == INF else (exponent * t.log()).exp() * t.log()

    ends = Interval.ball(value(part.lo)), Interval.ball(value(part.hi))
    turn = (-1 / exponent).exp()
    if part.lo >= turn:
        return Interval(ends[0].lo, ends[1].hi)
    if part.hi <= turn:
        return Interval(ends[1].lo, ends[0].hi)
    return Interval(down(-1 / (exponent * arb(1).exp())), ends[0].hull(ends[1]).hi)


def _turning(x: Interval, value: Callable[[arb], arb], quarter: arb) -> Interval:
    """sin or cos: extreme at (quarter + k) pi, +1 for even k and -1 for odd k."""
    if not x.bounded or x.hi - x.lo > 6.5:
        return UNIT
    image = Interval.ball(value(x.lo)).hull(Interval.ball(value(x.hi)))
    pi = arb.pi()
    # a turning point that the rounding cannot tell apart from an end is counted: that is safe
    first = down(x.lo / pi - quarter).ceil().unique_fmpz()
    last = up(x.hi / pi - quarter).floor().unique_fmpz()
    if first is None or last is None:
        return UNIT
    for k in range(int(first), int(last) + 1):
        extreme = ONE if k % 2 == 0 else -ONE
        image = image.hull(Interval(extreme, extreme))
    return image.meet(UNIT)


def sin(x: Interval) -> Interval:
    """Sine."""
    return _turning(x, lambda t: t.sin(), arb(1) / 2)


def cos(x: Interval) -> Interval:
    """Cosine."""
    return _turning(x, lambda t: t.cos(), ZERO)


def tan(x: Interval) -> Interval:
    """Tangent where no pole can lie inside."""
    cosine = cos(x)
    if not x.bounded or not (cosine.lo > 0 or cosine.hi < 0) or x.hi - x.lo > 3.2:
        return WHOLE
    return x.increasing(lambda t: t.tan())


def atan(x: Interval) -> Interval:
    """Arctangent."""
    half = arb.pi() / 2
    return x.increasing(lambda t: t.atan(), -half, half)


def asin(x: Interval) -> Interval:
    """Arcsine of the part in [-1, 1]."""
    part = x.clipped(-ONE, ONE)
    return WHOLE if part is None else part.increasing(lambda t: t.asin())


def acos(x: Interval) -> Interval:
    """Arccosine of the part in [-1, 1]."""
    part = x.clipped(-ONE, ONE)
    return WHOLE if part is None else -part.increasing(lambda t: -t.acos())


def sinh(x: Interval) -> Interval:
    """Hyperbolic sine."""
    return x.increasing(lambda t: t.sinh())


def cosh(x: Interval) -> Interval:
    """Hyperbolic cosine."""
    return x.absolute().increasing(lambda t: t.cosh(), ONE)


def tanh(x: Interval) -> Interval:
    """Hyperbolic tangent."""
    return x.increasing(lambda t: t.tanh(), -ONE, ONE)


def erf(x: Interval) -> Interval:
    """Error function."""
    return x.increasing(lambda t: t.erf(), -ONE, ONE)


def _convex_gamma(x: Interval, value: Callable[[arb], arb], floor: str) -> Interval:
    part = x.clipped(ZERO)
    if part is None:
        return WHOLE
    lo = Interval(INF, INF) if part.lo == 0 else Interval.ball(value(part.lo))
    hi = Interval(INF, INF) if part.hi == INF else Interval.ball(value(part.hi))
    top = lo.hull(hi).hi
    if part.hi <= arb("1.4616321"):
        return Interval(hi.lo, top)
    if part.lo >= arb("1.4616322"):
        return Interval(lo.lo, top)
    return Interval(down(arb(floor)), top)


def gamma(x: Interval) -> Interval:
    """Gamma on x > 0: convex, least value above 0.8856031944 near 1.46163214."""
    return _convex_gamma(x, lambda t: t.gamma(), "0.8856031944108")


def loggamma(x: Interval) -> Interval:
    """log Gamma on x > 0: convex, least value above -0.1214862906 near 1.46163214."""
    return _convex_gamma(x, lambda t: t.lgamma(), "-0.1214862905359")


def polygamma(order: int, x: Interval) -> Interval:
    """The derivatives of log Gamma on x > 0; each is monotone there."""
    part = x.clipped(ZERO)
    if part is None or part.hi == 0:
        return WHOLE
    if order == 0:
        return part.increasing(lambda t: t.digamma() if t > 0 else NEG)
    size = arb(fmpz.fac_ui(order))

    def value(t: arb) -> arb:
        return size * arb(order + 1).zeta(t)

    lo = ZERO if part.hi == INF else down(value(part.hi))
    hi = INF if part.lo == 0 else up(value(part.lo))
    return Interval(lo, hi) if order % 2 == 1 else -Interval(lo, hi)


def floor(x: Interval) -> Interval:
    """Greatest integer below."""
    return Interval(
        x.lo if x.lo == NEG else down(x.lo.floor()), x.hi if x.hi == INF else up(x.hi.floor())
    )


def ceiling(x: Interval) -> Interval:
    """Least integer above."""
    return -floor(-x)


def sign(x: Interval) -> Interval:
    """-1, 0 or 1."""
    lo = ONE if x.lo > 0 else ZERO if x.lo == 0 else -ONE
    hi = -ONE if x.hi < 0 else ZERO if x.hi == 0 else ONE
    return Interval(lo, hi)


IMAGES: dict[str, Callable[[Interval], Interval]] = {
    "exp": exp,
    "log": log,
    "sqrt": sqrt,
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "atan": atan,
    "asin": asin,
    "acos": acos,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "erf": erf,
    "gamma": gamma,
    "loggamma": loggamma,
    "floor": floor,
    "ceiling": ceiling,
    "sign": sign,
    "Abs": lambda x: x.absolute(),
}
