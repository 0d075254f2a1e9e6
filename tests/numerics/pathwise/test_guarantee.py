"""The one-trajectory guarantee as numbers: sums, cut-offs, rates, refusals."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import UnusableInput
from majorant.derivation.pathwise import correlation_bound, lattice_counts
from majorant.derivation.pathwise.lattice import finite_part, lattice_sum
from majorant.derivation.symbols import A_period, D, Q_cut, count_of, cut_of, d, n, rho, s
from majorant.numerics.lowering.balls import ball_function
from majorant.numerics.pathwise import cutoff_derivatives, parse_chain, smooth_supremum
from majorant.numerics.pathwise.block import parse_block
from majorant.numerics.pathwise.chain import check_states
from majorant.numerics.pathwise.cutoff import step_polynomial, step_suprema
from majorant.numerics.pathwise.guarantee import pathwise_guarantee, steps_for
from majorant.numerics.pathwise.smooth_class import best_cut


@given(st.integers(1, 4), st.integers(0, 30))
@settings(max_examples=20, deadline=None)
def test_lattice_counts_are_exact(dimension: int, longest: int) -> None:
    reach = math.isqrt(longest)
    expected = [0] * (longest + 1)
    for point in itertools.product(range(-reach, reach + 1), repeat=dimension):
        length = sum(x * x for x in point)
        if length <= longest:
            expected[length] += 1
    assert lattice_counts(dimension, longest) == expected


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_suprema_of_the_step_enclose_a_fine_grid(order: int) -> None:
    polynomial = step_polynomial(order)
    grid = np.linspace(0, 1, 2001)
    for j, bound in enumerate(step_suprema(order)):
        coefficients = [float(arb(x)) for x in polynomial.coeffs()] or [0.0]
        values = np.abs(np.polyval(coefficients[::-1], grid))
        assert values.max() <= float(bound.upper()) + 1e-9, j
        assert values.max() >= float(bound.lower()) * (1 - 1e-4), j
        polynomial = polynomial.derivative()


def test_cutoff_takes_products_over_coordinates() -> None:
    one = cutoff_derivatives(2, 1, Fraction(1))
    two = cutoff_derivatives(2, 2, Fraction(1))
    assert float(one[2].mid()) == pytest.approx(6.0)
    assert float(two[2].mid()) == pytest.approx(max(6.0, 1.5**2))


@pytest.mark.parametrize(("contraction", "steps"), [(0.0, 50), (0.5, 200), (0.9, 400)])
def test_correlation_bound_holds_for_a_simulated_chain(contraction: float, steps: int) -> None:
    """Mean square of (pi_n - pi) of a wave, over many trajectories, stays below v_k."""
    rng = np.random.default_rng(0)
    chain = parse_chain(f"rho={contraction},diameter=1,dim=1")
    runs, period = 4000, 2.0
    state = np.zeros(runs)
    waves = {k: np.zeros(runs, dtype=complex) for k in (1, 2, 5)}
    for _ in range(steps):
        state = contraction * state + (1 - contraction) * rng.random(runs)
        for k in waves:
            waves[k] += np.exp(2j * np.pi * k * state / period) / steps
    draws = np.zeros(200_000)
    for power in range(1 if contraction == 0 else 330):
        draws += (1 - contraction) * contraction**power * rng.random(len(draws))
    bound = ball_function(correlation_bound(), [rho, D, A_period, n, q_symbol(), cut_of])
    for k, sums in waves.items():
        truth = np.exp(2j * np.pi * k * draws / period).mean()
        measured = float((np.abs(sums - truth) ** 2).mean())
        cuts = [0] * k * k
        cuts[-1] = best_cut(k * k, Fraction(2), chain)
        allowed = bound(chain.positive_rho, 1, 2, steps, k * k, cuts)
        assert measured <= float(allowed.upper()) * 1.02, (k, measured, allowed)


def q_symbol() -> object:
    from majorant.derivation.symbols import q

    return q


def test_lattice_tail_bounds_a_much_longer_sum() -> None:
    """Finite part up to 200 plus the tail is above the finite part up to 20,000 (dimension 2)."""
    chain = parse_chain("rho=0.5,diameter=1,dim=2")
    names = [s, d, n, rho, D, A_period, Q_cut, count_of, cut_of]

    def value(expr: object, longest: int) -> arb:
        counts = lattice_counts(2, longest)[1:]
        cuts = [best_cut(q, Fraction(2), chain) for q in range(1, longest + 1)]
        return ball_function(expr, names)(  # type: ignore[arg-type]
            2, 2, 1000, Fraction(1, 2), 1, 2, longest, counts, cuts)

    short, long = value(lattice_sum, 200), value(finite_part, 20_000)
    assert long < short
    assert float(short.mid()) < 1.05 * float(long.mid()), "the tail is nearly sharp"


def test_rate_in_n_is_one_over_root_n() -> None:
    """Slope of the statistical part on a log-log fit is -1/2 within one per cent."""
    chain, members = parse_chain("rho=0.5,diameter=1,dim=2"), parse_block("norm=0.5")
    lengths = [10**k for k in (5, 6, 7, 8)]
    values = []
    for length in lengths:
        found = pathwise_guarantee(chain, members, length, length)
        values.append(float((found.expected_supremum + found.concentration).mid()))
    slope = np.polyfit(np.log(lengths), np.log(values), 1)[0]
    assert slope == pytest.approx(-0.5, rel=0.01)


def test_the_smaller_route_is_used_and_named() -> None:
    chain, members = parse_chain("rho=0.2,diameter=1,dim=1"), parse_block("width=1,hidden=2")
    found = pathwise_guarantee(chain, members, 10_000, 10_000)
    values = {k: float(v.upper()) for k, v in found.routes.items() if isinstance(v, arb)}
    assert found.route == min(values, key=lambda k: values[k])
    assert float(found.expected_supremum.upper()) == min(values.values())


def test_n_for_a_target_is_where_the_guarantee_crosses_it() -> None:
    chain, members = parse_chain("rho=0.2,diameter=1,dim=1"), parse_block("width=1,hidden=2")
    needed = steps_for(chain, members, Fraction(1, 10), after=40)
    assert needed is not None
    at = pathwise_guarantee(chain, members, needed, needed + 40)
    before = pathwise_guarantee(chain, members, needed * 98 // 100, needed * 98 // 100 + 40)
    assert float(at.total.upper()) <= 0.1 < float(before.total.upper())


@pytest.mark.parametrize(("chain", "message"), [
    ("rho=1,diameter=1,dim=1", "0 <= rho < 1"),
    ("rho=-0.1,diameter=1,dim=1", "0 <= rho < 1"),
    ("rho=0.5,diameter=2,dim=1", "unit cube"),
    ("rho=0.5,diameter=0,dim=1", "positive"),
    ("rho=0.5,diameter=1", "dim missing"),
    ("rho=x,diameter=1,dim=1", "not a number"),
    ("rho=0.5,diameter=1,dim=1,step=2", "step"),
    ("rho=0.5,diam=1,dim=1", "unknown key"),
])
def test_impossible_chains_are_refused_with_the_reason(chain: str, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        parse_chain(chain)


def test_too_little_smoothness_is_refused_and_says_what_is_possible() -> None:
    chain = parse_chain("rho=0.5,diameter=1,dim=4")
    with pytest.raises(UnusableInput, match=r"2 s > d = 4.*P5"):
        smooth_supremum(chain, 100, [arb(1), arb(1)])


def test_relu_leaves_no_route() -> None:
    chain = parse_chain("rho=0.5,diameter=1,dim=2")
    with pytest.raises(UnusableInput, match="relu"):
        pathwise_guarantee(chain, parse_block("activation=relu"), 100, 100)


def test_a_time_before_the_end_of_the_trajectory_is_refused() -> None:
    chain, members = parse_chain("rho=0.5,diameter=1,dim=2"), parse_block("")
    with pytest.raises(UnusableInput, match="before the end of the trajectory"):
        pathwise_guarantee(chain, members, 100, 99)


def test_a_dimension_that_does_not_fit_the_network_is_refused() -> None:
    chain, members = parse_chain("rho=0.5,diameter=1,dim=3"), parse_block("width=2")
    with pytest.raises(UnusableInput, match="2 entries"):
        pathwise_guarantee(chain, members, 100, 100)


def test_data_beyond_the_declared_diameter_are_refused() -> None:
    with pytest.raises(UnusableInput, match="declare at least"):
        check_states(parse_chain("rho=0.5,diameter=0.5,dim=2"), 0.0, 1.0, 0.75)
