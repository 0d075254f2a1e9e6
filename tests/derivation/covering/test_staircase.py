"""C4s against C1-C4, against direct integration, and against packings that can be counted."""

from __future__ import annotations

import math
import random

import mpmath
import numpy as np
import pytest
import sympy as sp

from majorant.derivation import symbols as s
from majorant.derivation.covering import (
    full_rank_entropy,
    selberg_log_volume,
    staircase_entropy,
    truncated_entropy,
)
from majorant.derivation.covering.staircase import staircase_correction


def evaluate(value, expr, rows, columns, knots, levels, tau=0.0, eps=1.0) -> float:
    return float(
        value(
            expr,
            {
                s.N1: rows,
                s.N2: columns,
                s.J_blocks: len(levels),
                s.knot: knots,
                s.level: levels,
                s.tau: mpmath.mpf(tau),
                s.eps: mpmath.mpf(eps),
            },
        )
    )


@pytest.mark.parametrize(("size", "exponent"), [(1, 0), (1, 7), (2, 0), (2, 2), (2, 5), (3, 2)])
def test_selberg_normalization_by_direct_integration(value, size: int, exponent: int) -> None:
    """The normalization, on cases other than those that the lemma carries."""
    points = sp.symbols(f"s1:{size + 1}", nonnegative=True)
    body = sp.prod(x**exponent for x in points) * sp.prod(
        points[i] ** 2 - points[j] ** 2 for i in range(size) for j in range(i + 1, size)
    )
    for index in reversed(range(size)):
        body = sp.integrate(sp.expand(body), (points[index], 0, points[index - 1] if index else 1))
    log_volume = value(selberg_log_volume(sp.Integer(size), sp.Integer(exponent)), {})
    assert mpmath.exp(log_volume) == pytest.approx(float(body), rel=1e-14)


def test_selberg_normalization_by_monte_carlo(value) -> None:
    """Four singular values, beyond what is integrated by hand."""
    rng = np.random.default_rng(0)
    draws = rng.uniform(size=(400_000, 4))
    squares = draws**2
    vandermonde = np.ones(len(draws))
    for i in range(4):
        for j in range(i):
            vandermonde *= np.abs(squares[:, i] - squares[:, j])
    body = vandermonde * draws.prod(axis=1) ** 2
    estimate = body.mean() / math.factorial(4)
    error = body.std() / math.sqrt(len(draws)) / math.factorial(4)
    exact = float(mpmath.exp(value(selberg_log_volume(sp.Integer(4), sp.Integer(2)), {})))
    assert abs(exact - estimate) < 4 * error


def test_volume_of_the_spectral_ball_by_monte_carlo(value) -> None:
    """P(norm of a uniform matrix in a box) from the singular-value density, 2 x 3."""
    rng = np.random.default_rng(1)
    inner = np.linalg.svd(rng.standard_normal((100_000, 2, 3)), compute_uv=False)
    # uniform in the Frobenius ball of radius sqrt(2), which contains the spectral unit ball
    radius = math.sqrt(2) * rng.uniform(size=(100_000, 1)) ** (1 / 6)
    spectra = inner / np.sqrt((inner**2).sum(axis=1, keepdims=True)) * radius
    both = (spectra[:, 0] <= 1).mean()
    flat = (spectra[:, 0] <= 1) & (spectra[:, 1] <= 0.5)
    # ratio of the volumes {s2 <= 1/2} and {s1 <= 1}: by the density (s1^2 - s2^2) s1 s2
    s1, s2 = sp.symbols("s1 s2", nonnegative=True)
    density = (s1**2 - s2**2) * s1 * s2
    whole = sp.integrate(density, (s2, 0, s1), (s1, 0, 1))
    assert float(whole) == pytest.approx(
        float(mpmath.exp(value(selberg_log_volume(sp.Integer(2), sp.Integer(1)), {})))
    )
    half = sp.Rational(1, 2)
    part = sp.integrate(density, (s2, 0, s1), (s1, 0, half)) + sp.integrate(
        density, (s2, 0, half), (s1, half, 1)
    )
    assert flat.mean() / both == pytest.approx(float(part / whole), abs=0.01)


def test_one_full_block_is_the_volume_argument(value) -> None:
    for rows, columns in ((1, 1), (3, 5), (6, 6)):
        got = evaluate(value, staircase_entropy(), rows, columns, [0, rows], [2.0], 0.0, 0.3)
        ball = value(
            full_rank_entropy(),
            {s.N1: rows, s.N2: columns, s.C: mpmath.mpf(2.0), s.eps: mpmath.mpf(0.3)},
        )
        assert got == pytest.approx(float(ball), rel=1e-12)


def random_case(rng: random.Random) -> tuple:
    rows = rng.randint(1, 24)
    columns = rows + rng.randint(0, 24)
    kept = rng.randint(1, rows)
    inner = sorted(rng.sample(range(1, kept), min(kept - 1, rng.randint(0, 4)))) if kept > 1 else []
    knots = [0, *inner, kept]
    levels = sorted((10 ** rng.uniform(-2, 1) for _ in knots[1:]), reverse=True)
    eps = 10 ** rng.uniform(-3, 0) * levels[0]
    tau = 0.0 if kept == rows else rng.choice([0.0, min(levels[-1], eps) * rng.uniform(0, 0.9)])
    return rows, columns, knots, levels, tau, eps


def test_correction_is_moderate_and_the_entropy_beats_low_rank_covers(value) -> None:
    """Delta <= log 2 sum d_j, hence C4s is at most C3 at the knots' own rank (many draws)."""
    rng = random.Random(2)
    ratios = []
    for _ in range(40):
        rows, columns, knots, levels, tau, eps = random_case(rng)
        dimension = knots[-1] * (rows + columns - knots[-1])
        delta = evaluate(value, staircase_correction(), rows, columns, knots, levels)
        assert delta <= dimension * math.log(2) + 1e-9
        got = evaluate(value, staircase_entropy(), rows, columns, knots, levels, tau, eps)
        low_rank = float(
            value(
                truncated_entropy(),
                {
                    s.k: knots[-1],
                    s.N1: rows,
                    s.N2: columns,
                    s.C: mpmath.mpf(levels[0]),
                    s.tau: mpmath.mpf(tau),
                    s.eps: mpmath.mpf(eps),
                },
            )
        )
        assert got <= low_rank * (1 + 1e-12)
        ratios.append(got / low_rank)
    assert min(ratios) < 0.6


def test_never_below_the_packing_of_a_diagonal_subclass(value) -> None:
    """Lower bound: diagonal members with entries on a grid of step > 2 eps need own centres."""
    rng = random.Random(3)
    for _ in range(25):
        rows, columns, knots, levels, _, eps = random_case(rng)
        packed = 0.0
        for start, end, level in zip(knots[:-1], knots[1:], levels, strict=True):
            packed += (end - start) * math.log(1 + math.floor(level / (2.001 * eps)))
        # signs are free and the entries need not be ordered inside a block
        got = evaluate(value, staircase_entropy(), rows, columns, knots, levels, 0.0, eps)
        assert got >= packed - 1e-9


def test_adding_a_knot_with_equal_levels_is_never_an_improvement_by_much(value) -> None:
    """Splitting a block relaxes the volume: the entropy may only grow."""
    whole = evaluate(value, staircase_entropy(), 6, 8, [0, 4], [1.0], 0.0, 0.1)
    split = evaluate(value, staircase_entropy(), 6, 8, [0, 2, 4], [1.0, 1.0], 0.0, 0.1)
    assert split >= whole - 1e-9
