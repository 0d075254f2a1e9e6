"""Compiled compositions are the rule M4 itself, also where floats would under- or overflow."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.majorants.series import Majorant
from majorant.derivation.ring import ExactRing
from majorant.numerics.rings import LogFloatRing
from majorant.numerics.rings.straight_line import composition

LOGS = st.one_of(st.floats(-3, 3), st.floats(-2000, 2000), st.just(-math.inf))


@given(order=st.integers(1, 10), data=st.data())
@settings(max_examples=40, deadline=None)
def test_small_integers_compose_exactly(order: int, data: st.DataObject) -> None:
    whole = st.integers(0, 3)
    outer = data.draw(st.lists(whole, min_size=order + 1, max_size=order + 1))
    terms = data.draw(st.integers(2, order + 1))
    inner = [0, *data.draw(st.lists(whole, min_size=terms - 1, max_size=terms - 1))]
    expected = [0] * (order + 1)
    power = [1] + [0] * order
    for coefficient in outer:
        expected = [x + coefficient * y for x, y in zip(expected, power, strict=True)]
        power = [sum(power[m - j] * inner[j] for j in range(1, min(m, terms - 1) + 1))
                 for m in range(order + 1)]
    assert composition(order, terms)(outer, inner) == tuple(expected)
    padded = tuple(inner) + (0,) * (order + 1 - terms)
    horner = Majorant(ExactRing(), padded).then(Majorant(ExactRing(), tuple(outer)))
    assert list(horner.taylor) == expected


@given(order=st.integers(1, 6), data=st.data())
@settings(max_examples=60, deadline=None)
def test_logarithms_of_any_size_compose_as_balls_do(order: int, data: st.DataObject) -> None:
    outer, inner = ([*data.draw(st.lists(LOGS, min_size=order + 1, max_size=order + 1))]
                    for _ in range(2))
    ring = LogFloatRing()
    found = Majorant(ring, tuple(inner)).then(Majorant(ring, tuple(outer))).taylor
    with ctx.workprec(200):
        exact = [[arb(0) if x == -math.inf else arb(x).exp() for x in values]
                 for values in (outer, [-math.inf, *inner[1:]])]
        result, power = [arb(0)] * (order + 1), [arb(1)] + [arb(0)] * order
        for coefficient in exact[0]:
            result = [x + coefficient * y for x, y in zip(result, power, strict=True)]
            power = [sum((power[m - j] * exact[1][j] for j in range(1, m + 1)), arb(0))
                     for m in range(order + 1)]
        for log, value in zip(found, result, strict=True):
            if value == 0:
                assert log == -math.inf
            else:
                assert math.isclose(log, float(value.log().mid()), rel_tol=1e-9, abs_tol=1e-9)


def test_the_fast_way_steps_aside_before_a_coefficient_is_lost() -> None:
    ring = LogFloatRing()
    outer, inner = [0.0, -1500.0, 0.0], [-math.inf, 0.0, -1500.0]
    assert ring.compose(outer, inner, 2) is None
    slow = Majorant(ring, tuple(inner)).then(Majorant(ring, tuple(outer))).taylor
    assert slow[1] == -1500.0
    assert ring.compose([0.0, ring.fraction(Fraction(1, 2)), 0.0], [0.0, 0.0, 0.0], 2) is not None
