"""Intervals and jets contain what they should: against mpmath at random points."""

from __future__ import annotations

import mpmath
import pytest
import sympy
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.proofs.provers import elementary
from majorant.proofs.provers.enclosure import Precision, evaluate, value_at
from majorant.proofs.provers.interval import INF, NEG, WHOLE, ZERO, Interval, exact_rational
from majorant.proofs.provers.program import Program
from majorant.proofs.provers.series import series_jet
from majorant.proofs.provers.taylor import jet

DOMAINS = {
    "exp": (-20.0, 20.0),
    "log": (1e-6, 50.0),
    "sqrt": (0.0, 50.0),
    "sin": (-20.0, 20.0),
    "cos": (-20.0, 20.0),
    "tan": (-1.5, 1.5),
    "atan": (-50.0, 50.0),
    "asin": (-1.0, 1.0),
    "acos": (-1.0, 1.0),
    "sinh": (-9.0, 9.0),
    "cosh": (-9.0, 9.0),
    "tanh": (-9.0, 9.0),
    "erf": (-6.0, 6.0),
    "gamma": (0.01, 9.0),
    "loggamma": (0.01, 9.0),
    "floor": (-9.0, 9.0),
}


def inside(value: mpmath.mpf, interval: Interval) -> bool:
    """Whether an mpmath number of 50 digits lies in an interval, up to 1e-40."""
    slack = mpmath.mpf(10) ** -40 * (1 + abs(value))
    low = -mpmath.inf if interval.lo == NEG else _mp(interval.lo)
    high = mpmath.inf if interval.hi == INF else _mp(interval.hi)
    return bool(low - slack <= value <= high + slack)


def _mp(end: arb) -> mpmath.mpf:
    rational = exact_rational(end)
    return mpmath.mpf(int(rational.p)) / int(rational.q)


@pytest.mark.parametrize("name", sorted(DOMAINS))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_images_contain_values(name: str, data: st.DataObject) -> None:
    low, high = DOMAINS[name]
    ends = sorted(data.draw(st.lists(st.floats(low, high), min_size=3, max_size=3)))
    image = elementary.IMAGES[name](Interval(arb(ends[0]), arb(ends[2])))
    with mpmath.workdps(50):
        for point in ends:
            assert inside(getattr(mpmath, name)(mpmath.mpf(point)), image)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.floats(-5, 5), min_size=4, max_size=4),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_arithmetic_contains_values(ends: list[float], s: float, t: float) -> None:
    a, b = sorted(ends[:2])
    c, d = sorted(ends[2:])
    first, second = Interval(arb(a), arb(b)), Interval(arb(c), arb(d))
    u = min(b, max(a, a + (b - a) * s))
    v = min(d, max(c, c + (d - c) * t))
    with mpmath.workdps(50):
        x, y = mpmath.mpf(u), mpmath.mpf(v)
        assert inside(x + y, first + second)
        assert inside(x - y, first - second)
        assert inside(x * y, first * second)
        assert inside(x**3, first.power(3)) and inside(x**2, first.power(2))
        assert inside(abs(x), first.absolute())
        assert inside(max(x, y), first.larger(second))
        assert inside(min(x, y), first.smaller(second))
        if v != 0:
            assert inside(x / y, first / second)


x = sympy.Symbol("x", real=True)
JETS = [
    sympy.exp(x) * sympy.sin(x),
    sympy.log(2 + x) / (3 + x),
    (2 + x) ** x,
    sympy.sqrt(2 + x) * sympy.atan(x),
    sympy.tanh(x) - sympy.erf(x / 2),
    sympy.gamma(x + 3) + sympy.loggamma(x + 2),
    (x + 2) ** sympy.Rational(1, 3) * sympy.log(x + 2),
    sympy.asin(x / 3) + sympy.acos(x / 3) * x,
    sympy.cosh(x) / (1 + x**2) - sympy.tan(x / 2),
    sympy.Abs(x - 5) * x + sympy.Max(x, 7) + sympy.Min(x, -7),
]


@pytest.mark.parametrize("expr", JETS, ids=str)
@settings(max_examples=12, deadline=None)
@given(st.floats(-1, 1), st.floats(0, 0.2), st.floats(0, 1))
def test_jets_contain_taylor_coefficients(
    expr: sympy.Expr, low: float, width: float, share: float
) -> None:
    program = Program([expr], [x])
    box = Interval(arb(low), arb(low + width))
    point = min(low + width, low + width * share)
    with mpmath.workdps(40):
        truth = mpmath.taylor(sympy.lambdify(x, expr, "mpmath"), mpmath.mpf(point), 3)
        for enclosures in (jet(program, box, 3), series_jet(program, box, 3)):
            for k, enclosure in enumerate(enclosures):
                slack = mpmath.mpf(10) ** -9
                if enclosure.bounded:
                    assert _mp(enclosure.lo) - slack <= truth[k] <= _mp(enclosure.hi) + slack


def test_mpmath_1181_the_exponential_is_contained() -> None:
    point = sympy.Rational(3893924827815215, 2**50)
    value = value_at(sympy.exp(x), {x: point}, 53)
    with mpmath.workdps(60):
        truth = mpmath.exp(mpmath.mpf(3893924827815215) / 2**50)
        assert _mp(value.lo) <= truth <= _mp(value.hi)
    with Precision(53):
        assert value.hi - value.lo < value.hi * arb(2) ** -50


def test_mpmath_max_of_intervals() -> None:
    larger = Interval(arb(0), arb(2)).larger(Interval(arb(1), arb(3)))
    assert larger.lo == 1 and larger.hi == 3


def test_flint_literals_are_not_doubles() -> None:
    tenth = value_at(sympy.Rational(1, 10) + 0 * x, {x: sympy.Integer(0)}, 200)
    assert tenth.hi - tenth.lo < arb(2) ** -190
    assert not tenth.contains(arb(0.1))


def test_undefined_values_carry_no_information() -> None:
    for expr in (1 / x, sympy.log(x), x ** sympy.Rational(-1, 2)):
        point = [Interval(arb(-1), ZERO)] if expr != 1 / x else [Interval(arb(-1), arb(1))]
        value = evaluate(Program([expr], [x]), point)[0]
        assert value.lo == NEG and value.hi == INF
    product = evaluate(Program([x * (1 / (x - 1))], [x]), [Interval(ZERO, arb(2))])[0]
    assert not product.bounded
    assert not WHOLE.bounded


def test_alkahest_361_nan_is_no_information() -> None:
    nan = Interval.ball(arb("nan"))
    assert nan.lo == NEG and nan.hi == INF
