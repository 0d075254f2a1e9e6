"""F4: all derivatives of `g(y) = y / sqrt(1 + ||y||^2)`, and of LayerNorm and RMSNorm.

With `q = sqrt(1 + ||y||^2)`, `||D^k g(y)|| <= k! e_k / q^k`, and over all y `||D^k g|| <= k! r_k`:
along a unit direction g is `(y + t h)/q` times the generating function of the Legendre
polynomials, and the norms of its Taylor coefficients are polynomials (`radial_map`). On a Hilbert
space symmetric forms attain their norm on the diagonal (Banach, cited). The first bound serves
where a floor under the variance is known, the second where none is.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from majorant.derivation.functions import DerivativeNorm
from majorant.derivation.lemma import LEMMAS, Direction, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.polarization import BANACH
from majorant.derivation.radial_map import far_square, free_square, polynomials, x
from majorant.derivation.symbols import G_gain, N, eps_norm, v_floor

_SOURCE = Source("docs/theory", "F4")


def radial_coefficient(k: int, floor: bool = True) -> sp.Expr:
    """`e_k`; without a floor `r_k`. Raises `MajorantError` for `k < 1`.

    >>> [radial_coefficient(k) for k in (1, 2, 3, 5)]
    [1, sqrt(3)/3, 1/2, 3/8]
    >>> radial_coefficient(2, floor=False) < 0.43
    True
    """
    return sp.sqrt(far_square(k) if floor else free_square(k))


@cache
def normalization_taylor(k: int, floor: bool = True) -> sp.Expr:
    """`D_k(LN) / k!` at most this: `gain sqrt(N) e_k / (N (v + eps))^(k/2)`.

    Without a floor `v = 0`, and `r_k` replaces `e_k`.

    >>> normalization_taylor(1)
    G_gain/sqrt(eps_norm + v_floor)
    """
    return (G_gain * sp.sqrt(N) * radial_coefficient(k, floor)
            * (N * (v_floor + eps_norm if floor else eps_norm)) ** sp.Rational(-k, 2))


def _step(id: str, polynomial: sp.Expr, square: sp.Rational, share: sp.Rational,
          note: str) -> Obligation:
    """The polynomial is at most `square` on [-1, 1], and somewhere above a `share` of it."""
    return Obligation(
        id=id, kind=Kind.ALGEBRA, hypotheses=(x >= -1, x <= 1),
        statement=sp.Le(polynomial, square, evaluate=False),
        mutant=sp.Le(polynomial, share * square, evaluate=False), note=note)


def _lemma(id: str, name: str, title: str, k: int, rhs: sp.Expr, label: Label,
           obligations: tuple[Obligation, ...]) -> Lemma:
    monotone: dict[Any, Direction] = {
        G_gain: "increasing", eps_norm: "decreasing", N: "decreasing" if k > 1 else "constant"}
    if rhs.has(v_floor):
        monotone[v_floor] = "decreasing"
    return LEMMAS.add(Lemma(
        id=id, name=name, title=title, lhs=DerivativeNorm(sp.Integer(k)), relation="<=",
        rhs=sp.factorial(k) * rhs, kind=Kind.ALGEBRA, label=label, source=_SOURCE,
        uses=(BANACH.id,), hypotheses=(v_floor + eps_norm > 0,),
        monotone=monotone, provides=frozenset({"majorant"}), obligations=obligations))


def _floored(k: int) -> Lemma:
    return _lemma(
        f"F4.{k}", f"normalization_derivative_{k}", f"Derivative {k} of LayerNorm and RMSNorm", k,
        normalization_taylor(k), Label.TIGHT if k == 1 else Label.UPPER,
        (_step(f"F4.{k}.coefficient", polynomials(k)["far"], far_square(k),
               sp.Rational(99, 100), "squared norm of a Taylor coefficient for ||y|| = q"),))


def _free(k: int) -> Lemma:
    found = polynomials(k)
    return _lemma(
        f"F4.free.{k}", f"normalization_derivative_{k}_free",
        f"Derivative {k} of LayerNorm and RMSNorm without a floor", k,
        normalization_taylor(k, floor=False), Label.TIGHT,
        (_step(f"F4.free.{k}.radial", found["radial"], free_square(k), sp.Rational(99, 100),
               "attained: the derivatives of t/sqrt(1 + t^2)"),
         _step(f"F4.free.{k}.across", found["across"], free_square(k), sp.Rational(1, 10),
               "directions across y")))


NORMALIZATION_DERIVATIVES = tuple(_floored(k) for k in range(1, 5))
FREE_DERIVATIVES = tuple(_free(k) for k in range(1, 5))
