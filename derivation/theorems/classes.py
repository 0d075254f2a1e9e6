"""What all composed theorems share: the classes of parameters, shares of accuracy, assumptions."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import BIAS, ball_entropy, shared_radius
from majorant.derivation.generalization import integral_bound
from majorant.derivation.generalization.lipschitz_loss import network_radius
from majorant.derivation.symbols import (
    B_of,
    K,
    V_parts,
    a,
    d_of,
    eps,
    kappa_of,
    kappa_vec_of,
    v,
    w_of,
    w_vec_of,
)
from majorant.derivation.tags import INDEPENDENT, LIPSCHITZ_LOSS, MARGIN, UNIT_RANGE
from majorant.derivation.theorems.composition import Step, start

LOSS_ASSUMPTIONS = frozenset({INDEPENDENT, UNIT_RANGE, LIPSCHITZ_LOSS})
MARGIN_ASSUMPTIONS = frozenset({INDEPENDENT, UNIT_RANGE, MARGIN})
RADIUS = sp.Rational(1, 4)

SHARES = sp.Le(sp.Sum(w_of[a], (a, 1, K)) + sp.Sum(w_vec_of[v], (v, 1, V_parts)), 1, evaluate=False)
"""The shares of the accuracy sum to at most 1 (the equal split is `w = 1/(K + V)`)."""


def matrix_radius(eps: sp.Expr = eps) -> sp.Expr:
    """Cover radius of matrix `a` when the loss class is covered at `eps`.

    >>> matrix_radius(sp.Integer(1)).has(kappa_of)
    True
    """
    return shared_radius(network_radius(eps), kappa_of[a], w_of[a])


def vector_radius(eps: sp.Expr = eps) -> sp.Expr:
    """Cover radius of vector `v` when the loss class is covered at `eps`.

    >>> vector_radius(sp.Integer(1)).has(kappa_vec_of)
    True
    """
    return shared_radius(network_radius(eps), kappa_vec_of[v], w_vec_of[v])


def log_scale(logarithm: sp.Expr, eps: sp.Expr = eps) -> sp.Expr:
    """`B` of a logarithm `log(1 + B/eps)`: read off, so that its constant is not typed again.

    >>> log_scale(sp.log(1 + 3 / eps))
    3
    """
    return (sp.exp(logarithm) - 1) * eps


def vector_integral(c: sp.Expr = RADIUS) -> sp.Expr:
    """Entropy integral of the biases, gains and read-out: balls of dimension `d_of[v]` (C1, G4).

    >>> vector_integral().has(d_of)
    True
    """
    scale = log_scale(ball_entropy(sp.S.One, B_of[v], vector_radius()))
    body = integral_bound(d_of[v], sp.S.Zero, scale, c)
    return sp.Sum(body, (v, 1, V_parts))


def vector_cover(radius: sp.Expr | None = None) -> Step:
    """The cover of one vector at `radius` (default: its share of the accuracy), as a step.

    >>> vector_cover().lemmas
    ('CV.bias',)
    """
    return start(
        BIAS, ball_entropy(d_of[v], B_of[v], vector_radius() if radius is None else radius)
    )
