"""Each stated fact (range, direction) of each own function, against certified samples."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from majorant.derivation.functions import (
    Above,
    BernoulliKL,
    CountingFunction,
    KLInverse,
    LogAddExp,
    LogPlus,
    LogScaled,
    LogSumExpOver,
    MaxOver,
    MetricEntropy,
    MinOver,
    PositivePower,
    Risk,
)
from majorant.derivation.ranges import Range
from majorant.numerics.lowering import ball_function

FUNCTIONS = [PositivePower, Above, BernoulliKL, KLInverse, LogPlus, LogAddExp, LogScaled]
SYMBOLS = sp.symbols("x y", real=True)

@st.composite
def boxes(
    draw: st.DrawFn, arity: int, least: int, most: int
) -> tuple[list[Range], list[tuple[Fraction, Fraction]]]:
    """A box, and two values of each coordinate in it."""
    ends = st.fractions(least, most, max_denominator=8)
    ranges, values = [], []
    for _ in range(arity):
        lo, a, b, hi = sorted(draw(st.lists(ends, min_size=4, max_size=4)))
        ranges.append(Range(sp.Rational(lo), sp.Rational(hi)))
        values.append((a, b))
    return ranges, values


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_facts_hold_at_every_sample(function: type, data: st.DataObject) -> None:
    arity = 1 if function is LogPlus else 2
    least, most = (0, 1) if function is BernoulliKL else (-3, 3)
    ranges, values = data.draw(boxes(arity, least, most))
    symbols = SYMBOLS[:arity]
    expr = function(*symbols, evaluate=False)
    evaluate = ball_function(expr, symbols)
    low = [pair[0] for pair in values]
    base = evaluate(*low)
    assume(not base.is_nan())
    stated = expr.range_from(ranges)
    assert not (base < to_arb(stated.lo)) and not (base > to_arb(stated.hi))
    for i, (a, b) in enumerate(values):
        moved = evaluate(*(b if at == i else value for at, value in enumerate(low)))
        if moved.is_nan():
            continue
        if expr.is_incr(i, ranges):
            assert not moved < base, f"{expr} falls in argument {i} from {a} to {b} at {low}"
        if expr.is_decr(i, ranges):
            assert not moved > base, f"{expr} rises in argument {i} from {a} to {b} at {low}"


def to_arb(end: sp.Expr) -> arb:
    if end in (sp.oo, -sp.oo):
        return arb.pos_inf() if end == sp.oo else arb.neg_inf()
    return ball_function(end, [])()


def test_positive_power_counts_the_rank_at_zero() -> None:
    sigma, i = sp.IndexedBase("sigma"), sp.Symbol("i", integer=True)
    p = sp.Symbol("p", nonnegative=True)
    schatten = ball_function(sp.Sum(PositivePower(sigma[i], p), (i, 1, 4)), [sigma, p])
    assert schatten([3, "0.5", 0, 0], 0) == 2
    assert schatten([3, 2, 0, 0], 2) == 13


def test_an_empty_sum_is_0_and_an_empty_product_1() -> None:
    i, n = sp.symbols("i n", integer=True)
    assert ball_function(sp.Sum(i, (i, 1, n)), [n])(0) == 0
    assert ball_function(sp.Product(i, (i, 3, n)), [n])(0) == 1
    assert ball_function(MinOver(i, (i, 1, n)), [n])(0) == arb.pos_inf()
    assert ball_function(LogSumExpOver(i, (i, 1, n)), [n])(0) == arb.neg_inf()


def test_bound_indices_are_not_free_and_survive_substitution() -> None:
    i, n, x = sp.symbols("i n x", integer=True, positive=True)
    for kind in (MinOver, MaxOver, LogSumExpOver):
        expr = kind(i * x, (i, 1, n))
        assert expr.free_symbols == {n, x}
        assert expr.subs(i, 7) == expr
        assert expr.subs(x, 2).function == 2 * i
    counted = CountingFunction(i, x, (i, 1, n))
    assert counted.func(*counted.args) == counted
    assert counted.subs(n, 5).subs(x, 2).doit() == 3


def test_counting_with_an_undecided_comparison_is_an_interval() -> None:
    sigma, i = sp.IndexedBase("sigma"), sp.Symbol("i", integer=True, positive=True)
    count = ball_function(CountingFunction(sigma[i], 1, (i, 1, 3)), [sigma])
    value = count([2, arb(1, 0.1), 0])
    assert value.contains(arb(1)) and value.contains(arb(2)) and not value.contains(arb("2.5"))


def test_statements_are_non_negative_names_that_print() -> None:
    assert Risk().is_nonnegative
    assert sp.latex(MetricEntropy(sp.Symbol("x"))) == r"\mathcal{H}\left(x\right)"
    assert str(Risk() <= 1) == "Risk() <= 1"


def test_kl_and_its_inverse_at_the_corners() -> None:
    half = sp.Rational(1, 2)
    assert KLInverse(0, sp.log(2)) == half
    assert BernoulliKL(0, half) == sp.log(2)
    assert KLInverse(1, 5) == 1
    assert BernoulliKL(half, half) == 0
