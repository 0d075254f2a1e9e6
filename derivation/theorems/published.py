"""The published bound with its constants: truncate, count by Markov, cover the tail (C6)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import (
    C6,
    MARKOV,
    gaussian_radius,
    low_rank_entropy,
    markov_count,
    tail_entropy,
)
from majorant.derivation.generalization import G4, integral_bound
from majorant.derivation.generalization.chaining import Chaining
from majorant.derivation.symbols import (
    C_of,
    K,
    N1_of,
    N2_of,
    S_of,
    T,
    a,
    eps,
    n,
    p_of,
)
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

TOKENS = n * T
SMALLER_SIDE = sp.Min(N1_of[a], N2_of[a])


def published_threshold(radius: sp.Expr) -> sp.Expr:
    """`tau` that balances both parts: `tau^{p+2} = S (N1+N2) u^2/(8 min(N1,N2) r^2)`.

    >>> published_threshold(sp.Integer(1)).has(S_of)
    True
    """
    spread = 8 * SMALLER_SIDE * gaussian_radius(N2_of[a], TOKENS) ** 2
    ratio = S_of[a] * (N1_of[a] + N2_of[a]) * radius**2 / spread
    return ratio ** (1 / (p_of[a] + 2))


def published_entropy(radius: sp.Expr) -> sp.Expr:
    """C6 at that threshold: `k = S tau^{-p}`, tail `F = sqrt(min(N1,N2)) tau`, rows of norm 1.

    >>> published_entropy(sp.Integer(1)).has(S_of)
    True
    """
    tau = published_threshold(radius)
    return tail_entropy(
        True,
        markov_count(S_of[a], tau, p_of[a]),
        N1_of[a],
        N2_of[a],
        C_of[a],
        sp.sqrt(SMALLER_SIDE) * tau,
        sp.S.One,
        TOKENS,
        radius,
    )


def published_term() -> tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr]:
    """`(A, q, B, offset)` with `published_entropy = A eps^{-q}(log(1 + B/eps) + 1) + log 2`.

    The exponent is `q = 2p/(p+2)`, at most 1: no cut-off is needed at any index.

    >>> published_term()[3]
    1
    """
    counted = markov_count(S_of[a], published_threshold(matrix_radius(sp.S.One)), p_of[a])
    logarithm = low_rank_entropy(sp.S.One, sp.S.One, sp.S.Zero, C_of[a], matrix_radius() / 4)
    return (
        counted * (N1_of[a] + N2_of[a]),
        2 * p_of[a] / (p_of[a] + 2),
        log_scale(logarithm, eps),
        sp.S.One,
    )


def published_bound(chaining: Chaining = "textbook") -> Step:
    """The risk bound by the published argument, every constant kept.

    C6 is used in its internal form, which A5 needs; `chaining="internal"` is therefore allowed
    and improves the textbook constant 12. Source: Sakai, Imaizumi 2026 (arXiv 2605.07297), with
    the constants of docs/theory.

    >>> "C6" in published_bound().lemmas
    True
    """
    A, q, B, offset = published_term()
    term = integral_bound(A, q, B, RADIUS, offset) + RADIUS * sp.sqrt(sp.log(2))
    integral = sp.Sum(term, (a, 1, K)) + vector_integral()
    cover = start(C6, published_entropy(matrix_radius())).then(
        MARKOV, published_entropy(matrix_radius())
    )
    covers = network_class(cover, vector_cover())
    return risk_from_integral(covers, integral, G4, chaining, factor=term, prices=(UNION, U1, U3))
