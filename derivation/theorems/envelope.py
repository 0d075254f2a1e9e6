"""The envelope bound: staircases, C4 at every scale of a chain (G3), staircase prices (U4)."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import C4, C7, ball_entropy, truncated_entropy
from majorant.derivation.generalization import (
    G1,
    G3,
    LIPSCHITZ,
    chain_bound,
    deviation,
    rademacher_bound,
)
from majorant.derivation.generalization.lipschitz_loss import network_radius
from majorant.derivation.symbols import (
    B_of,
    C_of,
    H_of,
    J,
    K,
    N1_of,
    N2_of,
    V_parts,
    a,
    d_of,
    eps_at,
    eps_vec_at,
    j,
    k_at,
    kappa_of,
    kappa_vec_of,
    price,
    price_of,
    scale_of,
    tau_at,
    v,
)
from majorant.derivation.tags import ABOVE_TAIL
from majorant.derivation.telescoping import A5
from majorant.derivation.theorems.classes import LOSS_ASSUMPTIONS, vector_cover
from majorant.derivation.theorems.composition import Step, start, together
from majorant.derivation.union_bound import U4, UNION

SPENT = sp.Sum(kappa_of[a] * eps_at[a, j], (a, 1, K)) + sp.Sum(
    kappa_vec_of[v] * eps_vec_at[v, j], (v, 1, V_parts)
)


def matrix_entropy() -> sp.Expr:
    """Entropy of matrix `a` at scale `j`: `k_at[a,j]` values of its envelope exceed `tau_at[a,j]`.

    >>> matrix_entropy().has(k_at)
    True
    """
    return truncated_entropy(k_at[a, j], N1_of[a], N2_of[a], C_of[a], tau_at[a, j], eps_at[a, j])


def scale_entropy() -> sp.Expr:
    """Entropy of the network at scale `j`: `matrix_entropy` summed, and balls for the vectors.

    Source: C4 at each rank (C3), C1, C7.

    >>> scale_entropy().has(k_at)
    True
    """
    vectors = ball_entropy(d_of[v], B_of[v], eps_vec_at[v, j])
    return sp.Sum(matrix_entropy(), (a, 1, K)) + sp.Sum(vectors, (v, 1, V_parts))


def envelope_bound() -> Step:
    """The risk bound by chaining over the scales `scale_of[1] = 1/2 > ... > scale_of[J+1]`.

    `price_of[a]` is the staircase price of matrix `a`, `price` everything else that is paid.
    The covers are not internal (the centres do not obey the envelope): links `e_j + e_{j-1}`.

    >>> "G3" in envelope_bound().lemmas
    True
    """
    entropy = scale_entropy()
    matrices = start(C4, matrix_entropy(), assuming={ABOVE_TAIL})
    covers = together(entropy, matrices, vector_cover(eps_vec_at[v, j]))
    budget = sp.Le(SPENT, network_radius(scale_of[j + 1]), evaluate=False)
    step = covers.then(A5, entropy).then(C7, entropy, hypotheses=(budget,))
    step = step.then(LIPSCHITZ, entropy, assuming=LOSS_ASSUMPTIONS)
    complexity = chain_bound().xreplace({H_of[j]: entropy})
    step = step.then(
        G3,
        complexity,
        factor=scale_of[j + 1] + scale_of[j],
        hypotheses=(sp.Eq(scale_of[1], sp.Rational(1, 2), evaluate=False),),
    )
    total_price = price + sp.Sum(price_of[a], (a, 1, K))
    step = step.then(UNION, complexity).then(U4, complexity, factor=price_of[a])
    return step.then(
        G1,
        rademacher_bound(rademacher=complexity, price=total_price),
        factor=deviation(price=total_price),
        hypotheses=(sp.Lt(tau_at[a, j], eps_at[a, j], evaluate=False), sp.Ge(J, 1, evaluate=False)),
    )
