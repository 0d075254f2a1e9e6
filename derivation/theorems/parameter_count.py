"""Counting parameters: every matrix in its spectral ball (C1), telescoped."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import (
    C1_FULL_RANK,
    C7,
    ball_entropy,
    full_rank_entropy,
    shared_radius,
)
from majorant.derivation.generalization import G4, G5, integral_bound, margin_radius, occam_margin
from majorant.derivation.generalization.chaining import Chaining
from majorant.derivation.symbols import (
    B_of,
    C_of,
    K,
    N1_of,
    N2_of,
    V_parts,
    a,
    d_of,
    kappa_of,
    kappa_vec_of,
    v,
    w_of,
    w_vec_of,
)
from majorant.derivation.telescoping import A5
from majorant.derivation.theorems.classes import (
    MARGIN_ASSUMPTIONS,
    RADIUS,
    SHARES,
    log_scale,
    matrix_radius,
    vector_cover,
    vector_integral,
)
from majorant.derivation.theorems.composition import Step, start, together
from majorant.derivation.theorems.dudley_route import network_class, risk_from_integral
from majorant.derivation.union_bound import U3, UNION


def parameter_count_bound(chaining: Chaining = "internal") -> Step:
    """`sum N1 N2 log(1 + 2 C Lambda kappa/(w eps))` through Dudley's integral; covers are internal.

    >>> "C1.full" in parameter_count_bound().lemmas
    True
    """
    scale = log_scale(full_rank_entropy(sp.S.One, sp.S.One, C_of[a], matrix_radius()))
    term = integral_bound(N1_of[a] * N2_of[a], sp.S.Zero, scale, RADIUS)
    integral = sp.Sum(term, (a, 1, K)) + vector_integral()
    entropy = full_rank_entropy(N1_of[a], N2_of[a], C_of[a], matrix_radius())
    covers = network_class(start(C1_FULL_RANK, entropy), vector_cover())
    return risk_from_integral(covers, integral, G4, chaining, factor=term)


def parameter_count_occam() -> Step:
    """The same count inside G5: classification error, shares of `gamma/(2 Rho)`.

    >>> "G5" in parameter_count_occam().lemmas
    True
    """
    matrix = shared_radius(margin_radius(), kappa_of[a], w_of[a])
    vector = shared_radius(margin_radius(), kappa_vec_of[v], w_vec_of[v])
    entropy = sp.Sum(full_rank_entropy(N1_of[a], N2_of[a], C_of[a], matrix), (a, 1, K)) + sp.Sum(
        ball_entropy(d_of[v], B_of[v], vector), (v, 1, V_parts)
    )
    counted = start(C1_FULL_RANK, full_rank_entropy(N1_of[a], N2_of[a], C_of[a], matrix))
    covers = together(entropy, counted, vector_cover(vector))
    step = covers.then(A5, entropy).then(C7, entropy, hypotheses=(SHARES,))
    step = step.then(UNION, entropy).then(U3, entropy)
    return step.then(G5, occam_margin(entropy=entropy), factor=entropy, assuming=MARGIN_ASSUMPTIONS)
