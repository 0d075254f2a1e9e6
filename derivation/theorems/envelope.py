"""The envelope bounds: covers of a spectral envelope at every scale of a chain, and their prices.

`envelope` is C4 with G3 and U4. `envelope-staircase` has the sharper, internal covers of C4s in its
place, and so the shorter links of G3: certificates use it.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import (
    C4,
    C4S,
    C7,
    ball_entropy,
    envelope_count,
    staircase_entropy,
    truncated_entropy,
)
from majorant.derivation.generalization import (
    G1,
    G3,
    G3_INTERNAL,
    LIPSCHITZ,
    chain_bound,
    deviation,
    rademacher_bound,
)
from majorant.derivation.generalization.lipschitz_loss import network_radius
from majorant.derivation.symbols import (
    N1,
    N2,
    B_of,
    C_of,
    H_of,
    J,
    J_blocks,
    K,
    N1_of,
    N2_of,
    V_parts,
    a,
    blocks_at,
    d_of,
    eps,
    eps_at,
    eps_vec_at,
    i,
    j,
    kappa_of,
    kappa_vec_of,
    knot,
    knot_at,
    level,
    level_at,
    price,
    price_of,
    scale_of,
    tau,
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
    """C4 for matrix `a` at scale `j`, with `theta = tau_at/eps_at` free.

    The rank is the number of values of the envelope `sigma[a, .]` that exceed `tau_at[a, j]`.

    >>> matrix_entropy().has(tau_at)
    True
    """
    count = envelope_count(a, tau_at[a, j])
    return truncated_entropy(count, N1_of[a], N2_of[a], C_of[a], tau_at[a, j], eps_at[a, j])


def volume_entropy() -> sp.Expr:
    """Entropy of matrix `a` at scale `j` by the volume of its staircase (C4s).

    >>> volume_entropy().has(level_at)
    True
    """
    at_scale = {j: i, J_blocks: blocks_at[a, j], N1: N1_of[a], N2: N2_of[a], eps: eps_at[a, j],
                tau: tau_at[a, j]}
    expr = staircase_entropy().xreplace(at_scale)
    own = {entry: family[a, j, entry.indices[0]] for base, family in (
        (knot, knot_at), (level, level_at)) for entry in expr.atoms(sp.Indexed)
        if entry.base == base}
    return expr.xreplace(own)


def _chained(covers: Step, internal: bool) -> Step:
    """Telescope, chain (G3) and pay (U4): from covers at every scale to the risk."""
    entropy = covers.expression
    budget = sp.Le(SPENT, network_radius(scale_of[j + 1]), evaluate=False)
    step = covers.then(A5, entropy).then(C7, entropy, hypotheses=(budget,))
    step = step.then(LIPSCHITZ, entropy, assuming=LOSS_ASSUMPTIONS)
    complexity = chain_bound(internal).xreplace({H_of[j]: entropy})
    step = step.then(
        G3_INTERNAL if internal else G3,
        complexity,
        factor=scale_of[j] if internal else scale_of[j + 1] + scale_of[j],
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


def _covers(matrices: Step) -> Step:
    """Of all matrices and vectors, at scale `j`."""
    vectors = vector_cover(eps_vec_at[v, j])
    total = sp.Sum(matrices.expression, (a, 1, K)) + sp.Sum(
        ball_entropy(d_of[v], B_of[v], eps_vec_at[v, j]), (v, 1, V_parts))
    return together(total, matrices, vectors)


def envelope_bound() -> Step:
    """The risk bound by chaining over the scales `scale_of[1] = 1/2 > ... > scale_of[J+1]`.

    `price_of[a]` is the staircase price of matrix `a`, `price` everything else that is paid;
    the thresholds and the scales are free. The covers are not internal (the centres do not obey the
    envelope): links `e_j + e_{j-1}`.

    >>> "G3" in envelope_bound().lemmas
    True
    """
    matrices = start(C4, matrix_entropy(), assuming={ABOVE_TAIL})
    return _chained(_covers(matrices), internal=False)


def staircase_bound() -> Step:
    """The same with the internal covers of C4s: links `e_{j-1}`.

    At every scale a staircase may be cut at any rank, whose next value is `tau_at`, and coarsened;
    both are free. `N1_of[a] <= N2_of[a]`: transpose otherwise.

    >>> {"C4s", "G3.internal", "U4"} <= set(staircase_bound().lemmas)
    True
    """
    matrices = start(C4S, volume_entropy(), assuming={ABOVE_TAIL})
    step = _chained(_covers(matrices), internal=True)
    shape = sp.Le(N1_of[a], N2_of[a], evaluate=False)
    kept = sp.Le(knot_at[a, j, blocks_at[a, j] + 1], N1_of[a], evaluate=False)
    return Step(step.expression, step.tags, step.lemmas, step.factors,
                (*step.hypotheses, shape, kept))
