"""Chaining, the entropy integral and the spectral code against direct computation."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation import symbols as s
from majorant.derivation.generalization import (
    chain_bound,
    chaining_constant,
    compressed_risk,
    deviation,
    dudley_bound,
    integral_bound,
    massart,
    occam_margin,
    occam_risk,
    power_entropy,
    rademacher_bound,
    variance_floor,
    variance_room,
)
from majorant.derivation.generalization.inverse_square import inverse_square_integral


@pytest.mark.parametrize(
    ("A", "p", "B", "c", "offset"),
    [
        (1, 0, 1, 0.25, 0),
        (1e4, 0, 1e8, 0.25, 1),
        (3, 1, 10, 0.25, 0),
        (2, 1.5, 1e4, 2, 0),
        (5, 0.3, 1e-3, 0.25, 1),
        (1, 1.8, 100, 0.01, 0),
    ],
)
def test_g4_bounds_the_integral(A: float, p: float, B: float, c: float, offset: float) -> None:
    entropy = sp.lambdify(s.eps, power_entropy(A, p, B, s.eps, offset), "mpmath")

    def integrand(t: float) -> mpmath.mpf:
        eps = c * mpmath.exp(-t)
        return mpmath.sqrt(entropy(eps)) * eps

    exact = mpmath.quad(integrand, [0, 1, 10, 100, 1000])
    bound = float(integral_bound(*map(sp.Float, (A, p, B, c, offset))))
    assert exact <= bound * (1 + 1e-9)
    if c < B:
        assert bound <= 2 * exact  # it is not far off either


def test_inverse_square_integral_is_an_upper_bound() -> None:
    for constant, A, cut in itertools.product((0.0, 3.0), (0.1, 50.0), (0.001, 0.2)):
        exact = mpmath.quad(lambda e: mpmath.sqrt(constant + A / e**2), [cut, 0.25])  # noqa: B023
        bound = inverse_square_integral(*map(sp.Float, (constant, A, cut, 0.25)))
        assert exact <= float(bound) * (1 + 1e-12)


@settings(max_examples=60, deadline=None)
@given(scale=st.floats(0.1, 1e4), p=st.floats(0, 1.5), n=st.integers(10, 10**7))
def test_g3_on_dyadic_scales_is_never_worse_than_g2(scale: float, p: float, n: int) -> None:
    """With `a = 2^{-J-2}`, for both kinds of covers."""
    for J in (1, 3, 6):
        scales = [mpmath.mpf(2) ** -(j + 1) for j in range(J + 1)]
        H = [scale * e**-p for e in scales[1:]]
        a = scales[-1] / 2  # e_{J+1}
        integral = mpmath.quad(lambda e: mpmath.sqrt(scale * e**-p), [a, 0.25])
        for internal, name in ((False, "any"), (True, "internal")):
            links = [x if internal else x + y for x, y in itertools.pairwise(scales)]
            chain = scales[-1] + sum(
                link * mpmath.sqrt(2 * h / n) for link, h in zip(links, H, strict=True)
            )
            dudley = 4 * a + chaining_constant(name).evalf() * integral / mpmath.sqrt(n)
            assert chain <= dudley * (1 + mpmath.mpf(10) ** -12)


def test_chain_expression_equals_a_plain_loop(value) -> None:
    scales = [0.5, 0.2, 0.07, 0.01]
    H = [3.0, 11.0, 40.0]
    at = {s.scale_of: scales, s.H_of: H, s.J: 3, s.n: 1000}
    for internal in (False, True):
        plain = scales[-1]
        for j in range(3):
            link = scales[j] + (0.0 if internal else scales[j + 1])
            plain += link * math.sqrt(2 * H[j] / 1000)
        assert float(value(chain_bound(internal), at)) == pytest.approx(plain, rel=1e-13)


def test_tree_chaining_bounds_the_rademacher_complexity_of_a_finite_class() -> None:
    """Exact expectation over all sign vectors, with the best covers by brute force."""
    rng = np.random.default_rng(0)
    n = 8
    signs = np.array(list(itertools.product((-1, 1), repeat=n)))
    for _ in range(10):
        values = rng.uniform(size=(6, n))
        exact = (signs @ values.T / n).max(axis=1).mean()

        def covering_number(eps: float, table: np.ndarray = values) -> int:
            near = np.abs(table[:, None, :] - table[None, :, :]).max(axis=2) <= eps
            for size in range(1, len(table) + 1):
                for centres in itertools.combinations(range(len(table)), size):
                    if near[list(centres)].any(axis=0).all():
                        return size
            raise AssertionError

        scales = [0.5, 0.35, 0.2, 0.1, 0.01]
        H = [math.log(covering_number(e)) for e in scales[1:]]
        bound = scales[-1] + sum(scales[j] * math.sqrt(2 * H[j] / n) for j in range(len(H)))
        assert exact <= bound
        finest = massart(sp.Float(math.log(6)), sp.Rational(1, 2), sp.Integer(n))
        assert exact <= float(finest)


def test_dudley_and_rademacher_formulas(value) -> None:
    at = {
        s.integral: mpmath.mpf(2),
        s.cut: mpmath.mpf("0.05"),
        s.n: 100,
        s.c0: mpmath.mpf(12),
        s.R_hat: mpmath.mpf("0.1"),
        s.rademacher: mpmath.mpf("0.2"),
        s.delta: mpmath.mpf("0.05"),
        s.price: mpmath.mpf(3),
    }
    assert float(value(dudley_bound(), at)) == pytest.approx(0.2 + 12 * 2 / 10)
    plain = 0.1 + 0.4 + math.sqrt((math.log(20) + 3) / 200)
    assert float(value(rademacher_bound(), at)) == pytest.approx(plain)
    assert float(value(deviation(width=sp.Integer(2)), at)) == pytest.approx(2 * (plain - 0.5))


def test_occam_formulas(value) -> None:
    at = {
        s.R_hat: mpmath.mpf("0.02"),
        s.entropy: mpmath.mpf(500),
        s.price: mpmath.mpf(40),
        s.delta: mpmath.mpf("0.05"),
        s.n: 100_000,
        s.Lambda: mpmath.mpf(2),
        s.eps: mpmath.mpf("0.01"),
        s.code: mpmath.mpf(540),
    }
    level = (540 + math.log(20)) / 100_000
    bound = float(value(occam_margin(), at))
    kl = 0.02 * math.log(0.02 / bound) + 0.98 * math.log(0.98 / (1 - bound))
    assert kl == pytest.approx(level, rel=1e-9)
    assert bound > 0.02
    assert float(value(compressed_risk(), at)) == pytest.approx(bound, rel=1e-12)
    moved = float(value(occam_risk(), at))
    assert moved > bound + 0.02


def test_occam_at_zero_margin_error_is_one_minus_exp(value) -> None:
    at = {s.entropy: 10, s.price: 0, s.delta: mpmath.mpf("0.1"), s.n: 50}
    expected = -math.expm1(-(10 + math.log(10)) / 50)
    assert float(value(occam_margin(R_hat=sp.S.Zero), at)) == pytest.approx(expected)


def test_chernoff_in_kl_form_by_exact_binomial_tails() -> None:
    """P(kl+(R^ || R) > c) <= exp(-n c), exactly, for coin flips."""
    for n, risk, c in itertools.product((1, 5, 40), (0.03, 0.4, 0.9), (0.01, 0.1, 1.0)):
        tail = 0.0
        for count in range(n + 1):
            q = count / n
            kl = 0.0
            if q < risk:
                kl = (q * math.log(q / risk) if q else 0.0) + (1 - q) * math.log(
                    (1 - q) / (1 - risk)
                )
            if kl > c:
                tail += math.comb(n, count) * risk**count * (1 - risk) ** (n - count)
        assert tail <= math.exp(-n * c) * (1 + 1e-12)


@settings(max_examples=100, deadline=None)
@given(
    start=st.lists(st.floats(-3, 3), min_size=2, max_size=8),
    push=st.lists(st.floats(-1, 1), min_size=2, max_size=8),
    v=st.floats(1e-4, 1),
)
def test_variances_survive_a_move_within_the_room(
    start: list[float], push: list[float], v: float
) -> None:
    """Two moves of `sqrt(N v)/4` leave the variance above the floor `v/4`."""
    width = min(len(start), len(push))
    x, direction = np.array(start[:width]), np.array(push[:width])
    if x.var() <= v or np.linalg.norm(direction) == 0:
        return
    room = float(variance_room(sp.Float(v), sp.Integer(width)))
    moved = x + 2 * room * direction / np.linalg.norm(direction)
    assert moved.var() >= float(variance_floor(sp.Float(v))) * (1 - 1e-9)
