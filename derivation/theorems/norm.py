"""Norm-based bounds for the classes of Edelman et al. 2022: by C5, and by Zhang's lemma."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import C5, ZHANG, frobenius_entropy, zhang_entropy
from majorant.derivation.generalization.chaining import Chaining
from majorant.derivation.generalization.inverse_square import G4_SQUARE, inverse_square_integral
from majorant.derivation.symbols import F_of, K, N2_of, T, a, cut, eps, n
from majorant.derivation.theorems.classes import (
    RADIUS,
    matrix_radius,
    vector_cover,
    vector_integral,
)
from majorant.derivation.theorems.composition import Step, start
from majorant.derivation.theorems.dudley_route import network_class, risk_from_integral

TOKENS = n * T
CUT = sp.Le(cut, RADIUS, evaluate=False)


def frobenius_term(radius: sp.Expr) -> sp.Expr:
    """C5 for matrix `a` on rows of norm at most 1.

    >>> frobenius_term(sp.Integer(1)).has(F_of)
    True
    """
    return frobenius_entropy(F_of[a], sp.S.One, N2_of[a], TOKENS, radius)


def norm_bound(chaining: Chaining = "any") -> Step:
    """`4 cut + c0/sqrt(n) (sqrt(K log 2)/4 + sqrt(sum A_a) log(1/(4 cut)) + vectors)`, in G1.

    `A_a = 2 F_a^2 r^2 (Lambda kappa_a/w_a)^2`; with the optimal shares `sqrt(sum A_a)` is the
    `(sum (..)^{2/3})^{3/2}` of the literature (C8.power).

    >>> "C5" in norm_bound().lemmas
    True
    """
    unit = frobenius_term(matrix_radius(sp.S.One)) - frobenius_term(sp.oo)
    integral = inverse_square_integral(
        K * frobenius_term(sp.oo), sp.Sum(unit, (a, 1, K)), cut, RADIUS
    )
    covers = network_class(start(C5, frobenius_term(matrix_radius())), vector_cover())
    return _finish(covers, integral, chaining)


def zhang_bound(chaining: Chaining = "any") -> Step:
    """The same with Zhang's entropy, its logarithm taken at the smallest radius, `cut`.

    >>> "C5.zhang" in zhang_bound().lemmas
    True
    """
    at_cut = zhang_entropy(F_of[a], sp.S.One, N2_of[a], TOKENS, matrix_radius(cut)) * cut**2
    integral = inverse_square_integral(sp.S.Zero, sp.Sum(at_cut, (a, 1, K)), cut, RADIUS)
    entropy = zhang_entropy(F_of[a], sp.S.One, N2_of[a], TOKENS, matrix_radius(eps))
    covers = network_class(start(ZHANG, entropy), vector_cover())
    return _finish(covers, integral, chaining)


def _finish(covers: Step, integral: sp.Expr, chaining: Chaining) -> Step:
    step = risk_from_integral(
        covers, integral + vector_integral(), G4_SQUARE, chaining, cut, factor=integral
    )
    return Step(step.expression, step.tags, step.lemmas, step.factors, (*step.hypotheses, CUT))
