"""The spectral code: a finite list of networks and Chernoff's bound (G5), and its G7 form."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.covering import C3, C7, ball_entropy, truncated_entropy
from majorant.derivation.generalization import (
    G5,
    G5_RISK,
    G6,
    G7,
    compressed_risk,
    exponent_rate,
    margin_radius,
    occam_margin,
    occam_risk,
)
from majorant.derivation.symbols import (
    B_of,
    C_of,
    K,
    Lambda,
    N1_of,
    N2_of,
    R_hat,
    V_parts,
    a,
    code,
    d_of,
    eps,
    eps_of,
    eps_vec_of,
    k_of,
    kappa_of,
    kappa_vec_of,
    price,
    price_of,
    tau_of,
    v,
)
from majorant.derivation.tags import ABOVE_TAIL, LISTED, NORMALIZATIONS_HELD
from majorant.derivation.telescoping import A5
from majorant.derivation.theorems.classes import (
    LOSS_ASSUMPTIONS,
    MARGIN_ASSUMPTIONS,
    vector_cover,
)
from majorant.derivation.theorems.composition import Step, start, together
from majorant.derivation.union_bound import U3, U4, UNION

SPENT = sp.Sum(kappa_of[a] * eps_of[a], (a, 1, K)) + sp.Sum(
    kappa_vec_of[v] * eps_vec_of[v], (v, 1, V_parts)
)
TOTAL_PRICE = price + sp.Sum(price_of[a], (a, 1, K))


def matrix_code() -> sp.Expr:
    """Entropy of matrix `a`: `k (N1+N2) log(1 + 4C/(eps - tau))`. Source: C3.

    >>> matrix_code().has(k_of)
    True
    """
    return truncated_entropy(k_of[a], N1_of[a], N2_of[a], C_of[a], tau_of[a], eps_of[a])


def code_length() -> sp.Expr:
    """Entropy of the network: `matrix_code` summed, and balls for the vectors.

    Source: C3 for matrices, C1 for vectors, C7.

    >>> code_length().has(k_of)
    True
    """
    vectors = ball_entropy(d_of[v], B_of[v], eps_vec_of[v])
    return sp.Sum(matrix_code(), (a, 1, K)) + sp.Sum(vectors, (v, 1, V_parts))


def _listed(radius: sp.Expr) -> Step:
    entropy = code_length()
    matrices = start(C3, matrix_code(), assuming={ABOVE_TAIL})
    covers = together(entropy, matrices, vector_cover(eps_vec_of[v]))
    budget = sp.Le(SPENT, radius, evaluate=False)
    tails = sp.Lt(tau_of[a], eps_of[a], evaluate=False)
    return covers.then(A5, entropy).then(C7, entropy, hypotheses=(budget, tails))


def _paid(step: Step) -> Step:
    return step.then(UNION, step.expression).then(U3, step.expression).then(U4, step.expression)


def occam_bound() -> Step:
    """Classification error: `kl^{-1}(margin error, (H + log(1/delta) + prices)/n)`.

    `R_hat` is the margin error at `gamma`; the radii spend at most `gamma/(2 Rho)`.

    >>> "CHERNOFF" in occam_bound().lemmas or "G5" in occam_bound().lemmas
    True
    """
    step = _paid(_listed(margin_radius()))
    error = occam_margin(entropy=step.expression, price=TOTAL_PRICE)
    return step.then(
        G5,
        error,
        factor=exponent_rate(step.expression, TOTAL_PRICE),
        assuming=MARGIN_ASSUMPTIONS,
    )


def occam_risk_bound() -> Step:
    """Risk of a Lipschitz loss in `[0, 1]`: the radii spend at most `eps` of the output.

    >>> occam_risk_bound().expression.has(Lambda)
    True
    """
    step = _paid(_listed(eps))
    risk = occam_risk(R_hat, Lambda * eps, step.expression, TOTAL_PRICE)
    return step.then(
        G5_RISK,
        risk,
        factor=exponent_rate(step.expression, TOTAL_PRICE),
        assuming=LOSS_ASSUMPTIONS,
    )


def augmented_bound() -> Step:
    """G7: the same formula with `R_hat` the frequency of examples that are not (gamma, v)-good.

    >>> "G7" in augmented_bound().lemmas
    True
    """
    step = _paid(_listed(margin_radius()))
    error = occam_margin(entropy=step.expression, price=TOTAL_PRICE)
    return step.then(
        G7,
        error,
        factor=exponent_rate(step.expression, TOTAL_PRICE),
        assuming=MARGIN_ASSUMPTIONS | {NORMALIZATIONS_HELD},
    )


def compressed_bound() -> Step:
    """G6: risk of a network that is described by a code of `code` nats.

    >>> compressed_bound().lemmas
    ('G6',)
    """
    return start(G6, compressed_risk(code=code), assuming=LOSS_ASSUMPTIONS | {LISTED})
