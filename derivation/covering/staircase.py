"""C4s: a staircase envelope by volume in singular-value coordinates; internal, and sharper."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering.selberg import selberg_log_volume
from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import N1, N2, J_blocks, eps, j, knot, level, tau
from majorant.derivation.tags import (
    ABOVE_TAIL,
    COVER,
    EVERY_INPUT,
    IN_SPECTRAL_BALL,
    INTERNAL,
    SAMPLE_FREE,
)

start, end = knot[j], knot[j + 1]
kept = knot[J_blocks + 1]


def block_dimension(start: sp.Expr = start, end: sp.Expr = end) -> sp.Expr:
    """`d_j = (k_j - k_{j-1}) (N1 + N2 - k_{j-1} - k_j)`: dimensions that block `j` accounts for.

    >>> block_dimension(sp.Integer(0), sp.Integer(2)).subs({N1: 4, N2: 6})
    16
    """
    return (end - start) * (N1 + N2 - start - end)


def staircase_correction() -> sp.Expr:
    """`Delta`: logarithm of the ratio of the Selberg volumes; 0 for one full block.

    >>> staircase_correction().has(sp.loggamma)
    True
    """
    blocks = sp.Sum(selberg_log_volume(end - start, N2 - N1 + 2 * (N1 - end)), (j, 1, J_blocks))
    return blocks + selberg_log_volume(N1 - kept, N2 - N1) - selberg_log_volume(N1, N2 - N1)


def staircase_entropy(eps: sp.Expr = eps, tau: sp.Expr = tau) -> sp.Expr:
    """`sum_j d_j log(1 + 2 t_j / (eps - tau)) + Delta`, in nats.

    The class: singular values at most `level[j]` on `knot[j] < i <= knot[j+1]`, at most `tau`
    beyond `k = knot[J_blocks+1]`. Knots start with `knot[1] = 0`. Domain: `N1 <= N2` (transpose
    otherwise), `k <= N1`, `0 <= tau < eps`. Source: C4s.

    >>> staircase_entropy().has(level)
    True
    """
    counted = sp.Sum(block_dimension() * sp.log(1 + 2 * level[j] / (eps - tau)), (j, 1, J_blocks))
    return counted + staircase_correction()


_start = sp.Symbol("start", integer=True, nonnegative=True)
_mid = sp.Symbol("mid", integer=True, nonnegative=True)
_end = sp.Symbol("end", integer=True, nonnegative=True)
_whole = _end * (N1 + N2 - _end) + (N1 - _end) * (N2 - _end)
_t = sp.Symbol("t", nonnegative=True)

C4S = LEMMAS.add(
    Lemma(
        id="C4s",
        name="staircase_cover",
        title="Staircase envelope by volume",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=staircase_entropy(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C4s"),
        hypotheses=(sp.Lt(tau, eps), sp.Le(N1, N2), sp.Le(kept, N1)),
        monotone={tau: "increasing", eps: "decreasing"},
        requires=frozenset({ABOVE_TAIL}),
        provides=frozenset({COVER, INTERNAL, EVERY_INPUT, IN_SPECTRAL_BALL, SAMPLE_FREE}),
        uses=("EY", "SELBERG"),
        obligations=(
            Obligation(
                id="C4s.dimensions_add_up",
                statement=sp.Eq(_whole, N1 * N2, evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                mutant=sp.Eq(_whole, N1 * N2 - 1, evaluate=False),
                note="d_1 + ... + d_J = k (N1 + N2 - k); the rest fills the space",
            ),
            Obligation(
                id="C4s.blocks_telescope",
                statement=sp.Eq(
                    block_dimension(_start, _mid) + block_dimension(_mid, _end),
                    block_dimension(_start, _end),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="auto",
            ),
            Obligation(
                id="C4s.degree_of_a_block",
                statement=sp.Eq(
                    (_end - _start)
                    + (_end - _start) * (_end - _start - 1)
                    + (_end - _start) * (N2 - N1 + 2 * (N1 - _end)),
                    block_dimension(_start, _end),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="auto",
                note="scaling degree: variables, Vandermonde in squares, powers",
            ),
            Obligation(
                id="C4s.scaling",
                statement=sp.Eq(
                    (_t + (eps - tau) / 2) / ((eps - tau) / 2),
                    1 + 2 * _t / (eps - tau),
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(tau, eps),),
                mutant=sp.Eq(
                    (_t + (eps - tau) / 2) / ((eps - tau) / 2),
                    1 + sp.Rational(198, 100) * _t / (eps - tau),
                    evaluate=False,
                ),
            ),
        ),
        notes="A maximal packing of the members of rank k; Weyl's inequality puts the disjoint "
        "balls of half the radius into a box of singular values. Across blocks s_i^2 - s_j^2 is "
        "replaced by s_i^2 and the order is forgotten: both only enlarge the box.",
    )
)
