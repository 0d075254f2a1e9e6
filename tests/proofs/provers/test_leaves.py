"""The provers that close goals: Sturm, germs, Taylor forms on an interval, z3."""

from __future__ import annotations

import time

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.proofs.claims import parse_claim
from majorant.proofs.provers.domain import Bound, Constraint, Domain
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.exact import is_formally_zero, sign_of_constant
from majorant.proofs.provers.inversion import inverted
from majorant.proofs.provers.monotone import _convex_range
from majorant.proofs.provers.outcome import Clock, Hints
from majorant.proofs.provers.polynomial_z3 import prove_polynomial
from majorant.proofs.provers.portfolio import decide, prove_claim
from majorant.proofs.provers.sturm import prove_polynomial_sign
from majorant.proofs.provers.unbounded import one_sided_sign
from majorant.proofs.provers.univariate import prove_on_interval

x, y = sympy.symbols("x y", real=True)
t = sympy.Symbol("t", positive=True)
oo = sympy.oo
ZERO, ONE = sympy.Integer(0), sympy.Integer(1)


def closed(value: sympy.Expr) -> Bound:
    return Bound(sympy.sympify(value), False)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=4),
    st.integers(-6, 2),
    st.integers(0, 7),
    st.booleans(),
)
def test_sturm_agrees_with_the_roots(
    roots: list[int], low: int, width: int, strict: bool
) -> None:
    poly = sympy.expand(sympy.Mul(*((x - r) for r in roots)))
    high = low + width
    points = [sympy.Rational(k, 6) for k in range(6 * low, 6 * high + 1)]
    values = [poly.subs(x, p) for p in points]
    truth = all(v > 0 if strict else v >= 0 for v in values)
    found = prove_polynomial_sign(poly, x, closed(low), closed(high), strict)
    assert (found is not None) == truth


@pytest.mark.parametrize(
    ("expr", "point", "side", "sign"),
    [
        (t - sympy.log(1 + t), ZERO, 1, 1),
        (sympy.log(1 + t) - t + t**2 / 2, ZERO, 1, 1),
        (sympy.exp(t) - t**9, oo, -1, 1),
        (t**9 - sympy.exp(t), oo, -1, -1),
        (sympy.sqrt(t**2 + 1) - t - 1 / (2 * t), oo, -1, -1),
        (t * sympy.log(t), ZERO, 1, -1),
        (t**t - 1, ZERO, 1, -1),
        (1 - sympy.tanh(t), oo, -1, 1),
        (1 - sympy.erf(t), oo, -1, 1),
        (sympy.pi / 2 - sympy.atan(t) - 1 / t, oo, -1, -1),
        (sympy.loggamma(t) - t * sympy.log(t) + t, oo, -1, -1),
        (sympy.gamma(t) - 1 / t, ZERO, 1, -1),
        (sympy.polygamma(0, t) - sympy.log(t) + 1 / (2 * t), oo, -1, -1),
        (sympy.polygamma(1, t) - 1 / t - 1 / (2 * t**2) - 1 / (6 * t**3), oo, -1, -1),
        (sympy.polygamma(2, t) + 1 / t**2 + 1 / t**3, oo, -1, -1),
        (sympy.polygamma(1, t) - 1 / t**2 - 1, ZERO, 1, 1),
        (sympy.tan(t) - 1 / (sympy.pi / 2 - t), sympy.pi / 2, -1, -1),
        (sympy.asin(t) - sympy.pi / 2, ONE, -1, -1),
        (sympy.cosh(t) - sympy.exp(t) / 2, oo, -1, 1),
        (sympy.log(t) - sympy.sqrt(t), oo, -1, -1),
        (sympy.sin(t) - t + t**3 / 6, ZERO, 1, 1),
    ],
    ids=str,
)
def test_one_sided_signs(expr: sympy.Expr, point: sympy.Expr, side: int, sign: int) -> None:
    found = one_sided_sign(expr, t, point, side)
    assert found is not None and found.sign == sign


def test_one_sided_signs_do_not_guess() -> None:
    assert one_sided_sign(sympy.sin(t), t, oo, -1) is None
    assert one_sided_sign(t - t, t, oo, -1) is None
    assert one_sided_sign(sympy.log(sympy.log(t)) - t, t, oo, -1) is None
    assert one_sided_sign(sympy.exp(sympy.exp(t)) - 1, t, oo, -1) is None


@settings(max_examples=30, deadline=None)
@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3), st.booleans())
def test_germs_agree_with_values_far_out(a: int, b: int, c: int, growing: bool) -> None:
    expr = a * t**2 + b * t * sympy.log(t) + c * sympy.exp(-t) + sympy.atan(t)
    point, side = (oo, -1) if growing else (ZERO, 1)
    found = one_sided_sign(expr, t, point, side)
    if found is None:
        return
    place = sympy.Rational(str(found.reach.str(10, radius=False)))
    place = 2 * place if growing else place / 2
    assert sympy.sign(expr.subs(t, place).evalf(30)) == found.sign


@pytest.mark.parametrize(
    ("expr", "low", "high", "strict", "holds"),
    [
        (sympy.exp(x) - 1 - x, None, None, False, True),
        (sympy.exp(x) - 1 - x, None, None, True, False),
        (1 - sympy.sin(x) + ZERO, closed(0), closed(7), False, True),
        (sympy.exp(-1) - x * sympy.exp(-x), closed(0), None, False, True),
        (sympy.Rational(367879, 10**6) - x * sympy.exp(-x), closed(0), None, False, False),
        (sympy.Abs(x) - sympy.sin(x), None, None, False, True),
        (x**4 - 2 * x**2 + 1 + sympy.exp(x) * 0, None, None, False, True),
        (sympy.sqrt(1 + x**2) - x, None, None, True, True),
    ],
    ids=str,
)
def test_intervals(
    expr: sympy.Expr, low: Bound | None, high: Bound | None, strict: bool, holds: bool
) -> None:
    hints = Hints()
    found = prove_on_interval(expr, x, low, high, strict, Clock.of(20), hints)
    assert (found is not None) == holds


