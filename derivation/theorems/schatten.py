"""The Schatten bound: C4p, telescoping, G4, Dudley on a tree, and the price of the indices."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import C4P, low_rank_entropy, markov_count, schatten_entropy
from majorant.derivation.generalization import G4, integral_bound
from majorant.derivation.generalization.chaining import Chaining
from majorant.derivation.symbols import (
    C_of,
    K,
    N1_of,
    N2_of,
    S_of,
    a,
    p_of,
    theta,
)
from majorant.derivation.tags import ABOVE_TAIL
from majorant.derivation.theorems.classes import (
    RADIUS,
    log_scale,
    matrix_radius,
    vector_cover,
    vector_integral,
)
from majorant.derivation.theorems.composition import Step, start
from majorant.derivation.theorems.dudley_route import network_class, risk_from_integral
from majorant.derivation.union_bound import U1, U3, UNION


def schatten_term() -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """`(A, p, B)` of the power entropy `A eps^{-p} log(1 + B/eps)` of matrix `a`.

    >>> A, p, B = schatten_term()
    >>> p
    p_of[a]
    """
    unit = matrix_radius(sp.S.One)
    coefficient = markov_count(S_of[a], theta * unit, p_of[a]) * (N1_of[a] + N2_of[a])
    logarithm = low_rank_entropy(
        sp.S.One, sp.S.One, sp.S.Zero, C_of[a], (1 - theta) * matrix_radius()
    )
    return coefficient, p_of[a], log_scale(logarithm)


def schatten_cover() -> Step:
    """C4p for matrix `a` at its share of the accuracy.

    >>> schatten_cover().lemmas
    ('C4p',)
    """
    entropy = schatten_entropy(
        S_of[a], p_of[a], N1_of[a], N2_of[a], C_of[a], matrix_radius(), theta
    )
    return start(C4P, entropy, assuming={ABOVE_TAIL})


def schatten_bound(chaining: Chaining = "any") -> Step:
    """The risk bound in terms of `S_of[a]`, `C_of[a]`, `kappa_of[a]`, indices `p_of[a] < 2`.

    C4p is not internal, so `chaining="internal"` raises `HypothesisMismatch`.

    >>> schatten_bound().lemmas[:3]
    ('C4p', 'CV.bias', 'A5')
    """
    term = integral_bound(*schatten_term(), RADIUS)
    integral = sp.Sum(term, (a, 1, K)) + vector_integral()
    covers = network_class(schatten_cover(), vector_cover())
    step = risk_from_integral(covers, integral, G4, chaining, factor=term, prices=(UNION, U1, U3))
    return Step(
        step.expression,
        step.tags,
        step.lemmas,
        step.factors,
        (*step.hypotheses, sp.Lt(theta, 1), sp.Lt(p_of[a], 2)),
    )
