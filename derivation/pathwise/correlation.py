"""P3, first half: the mean square of one Fourier coefficient of the empirical measure."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation
from majorant.derivation.pathwise.bias import CONTRACTING
from majorant.derivation.pathwise.sources import OWN
from majorant.derivation.symbols import A_period, D, cut_of, n, q, rho


def phase_spread(q: sp.Expr = q) -> sp.Expr:
    """`a_k = 2 pi |k| D / A`: how far a wave with `|k|^2 = q` can turn over the state space.

    >>> phase_spread(sp.Integer(4))
    4*pi*D/A_period
    """
    return 2 * sp.pi * sp.sqrt(q) * D / A_period


def correlation_bound(q: sp.Expr = q, cut: sp.Expr | None = None) -> sp.Expr:
    """`v_k` with `|k|^2 = q`: bounds `E |(pi_n - pi)(e_k)|^2`, for every cut `>= 0`.

    The variance of a wave is at most 1; after `t` steps its conditional mean lies in a set of
    diameter `a_k rho^t`, so its standard deviation is at most `a_k rho^t / sqrt 2`: the sum over
    lags takes 1 up to the cut and the geometric rest beyond. The bias does the same with
    `min(2, a_k rho^i)`. Any cut gives a true bound; the best is where the two are equal.

    >>> correlation_bound(sp.Integer(1), sp.Integer(0)).subs(rho, 0)
    1/n
    """
    t = cut_of[q] if cut is None else cut
    spread = phase_spread(q)
    lags = t + spread * rho ** (t + 1) / (sp.sqrt(2) * (1 - rho))
    bias = (2 * t + spread * rho ** (t + 1) / (1 - rho)) / n
    return (1 + 2 * lags) / n + bias**2


_t = sp.Symbol("t_lag", integer=True, nonnegative=True)
_spread = sp.Symbol("a_phase", positive=True)
_variance = sp.Symbol("variance_share", positive=True)

P3_CORRELATION = LEMMAS.add(
    Lemma(
        id="P3a",
        name="pathwise_correlation",
        title="Mean square of a Fourier coefficient of the empirical measure",
        lhs=sp.Symbol("mean_square", nonnegative=True),
        relation="<=",
        rhs=correlation_bound(cut=sp.Symbol("t_cut", integer=True, nonnegative=True)),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=OWN,
        hypotheses=(sp.Lt(rho, 1),),
        monotone={D: "increasing", n: "decreasing", q: "increasing"},
        requires=frozenset({CONTRACTING}),
        provides=frozenset({"mean squares of Fourier coefficients"}),
        obligations=(
            Obligation(
                id="P3a.two_points",
                # E|X - E X|^2 = E|X - X'|^2 / 2 and |X - X'| <= spread.
                statement=sp.Le(_spread**2 * _variance / 2, _spread**2 / 2, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Le(_variance, 1),),
                mutant=sp.Le(_spread**2 * _variance / 2,
                             sp.Rational(99, 100) * _spread**2 / 2, evaluate=False),
                note="the variance of a variable in a set of given diameter",
            ),
            Obligation(
                id="P3a.tail",
                statement=sp.Eq((1 - rho) * (rho ** (_t + 1) / (1 - rho)),
                                rho ** (_t + 1), evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(rho, 1),),
                mutant=sp.Eq((1 - rho) * (rho ** (_t + 1) / (1 - rho)),
                             sp.Rational(99, 100) * rho ** (_t + 1), evaluate=False),
                note="the geometric rest after the cut",
            ),
        ),
        notes="Three to five times smaller than the form with 4/n and one common cut-off.",
    )
)