def test_signs_of_constants_are_certain() -> None:
    tiny = sympy.Rational(1, 10**100)
    assert sign_of_constant(sympy.exp(sympy.pi) - sympy.pi**sympy.E) == 1
    assert sign_of_constant(sympy.log(6) - sympy.log(2) - sympy.log(3)) == 0
    assert sign_of_constant(sympy.log(6) - sympy.log(2) - sympy.log(3) - tiny) == -1
    assert sign_of_constant(sympy.sqrt(2) * sympy.sqrt(3) - sympy.sqrt(6)) == 0
    assert sign_of_constant(sympy.zoo) is None


def test_formal_zero_knows_when_it_does_not_know() -> None:
    assert not is_formally_zero(x + sympy.Rational(1, 10**50) - x * 1)
    assert not is_formally_zero(sympy.sqrt(x**2) - x)
    p = sympy.Symbol("p", positive=True)
    s = sympy.Symbol("s", positive=True)
    assert is_formally_zero((s ** (1 / (p - 1))) ** p - s * s ** (1 / (p - 1)))


def test_inversion() -> None:
    s, p = sympy.symbols("s p", positive=True)
    assert inverted(-s + t**p / t, t) == s ** (1 / (p - 1))
    assert inverted(sympy.exp(2 * t) - s, t) == sympy.log(s) / 2
    assert inverted(t + sympy.exp(t), t) is None


def test_z3_bounds_hold() -> None:
    """Every transcendental bound that z3 is given, sampled at 60 digits."""
    import mpmath
    import z3

    from majorant.proofs.provers.polynomial_z3 import BOUNDS

    with mpmath.workdps(60):
        for kind, rule in BOUNDS.items():
            for k in range(-60, 61):
                u = mpmath.mpf(k) / 8 + mpmath.mpf(1) / 64
                if kind is sympy.log and u <= 0:
                    continue
                v = getattr(mpmath, kind.__name__)(u)
                facts, _ = rule(z3, _z3_number(u), _z3_number(v))
                assert all(z3.is_true(z3.simplify(f)) for f in facts), (kind, u)


def _z3_number(value: object) -> object:
    import mpmath
    import z3

    return z3.RealVal(mpmath.nstr(value, 55, min_fixed=-1000, max_fixed=1000))


def test_z3_uses_constraints_and_does_not_invent() -> None:
    domain = Domain((x, y), (Constraint(x, True), Constraint(y, True)))
    assert prove_polynomial(x**2 + y**2 - 2 * x * y, False, domain, Clock.of(5))
    assert prove_polynomial(x**2 + y**2 - 2 * x * y, True, domain, Clock.of(5)) is None
    assert prove_polynomial(x - y, False, domain, Clock.of(5)) is None
    assert prove_polynomial(sympy.exp(x) - 1, False, domain, Clock.of(5)) is None


def test_points_of_contact_are_real() -> None:
    """The root of a negative number is no point: real algebra would prove anything about it."""
    claim = parse_claim(
        "a^2+b^2+c^2 >= 6.96*sqrt(s*(s-a)*(s-b)*(s-c))",
        "a > 0, b > 0, c > 0, s = (a+b+c)/2, a <= b+c, b <= a+c, c <= a+b",
    )
    assert prove_claim(claim, time.monotonic() + 6).status == "unknown"


def test_ranges_of_two_pieces_are_no_interval() -> None:
    """-x^4 + 5 x^2 - 4 is concave where it is positive, which is on two intervals."""
    engine = Engine(Clock.of(5), ())
    two = Domain((x, y), (Constraint(-(x**4) + 5 * x**2 - 4 + y, False), Constraint(-y, False)))
    assert not _convex_range(engine, two, x)
    one = Domain((x, y), (Constraint(1 - x**2 + y, False), Constraint(-y, False)))
    assert _convex_range(engine, one, x)


@pytest.mark.parametrize(
    ("claim", "given", "false"),
    [
        ("a+b+c >= 3", "a>0, b>0, c>0, a*b*c = 1", "a+b+c >= 3.01"),
        ("x + y <= sqrt(2)", "x^2 + y^2 = 1", "x + y <= 1.414"),
        ("cos(a)*cos(b)*cos(c) <= 1/8", "a>0, b>0, c>0, a+b+c = pi", "cos(a)*cos(b) <= 0.4999"),
        ("x >= 1", "log(x) = y^2", "x >= 1.001"),
    ],
)
def test_equalities_are_solved_and_points_restored(claim: str, given: str, false: str) -> None:
    assert decide(parse_claim(claim, given), 30.0).status == "proved"
    assert decide(parse_claim(false, given), 30.0).status == "refuted"


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("3*sin(x) + 4*cos(x) <= 5", ""),
        ("sin(x) + sin(y) <= 2*sin((x+y)/2)", "0 <= x <= pi, 0 <= y <= pi"),
        ("cos(x) + cos(y) + cos(x+y) >= -3/2", ""),
    ],
)
def test_the_circle_decides_trigonometric_polynomials(claim: str, given: str) -> None:
    verdict = decide(parse_claim(claim, given), 30.0)
    assert verdict.status == "proved"
