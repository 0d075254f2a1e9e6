"""Leading factor of the envelope bound, which needs no index, and D3, its comparison."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.comparison.schatten_factor import schatten_contribution
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.published.contribution import schatten_quantity
from majorant.derivation.symbols import K, N, a, c, i, kappa, kappa_of, p, r, sigma

RADIUS = sp.Rational(1, 4)
"""Upper end of the entropy integral in G2."""


def envelope_contribution(
    matrix: sp.Expr = a, kappa: sp.Expr = kappa, N: sp.Expr = N, c: sp.Expr = c
) -> sp.Expr:
    """`sqrt(N) sum_i (sqrt(i) - sqrt(i-1)) min(kappa sigma_i, c)` of one matrix.

    It is the value of the integral of `sqrt(N k_W(eps/kappa))` for `eps` in `(0, c)`.
    `sigma[a, 1..r]` non-increasing, zeros allowed at the end. Source: docs/theory 4.4.

    >>> envelope_contribution().has(sp.Min)
    True
    """
    weight = sp.sqrt(i) - sp.sqrt(i - 1)
    return sp.sqrt(N) * sp.Sum(weight * sp.Min(kappa * sigma[matrix, i], c), (i, 1, r))


def envelope_factor(c: sp.Expr = RADIUS) -> sp.Expr:
    """Sum over matrices of `envelope_contribution`, by default with `c = 1/4`.

    >>> envelope_factor().func
    <class 'sympy.concrete.summations.Sum'>
    """
    return sp.Sum(envelope_contribution(a, kappa_of[a], N, c), (a, 1, K))


ENVELOPE_FACTOR = envelope_factor()

_x = sp.Symbol("x", positive=True)
_y = sp.Symbol("y", positive=True)
_q = sp.Symbol("q", positive=True)
_eps = sp.Symbol("varepsilon", positive=True)
_primitive = _eps ** (1 - p / 2) / (1 - p / 2)

def _attained() -> Obligation:
    """D3 at `p = 0` for two singular values: equality where both `kappa sigma_i` exceed c."""
    values = sp.symbols("sigma_1 sigma_2", positive=True)
    left = sp.sqrt(N) * sum((sp.sqrt(k + 1) - sp.sqrt(k)) * sp.Min(c, kappa * s)
                            for k, s in enumerate(values))
    right = schatten_contribution(sp.Integer(2), kappa, N, sp.S.Zero) * c
    return Obligation(
        id="D3.attained", kind=Kind.ALGEBRA, statement=sp.Le(left, right, evaluate=False),
        mutant=sp.Le(left, sp.Rational(99, 100) * right, evaluate=False),
        note="p = 0, rank 2")


D3 = LEMMAS.add(
    Lemma(
        id="D3",
        name="envelope_below_schatten",
        title="The envelope's leading factor is below every Schatten factor",
        lhs=envelope_contribution(),
        relation="<=",
        rhs=schatten_contribution(schatten_quantity()) * c ** (1 - p / 2) / (1 - p / 2),
        kind=Kind.KERNEL,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory 4.4, D3"),
        hypotheses=(sp.Lt(p, 2), sp.Gt(c, 0), sp.Gt(kappa, 0)),
        monotone={N: "increasing", kappa: "increasing", c: "increasing"},
        uses=("C4p",),
        obligations=(
            Obligation(
                id="D3.envelope",
                statement=sp.Le(
                    envelope_contribution(),
                    schatten_contribution(schatten_quantity()) * c ** (1 - p / 2) / (1 - p / 2),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="Comparison.D3",
                hypotheses=(sp.Lt(p, 2), sp.Le(sigma[a, i + 1], sigma[a, i])),
                note="for every finite non-increasing spectrum",
            ),
            _attained(),
            Obligation(
                id="D3.step",
                statement=sp.Le(_x ** (_q - 1) * (_x - _y), (_x**_q - _y**_q) / _q, evaluate=False),
                kind=Kind.KERNEL,
                coq="Comparison.D3_step",
                hypotheses=(sp.Le(_y, _x), sp.Le(_q, 1)),
                mutant=sp.Le(
                    _x ** (_q - 1) * (_x - _y),
                    sp.Rational(99, 100) * (_x**_q - _y**_q) / _q,
                    evaluate=False,
                ),
                note="one step of the sum; tight at q = 1 and as y -> x",
            ),
            Obligation(
                id="D3.integral",
                statement=sp.Eq(sp.diff(_primitive, _eps), _eps ** (-p / 2), evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(p, 2),),
                mutant=sp.Eq(
                    sp.diff(sp.Rational(99, 100) * _primitive, _eps),
                    _eps ** (-p / 2),
                    evaluate=False,
                ),
                note="primitive of the root of the entropy; it vanishes at 0 because p < 2",
            ),
        ),
        notes="Equality at p = 0 where all kappa sigma_i exceed c. Markov on the spectrum, "
        "k_W(eps/kappa) <= S_p (kappa/eps)^p, under the integral.",
    )
)
