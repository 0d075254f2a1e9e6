"""P3, second half: the sum over the frequency lattice, a finite part and a rigorous rest."""

from __future__ import annotations

import math

import sympy as sp

from majorant.derivation.errors import MajorantError
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation
from majorant.derivation.pathwise.correlation import correlation_bound, phase_spread
from majorant.derivation.pathwise.sources import OWN
from majorant.derivation.symbols import A_period, Q_cut, count_of, cut_of, d, n, q, rho, s


def lattice_counts(dimension: int, longest: int) -> list[int]:
    """Numbers of integer vectors of squared length `0..longest` in dimension `dimension`, exactly.

    Coefficients of the power of a theta series. Raises `MajorantError` for a dimension below 1.

    >>> lattice_counts(2, 5)
    [1, 4, 4, 0, 4, 8]
    """
    if dimension < 1 or longest < 0:
        raise MajorantError(f"lattice: expected dimension >= 1 and length >= 0, got {dimension}, "
                            f"{longest}")
    squares = [(k * k, 1 if k == 0 else 2) for k in range(math.isqrt(longest) + 1)]
    counts = [1] + [0] * longest
    for _ in range(dimension):
        grown = [0] * (longest + 1)
        for square, ways in squares:
            for length in range(longest + 1 - square):
                grown[length + square] += ways * counts[length]
        counts = grown
    return counts


_excess = 2 * s - d
_inner = sp.sqrt(Q_cut) - sp.sqrt(d)
_turn = 1 / sp.log(1 / rho)

_spread = phase_spread(Q_cut)
_edge_lags = cut_of[Q_cut] + _spread * rho ** (cut_of[Q_cut] + 1) / (sp.sqrt(2) * (1 - rho))
_edge_bias = (2 * cut_of[Q_cut] + _spread * rho ** (cut_of[Q_cut] + 1) / (1 - rho)) / n

# v at |k| = x is at most c_0 + c_1 y + c_2 y^2 with y = log(x / M'): each further factor 1/rho in
# length costs one more step. The maxima make the summand decreasing in x.
quadratic = (2 * _turn / n) ** 2
linear = sp.Max(2 * _turn / n + 4 * _turn / n * (_edge_bias + 2 / n), quadratic / s)
constant = sp.Max((3 + 2 * _edge_lags) / n + (_edge_bias + 2 / n) ** 2, linear / (2 * s))

sphere = 2 * sp.pi ** (d / 2) / sp.gamma(d / 2)
tail = (
    sphere
    * (1 + sp.sqrt(d) / (2 * _inner)) ** (d - 1)
    * (2 * sp.pi / A_period) ** (-2 * s)
    * _inner ** (-_excess)
    * (constant / _excess + linear / _excess**2 + 2 * quadratic / _excess**3)
)
finite_part = sp.Sum(
    count_of[q] * (2 * sp.pi * sp.sqrt(q) / A_period) ** (-2 * s) * correlation_bound(q),
    (q, 1, Q_cut),
)
lattice_sum = finite_part + tail

_y = sp.Symbol("y_log", nonnegative=True)
_c0, _c1, _c2, _u = sp.symbols("c_0 c_1 c_2 u_excess", positive=True)
_integrand = sp.exp(-_u * _y) * (_c0 + _c1 * _y + _c2 * _y**2)
_primitive = -sp.exp(-_u * _y) * (
    (_c0 + _c1 * _y + _c2 * _y**2) / _u + (_c1 + 2 * _c2 * _y) / _u**2 + 2 * _c2 / _u**3
)

P3_LATTICE = LEMMAS.add(
    Lemma(
        id="P3b",
        name="pathwise_lattice_sum",
        title="The weighted lattice sum of mean squares",
        lhs=sp.Symbol("lattice_sum_all", nonnegative=True),
        relation="<=",
        rhs=lattice_sum,
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=OWN,
        hypotheses=(sp.Lt(rho, 1), sp.Gt(rho, 0), sp.Gt(2 * s, d), sp.Gt(Q_cut, d)),
        requires=frozenset({"mean squares of Fourier coefficients"}),
        provides=frozenset({"lattice sum"}),
        uses=("P3a",),
        obligations=(
            Obligation(
                id="P3b.primitive",
                statement=sp.Eq(sp.diff(_primitive, _y), _integrand, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(sp.diff(sp.Rational(99, 100) * _primitive, _y), _integrand,
                             evaluate=False),
                note="the rest in logarithmic coordinates",
            ),
            Obligation(
                id="P3b.decreasing",
                statement=sp.Le(_c1 + 2 * _c2 * _y,
                                2 * s * (_c0 + _c1 * _y + _c2 * _y**2), evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Le(_c1, 2 * s * _c0), sp.Le(_c2, s * _c1)),
                mutant=sp.Le(_c1 + 2 * _c2 * _y,
                             sp.Rational(99, 100) * 2 * s * (_c0 + _c1 * _y + _c2 * _y**2),
                             evaluate=False),
                note="the summand decreases, so cubes around the lattice points bound the sum",
            ),
        ),
        notes="A lattice point outside the ball of radius M = sqrt Q owns a unit cube on which the "
        "summand at |x| - sqrt(d)/2 is at least its value; M' = M - sqrt d.",
    )
)
