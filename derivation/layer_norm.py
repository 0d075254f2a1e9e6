"""F4: all derivatives of `g(y) = y / sqrt(1 + ||y||^2)`, and of LayerNorm and RMSNorm.

With `q = sqrt(1 + ||y||^2)`, `||D^k g(y)|| <= k! e_k / q^k`, `e_k = 2 binom(2k, k) / 4^k`: along a
unit direction g is `(y + t h)/q` times the generating function of the Legendre polynomials; the
norm of a Taylor coefficient increases in `||y||/q` and at 1 it is the modulus of a coefficient of
`sqrt((1 + tau e^(ia)) / (1 + tau e^(-ia)))`, majorized by `2/sqrt(1 - tau) - 1`. On a Hilbert
space symmetric forms attain their norm on the diagonal (Banach, cited).
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from majorant.derivation.errors import MajorantError
from majorant.derivation.functions import DerivativeNorm
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.polarization import BANACH
from majorant.derivation.symbols import G_gain, N, eps_norm, v_floor

_SOURCE = Source("docs/theory", "F4")


def radial_coefficient(k: int) -> sp.Rational:
    """`e_k = 2 binom(2k, k) / 4^k`, the k-th Taylor coefficient of `2/sqrt(1 - t)`.

    Raises `MajorantError` for `k < 1`.

    >>> [radial_coefficient(k) for k in range(1, 6)]
    [1, 3/4, 5/8, 35/64, 63/128]
    """
    if k < 1:
        raise MajorantError(f"order: expected an integer >= 1, got {k}")
    return sp.Rational(2 * sp.binomial(2 * k, k), 4**k)


@cache
def normalization_taylor(k: int) -> sp.Expr:
    """`D_k(LN) / k!` at most this: `gain sqrt(N) e_k / (N (v + eps))^(k/2)`.

    >>> normalization_taylor(1)
    G_gain/sqrt(eps_norm + v_floor)
    """
    return (G_gain * sp.sqrt(N) * radial_coefficient(k)
            * (N * (v_floor + eps_norm)) ** sp.Rational(-k, 2))


_x = sp.Symbol("x", real=True)


def _legendre_step(k: int) -> Obligation:
    """The k-th Taylor coefficient along a direction, at `||y||/q = 1`, is at most `e_k`."""
    p, before = sp.legendre(k, _x), sp.legendre(k - 1, _x)
    square = sp.expand(p**2 + before**2 - 2 * _x * p * before)
    e_k = radial_coefficient(k)
    smaller = sp.Rational(99, 100) if k == 1 else sp.Rational(1, 2)
    return Obligation(
        id=f"F4.{k}.coefficient", kind=Kind.ALGEBRA, hypotheses=(_x >= -1, _x <= 1),
        statement=sp.Le(square, e_k**2, evaluate=False),
        mutant=sp.Le(square, (smaller * e_k) ** 2, evaluate=False),
        note="squared norm of the coefficient by Legendre polynomials; attained for k = 1")


def _lemma(k: int) -> Lemma:
    return LEMMAS.add(Lemma(
        id=f"F4.{k}", name=f"normalization_derivative_{k}",
        title=f"Derivative {k} of LayerNorm and RMSNorm", lhs=DerivativeNorm(sp.Integer(k)),
        relation="<=", rhs=sp.factorial(k) * normalization_taylor(k), kind=Kind.ALGEBRA,
        label=Label.TIGHT if k == 1 else Label.UPPER, source=_SOURCE, uses=(BANACH.id,),
        hypotheses=(v_floor + eps_norm > 0,),
        monotone={G_gain: "increasing", v_floor: "decreasing", eps_norm: "decreasing",
                  N: "increasing" if k < 1 else "decreasing" if k > 1 else "constant"},
        provides=frozenset({"majorant"}), obligations=(_legendre_step(k),),
    ))


NORMALIZATION_DERIVATIVES = tuple(_lemma(k) for k in range(1, 5))
