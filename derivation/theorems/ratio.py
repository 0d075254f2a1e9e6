"""The published term over the Schatten term, symbolically, every constant included."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.comparison import schatten_contribution
from majorant.derivation.covering import gaussian_radius
from majorant.derivation.generalization import chaining_constant, integral_bound
from majorant.derivation.symbols import (
    Lambda,
    N,
    N1_of,
    N2_of,
    S_of,
    T,
    a,
    kappa_of,
    n,
    p,
    p_of,
    theta,
    w_of,
)
from majorant.derivation.theorems.classes import RADIUS
from majorant.derivation.theorems.published import published_term
from majorant.derivation.theorems.schatten import schatten_term


def leading_ratio() -> sp.Expr:
    """`c0_pub sqrt(A_pub) .../(c0 sqrt(A) ...)`: the terms of one matrix, logarithms set to 1.

    Square matrices of width `N`, equal shares, `p` common. What is left are the constants, the
    powers and `c_pub/c_new` of D1.

    >>> leading_ratio().has(N)
    True
    """
    A_pub, q, _, _ = published_term()
    A_new, index, _ = schatten_term()
    left = sp.sqrt(A_pub) * RADIUS ** (1 - q / 2) / (1 - q / 2)
    right = sp.sqrt(A_new) * RADIUS ** (1 - index / 2) / (1 - index / 2)
    constant = chaining_constant("textbook") / chaining_constant("any")
    square = {N1_of[a]: N, N2_of[a]: N, p_of[a]: p}
    return constant * (left / right).subs(square)


def leading_ratio_closed() -> sp.Expr:
    """The same in closed form: `(sqrt(8 N) r/c)^{p/(p+2)}` times constants and powers of 4, theta.

    `c = sqrt(2N S (Lambda kappa/w)^p)` is the Schatten term's own leading factor and `r` the
    Gaussian radius: the published term is larger as soon as `c` is below the width, as in D1.

    >>> leading_ratio_closed().has(N)
    True
    """
    per_unit = Lambda * kappa_of[a] / w_of[a]
    c = schatten_contribution(S_of[a], per_unit, 2 * N, p)
    spread = sp.sqrt(8 * N) * gaussian_radius(N, n * T)
    powers = RADIUS ** (p / 2 - p / (p + 2)) * theta ** (p / 2)
    rates = (1 - p / 2) / (1 - p / (p + 2))
    constant = chaining_constant("textbook") / chaining_constant("any")
    return constant * (spread / c) ** (p / (p + 2)) * powers * rates


def term_ratio() -> sp.Expr:
    """The terms of one matrix in both theorems, divided: nothing is set to 1.

    >>> term_ratio().has(theta)
    True
    """
    A, q, B, offset = published_term()
    left = integral_bound(A, q, B, RADIUS, offset) + RADIUS * sp.sqrt(sp.log(2))
    right = integral_bound(*schatten_term(), RADIUS)
    return chaining_constant("textbook") / chaining_constant("any") * left / right
