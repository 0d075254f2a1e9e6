"""From an entropy integral to a bound on the risk: G2 and G1."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import C7
from majorant.derivation.generalization import (
    G1,
    G2,
    G2_INTERNAL,
    G2_TEXTBOOK,
    LIPSCHITZ,
    chaining_constant,
    deviation,
    dudley_bound,
    rademacher_bound,
)
from majorant.derivation.generalization.chaining import Chaining
from majorant.derivation.lemma import Lemma
from majorant.derivation.symbols import n
from majorant.derivation.telescoping import A5
from majorant.derivation.theorems.classes import LOSS_ASSUMPTIONS, SHARES
from majorant.derivation.theorems.composition import Step, together
from majorant.derivation.union_bound import U3, UNION

DUDLEY = {"textbook": G2_TEXTBOOK, "any": G2, "internal": G2_INTERNAL}


def network_class(*covers: Step) -> Step:
    """Covers of all parameters, telescoped to the loss class (A5, C7, G0).

    >>> from majorant.derivation.theorems.classes import vector_cover
    >>> "C7" in network_class(vector_cover()).lemmas
    True
    """
    parts = together(sp.Add(*(cover.expression for cover in covers)), *covers)
    total = parts.expression
    step = parts.then(A5, total).then(C7, total, hypotheses=(SHARES,))
    return step.then(LIPSCHITZ, total, assuming=LOSS_ASSUMPTIONS)


def risk_from_integral(
    covers: Step,
    integral: sp.Expr,
    lemma: Lemma,
    chaining: Chaining,
    cut: sp.Expr = sp.S.Zero,
    factor: sp.Expr | None = None,
    prices: tuple[Lemma, ...] = (UNION, U3),
) -> Step:
    """`R_hat + 2 (4 cut + c0 integral/sqrt(n)) + sqrt((log(1/delta) + price)/(2n))`.

    `lemma` evaluates the integral; a cut-off of 0 is the limit of G2 for convergent integrals;
    `prices` are the lemmas that pay for choices made after training (without one, G1 refuses).

    >>> risk_from_integral.__name__
    'risk_from_integral'
    """
    constant = chaining_constant(chaining)
    complexity = dudley_bound(integral, cut, n, constant)
    step = covers.then(lemma, integral, factor=integral if factor is None else factor)
    step = step.then(DUDLEY[chaining], complexity, factor=constant / sp.sqrt(n))
    for price in prices:
        step = step.then(price, complexity)
    return step.then(G1, rademacher_bound(rademacher=complexity), factor=deviation())
