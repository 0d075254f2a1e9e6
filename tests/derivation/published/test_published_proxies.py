"""The published proxies: parity with plain NumPy on random spectra, edge cases, monotonicity."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation import symbols as s
from majorant.derivation.errors import UnusableInput
from majorant.derivation.published import (
    alpha_after,
    grid_resolution,
    head_constant,
    norm_proxy,
    published_contribution,
    published_sensitivity,
    spectrum_proxy,
)
from majorant.derivation.published.sensitivity import ROLES

L, H = 3, 2
RNG = np.random.default_rng(0)
TABLES = {
    s.C_Q_of: RNG.uniform(0.1, 3, (L, H)),
    s.C_V_of: RNG.uniform(0.1, 3, (L, H)),
    s.C_in_of: RNG.uniform(0.1, 3, L),
    s.C_out_of: RNG.uniform(0.1, 3, L),
    s.QK21_of: RNG.uniform(1, 30, (L, H)),
    s.V21_of: RNG.uniform(1, 30, (L, H)),
    s.in21_of: RNG.uniform(1, 30, L),
    s.out21_of: RNG.uniform(1, 30, L),
}
L_PHI = 1.13


@pytest.fixture
def number(value: Callable) -> Callable[..., float]:
    """Independent evaluation with symbols given by name and families by table."""

    def evaluate(expr: sp.Expr, tables: dict, **values: float) -> float:
        named = {s.lookup(name): at for name, at in values.items()}
        return float(value(expr, {**tables, **named}))

    return evaluate


def alpha_numpy(block: int, constants: str = "crude") -> float:
    """`alpha` of block number `block` (from 0) by plain loops."""
    head = {
        "crude": lambda c: 1 + 4 * c,
        "series": lambda c: 1 + 2 * c,
        "sharp": lambda c: c + math.hypot(1, c),
    }[constants]
    value = 1.0
    for later in range(block + 1, L):
        heads = sum(TABLES[s.C_V_of][later, h] * head(TABLES[s.C_Q_of][later, h]) for h in range(H))
        value *= L_PHI * TABLES[s.C_in_of][later] * TABLES[s.C_out_of][later] * heads
    return value


@pytest.mark.parametrize("constants", ["crude", "series", "sharp"])
@pytest.mark.parametrize("block", range(L))
def test_alpha_is_the_product_over_later_blocks(
    number: Callable, block: int, constants: str
) -> None:
    expr = alpha_after(sp.Integer(block + 1), constants)
    value = number(expr, TABLES, L=L, H=H, L_phi=L_PHI)
    assert value == pytest.approx(alpha_numpy(block, constants), rel=1e-13)


def test_alpha_of_the_last_block_is_one(number: Callable) -> None:
    assert number(alpha_after(sp.Integer(L)), TABLES, L=L, H=H, L_phi=L_PHI) == 1


def test_norm_proxy_matches_plain_loops(number: Callable) -> None:
    total = 0.0
    for block in range(L):
        feed = TABLES[s.C_out_of][block] * TABLES[s.C_in_of][block]
        xi = sum(
            (feed * TABLES[s.C_V_of][block, h] * TABLES[s.QK21_of][block, h]) ** (2 / 3)
            + (feed * TABLES[s.V21_of][block, h]) ** (2 / 3)
            for h in range(H)
        )
        xi += (TABLES[s.C_out_of][block] * TABLES[s.in21_of][block]) ** (2 / 3)
        xi += TABLES[s.out21_of][block] ** (2 / 3)
        total += alpha_numpy(block) ** (2 / 3) * xi
    value = number(norm_proxy(), TABLES, L=L, H=H, L_phi=L_PHI)
    assert value == pytest.approx((1 + total) ** 1.5, rel=1e-13)


def test_spectrum_proxy_matches_plain_loops(number: Callable) -> None:
    spectra = np.sort(RNG.uniform(0.01, 2, (4, 5)), axis=1)[:, ::-1].copy()
    spectra[1, 3:] = 0.0  # padding: a matrix of rank 3
    kappas = np.array([0.2, 5.0, 40.0, 1e-3])
    width, depth, m = 16, 2, 5
    best = []
    for row, kappa in zip(spectra, kappas, strict=True):
        candidates = []
        for g in range(2 * m + 1):
            p = g / m
            schatten = float((row[row > 0] ** p).sum())
            candidates.append(
                schatten ** (1 / (p + 2)) * kappa ** (p / (p + 2)) * width ** ((p + 1) / (p + 2))
            )
        best.append(min(candidates))
    tables = {s.sigma: spectra, s.kappa_of: kappas}
    value = number(spectrum_proxy(), tables, L=depth, N=width, m_grid=m, K=4, r=5)
    assert value == pytest.approx(sum(best) + math.sqrt(depth), rel=1e-12)


def test_padding_with_zeros_changes_nothing_at_any_index(number: Callable) -> None:
    from majorant.derivation.published import schatten_quantity

    short, padded = np.array([[2.0, 0.5]]), np.array([[2.0, 0.5, 0.0, 0.0]])
    for index in (sp.Integer(0), sp.Rational(1, 20), sp.Integer(2)):
        expr = schatten_quantity(sp.Integer(1), index)
        assert number(expr, {s.sigma: short}, r=2) == number(expr, {s.sigma: padded}, r=4)


def test_published_resolution_of_the_demo_model_is_12() -> None:
    assert grid_resolution(sp.Integer(6), sp.Integer(384)) == 12


@settings(max_examples=60, deadline=None)
@given(c=st.fractions(0, 1000, max_denominator=1000))
def test_head_constants_are_ordered(c: Fraction) -> None:
    exact = sp.Rational(c.numerator, c.denominator)
    sharp, series, crude = (head_constant(exact, name) for name in ("sharp", "series", "crude"))
    assert bool(sharp <= series)
    assert bool(series <= crude)


def test_unknown_constants_are_refused_by_name() -> None:
    with pytest.raises(UnusableInput, match="'crude', 'series' or 'sharp'"):
        head_constant(s.C_Q, "best")  # type: ignore[arg-type]


def test_published_gammas_are_the_sensitivities_at_the_last_block(number: Callable) -> None:
    values = [
        number(
            published_sensitivity(role, sp.Integer(L), sp.Integer(1)), TABLES, L=L, H=H, L_phi=L_PHI
        )
        for role in ROLES
    ]
    c_in, c_out = TABLES[s.C_in_of][-1], TABLES[s.C_out_of][-1]
    c_v = TABLES[s.C_V_of][-1, 0]
    expected = [2 * c_v * c_out * c_in * L, c_out * c_in * L, c_out * L, L]
    assert values == pytest.approx(expected, rel=1e-13)


def test_published_contribution_is_not_monotone_in_p() -> None:
    """A flat spectrum wants a small index, a peaked one with small kappa a large index."""
    f = sp.lambdify(
        (s.S, s.kappa, s.N, s.p), published_contribution(s.S, s.kappa, s.N, s.p), "math"
    )
    flat = [f(64.0, 50.0, 64, p) for p in (0.0, 1.0, 2.0)]
    assert flat[0] < flat[1] < flat[2]
    peaked = [f(sum((0.5 * 0.5**i) ** p for i in range(64)), 0.1, 64, p) for p in (0.0, 1.0, 2.0)]
    assert peaked[0] > peaked[1] > peaked[2]
