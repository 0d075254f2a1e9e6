"""D1-D3 and the factors as properties of random spectra, evaluated with plain NumPy."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation import symbols as s
from majorant.derivation.comparison import (
    D1,
    D3,
    envelope_contribution,
    envelope_factor,
    published_factor,
    published_over_schatten,
    schatten_factor,
)
from majorant.derivation.published import published_contribution

spectra = st.lists(st.floats(1e-6, 1e3), min_size=1, max_size=8).map(
    lambda values: np.sort(np.array(values))[::-1]
)
kappas = st.floats(1e-8, 1e12)
indices = st.floats(0, 2)


def c_pub(sigma: np.ndarray, kappa: float, width: int, p: float) -> float:
    total = float((sigma**p).sum())
    return total ** (1 / (p + 2)) * kappa ** (p / (p + 2)) * width ** ((p + 1) / (p + 2))


def c_new(sigma: np.ndarray, kappa: float, width: int, p: float) -> float:
    return float(np.sqrt(width * (sigma**p).sum() * kappa**p))


def c_env(sigma: np.ndarray, kappa: float, width: int, c: float) -> float:
    steps = np.sqrt(np.arange(1, len(sigma) + 1)) - np.sqrt(np.arange(len(sigma)))
    return float(np.sqrt(width) * (steps * np.minimum(kappa * sigma, c)).sum())


@settings(max_examples=60, deadline=None)
@given(sigma=spectra, kappa=kappas, p=indices, extra=st.integers(0, 50))
def test_d1_geometric_mean(sigma: np.ndarray, kappa: float, p: float, extra: int) -> None:
    width = len(sigma) + extra
    mean = c_new(sigma, kappa, width, p) ** (2 / (p + 2)) * width ** (p / (p + 2))
    assert c_pub(sigma, kappa, width, p) == pytest.approx(mean, rel=1e-10)


@settings(max_examples=60, deadline=None)
@given(sigma=spectra, kappa=kappas, p=indices, extra=st.integers(0, 50))
def test_d2_the_least_schatten_factor_never_exceeds(
    sigma: np.ndarray, kappa: float, p: float, extra: int
) -> None:
    width = len(sigma) + extra
    least = min(c_new(sigma, kappa, width, 0.0), c_new(sigma, kappa, width, p))
    assert least <= c_pub(sigma, kappa, width, p) * (1 + 1e-12)


@settings(max_examples=60, deadline=None)
@given(sigma=spectra, kappa=kappas, p=st.floats(0, 1.99), c=st.floats(1e-3, 1e3))
def test_d3_the_envelope_is_below_every_index(
    sigma: np.ndarray, kappa: float, p: float, c: float
) -> None:
    width = 2 * len(sigma)
    right = c_new(sigma, kappa, width, p) * c ** (1 - p / 2) / (1 - p / 2)
    assert c_env(sigma, kappa, width, c) <= right * (1 + 1e-12)


@settings(max_examples=50, deadline=None)
@given(sigma=spectra, kappa=kappas, c=st.floats(1e-3, 1e3))
def test_envelope_is_the_integral_of_the_root_of_the_counting_function(
    sigma: np.ndarray, kappa: float, c: float
) -> None:
    """Integrate the step function exactly between the values `kappa sigma_i`."""
    width = 2 * len(sigma)
    ends = np.sort(np.unique(np.concatenate([[0.0, c], np.minimum(kappa * sigma, c)])))
    middles = (ends[1:] + ends[:-1]) / 2
    counts = (kappa * sigma[None, :] > middles[:, None]).sum(axis=1)
    integral = (np.sqrt(width * counts) * np.diff(ends)).sum()
    assert c_env(sigma, kappa, width, c) == pytest.approx(float(integral), rel=1e-9, abs=1e-300)


def test_d3_is_attained_at_p_zero_and_nearly_in_the_weak_class() -> None:
    """Equality at p = 0; at p = 1 the profile 1/i comes within 1 % of the weak-norm form."""
    flat = np.ones(5)
    assert c_env(flat, 1.0, 7, 0.5) == pytest.approx(c_new(flat, 1.0, 7, 0.0) * 0.5, rel=1e-14)
    weak = 1 / np.arange(1, 400_001)
    c = 0.01
    right = 2 * np.sqrt(c)  # sqrt(1) c^{1-p/2}/(1-p/2) with i sigma_i <= 1 in place of S_p
    assert 0.9 * right < c_env(weak, 1.0, 1, c) < right


def test_module_expressions_equal_the_plain_formulas(value) -> None:
    rng = np.random.default_rng(4)
    sigma = np.sort(rng.uniform(0.1, 3, (3, 4)), axis=1)[:, ::-1]
    kappa = np.array([0.1, 2.0, 30.0])
    width, m = 9, 3
    at = {s.sigma: sigma, s.kappa_of: kappa, s.N: width, s.m_grid: m, s.K: 3, s.r: 4}
    grid = [g / m for g in range(2 * m + 1)]
    rows = list(zip(sigma, kappa, strict=True))
    plain = {
        published_factor(): sum(min(c_pub(x, k, width, p) for p in grid) for x, k in rows),
        schatten_factor(): sum(min(c_new(x, k, width, p) for p in grid) for x, k in rows),
        envelope_factor(): sum(c_env(x, k, width, 0.25) for x, k in rows),
    }
    for expr, expected in plain.items():
        assert float(value(expr, at)) == pytest.approx(expected, rel=1e-12)
    assert plain[schatten_factor()] <= plain[published_factor()]


def test_the_ratio_is_derived_not_typed() -> None:
    S, kappa = sp.symbols("S kappa", positive=True)
    ratio = published_contribution(S, kappa, s.N, s.p) / sp.sqrt(s.N * S * kappa**s.p)
    difference = sp.log(ratio) - sp.log(published_over_schatten(S, kappa))
    assert sp.simplify(sp.expand_log(difference, force=True)) == 0


def test_a_smaller_exponent_in_d1_is_refuted(value) -> None:
    at = {s.N: 7, s.p: mpmath.mpf(1)}
    at |= {symbol: mpmath.mpf(3) for symbol in D1.lhs.free_symbols if str(symbol) in "Skappa"}
    assert abs(value(D1.lhs, at) - value(D1.rhs, at)) < mpmath.mpf(10) ** -30
    assert abs(value(D1.lhs, at) - value(D1.rhs, {**at, s.p: mpmath.mpf(2)})) > 0.1


def test_d3_holds_for_the_lemma_object_itself(value) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        sigma = np.sort(rng.uniform(0, 3, (1, 6)), axis=1)[:, ::-1]
        at = {
            s.sigma: sigma,
            s.a: 1,
            s.r: 6,
            s.N: 12,
            s.kappa: mpmath.mpf(10 ** rng.uniform(-2, 3)),
            s.c: mpmath.mpf(10 ** rng.uniform(-2, 2)),
            s.p: mpmath.mpf(rng.uniform(0, 1.9)),
        }
        assert value(D3.lhs, at) <= value(D3.rhs, at)
        assert value(envelope_contribution(), at) == value(D3.lhs, at)
