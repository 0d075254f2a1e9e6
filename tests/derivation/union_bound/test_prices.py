"""Weights sum to at most 1, and rounding costs what the lemmas say."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation import symbols as s
from majorant.derivation.union_bound import (
    descent_price,
    geometric_price,
    geometric_value,
    geometric_weight,
    index_loss,
    index_price,
    published_index_loss,
    rank_price,
    staircase_price,
)

weight = sp.lambdify(s.exponent, geometric_weight(), "math")


def test_geometric_weights_sum_to_one() -> None:
    reach = 5000
    total = math.fsum(weight(e) for e in range(-reach, reach + 1))
    assert total < 1
    assert total == pytest.approx(1 - 4 / 3 / (reach + 2), rel=1e-12)


def test_price_is_minus_the_log_of_the_weight() -> None:
    for e in (-7, -1, 0, 1, 30):
        exact = geometric_price(sp.Integer(e)) + sp.log(geometric_weight(sp.Integer(e)))
        assert sp.simplify(exact) == 0


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_staircase_weights_sum_to_at_most_one(blocks: int) -> None:
    """All levels between -R and R: a part of the sum, which tends to 1 with R."""
    step = sp.lambdify((s.tau, s.eps), descent_price(s.tau, s.eps), "math")
    totals = []
    for reach in (4, 8, 16):
        total = 0.0
        for levels in itertools.product(range(-reach, reach + 1), repeat=blocks):
            if any(x < y for x, y in itertools.pairwise(levels)):
                continue
            price = -math.log(weight(levels[0]))
            price += sum(step(x, y) for x, y in itertools.pairwise(levels))
            total += math.exp(-price)
        totals.append(total)
    assert totals[0] < totals[1] < totals[2] < 1


def test_staircase_price_matches_a_plain_loop(value) -> None:
    levels = [5, 5, 2, -3]
    at = {s.N_min: 768, s.J_blocks: 4, s.exponent_of: levels}
    plain = math.log(769) + math.log(1.5) + math.log(6 * 7)
    plain += sum(math.log((x - y + 1) * (x - y + 2)) for x, y in itertools.pairwise(levels))
    assert float(value(staircase_price(), at)) == pytest.approx(plain, rel=1e-14)
    assert float(value(rank_price(), at)) == pytest.approx(math.log(769), rel=1e-14)


def test_a_typical_staircase_costs_about_84_nats(value) -> None:
    """768 x 768, ratio 1.01, a spectrum that falls from 10 to 0.1: the figure of the notes."""
    knots = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    sigma = [10 * 0.01 ** (knot / 768) for knot in knots]
    levels = [math.ceil(math.log(x) / math.log(1.01)) for x in sigma]
    at = {s.N_min: 768, s.J_blocks: len(levels), s.exponent_of: levels}
    assert 50 < float(value(staircase_price(), at)) < 110


@settings(max_examples=60, deadline=None)
@given(
    sigma=st.lists(st.floats(1e-9, 1e3), min_size=1, max_size=6),
    kappa=st.floats(1e-6, 1e9),
    m=st.integers(1, 30),
    p=st.floats(0, 2),
)
def test_moving_the_index_up_to_the_grid_costs_at_most_u2(
    sigma: list[float], kappa: float, m: int, p: float
) -> None:
    up = math.ceil(p * m) / m
    spectrum, top, width = np.array(sigma), max(sigma), len(sigma) + 3

    def new(q: float) -> float:
        return 0.5 * (math.log(width) + math.log((spectrum**q).sum()) + q * math.log(kappa))

    def published(q: float) -> float:
        total = math.log((spectrum**q).sum()) + q * math.log(kappa)
        return (total + (q + 1) * math.log(width)) / (q + 2)

    loss = float(sp.log(index_loss(sp.Float(kappa), sp.Float(top), sp.Integer(m))))
    assert new(up) - new(p) <= loss + 1e-9
    loss = float(
        sp.log(
            published_index_loss(sp.Float(kappa), sp.Float(top), sp.Integer(width), sp.Integer(m))
        )
    )
    assert published(up) - published(p) <= loss + 1e-9


def test_moving_the_index_down_is_not_safe() -> None:
    """A tiny singular value makes the contribution jump at p = 0."""
    spectrum = np.array([1.0] + [1e-30] * 99)
    down = math.sqrt((spectrum**0.0).sum())
    here = math.sqrt((spectrum**0.05).sum())
    assert down > 1.5 * here


def test_index_price_counts_the_grid() -> None:
    assert index_price(sp.Integer(3), sp.Integer(12)) == 3 * sp.log(25)


@settings(max_examples=100, deadline=None)
@given(x=st.floats(1e-12, 1e12), ratio=st.floats(1e-3, 1))
def test_rounding_up_costs_at_most_one_step(x: float, ratio: float) -> None:
    e = math.ceil(math.log(x) / math.log1p(ratio))
    grid = float(geometric_value(sp.Integer(e), sp.Float(ratio)))
    assert x * (1 - 1e-9) <= grid <= x * (1 + ratio) * (1 + 1e-9)
