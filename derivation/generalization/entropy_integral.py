"""G4: the entropy integral of power entropies in closed form."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.errors import HypothesisMismatch
from majorant.derivation.functions import EntropyIntegral
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import c, p
from majorant.derivation.tags import LOSS, QUARTER_INTEGRAL

A = sp.Symbol("A", nonnegative=True)
B = sp.Symbol("B", nonnegative=True)
offset = sp.Symbol("offset", nonnegative=True)


def power_entropy(A: sp.Expr, p: sp.Expr, B: sp.Expr, eps: sp.Expr, offset: sp.Expr) -> sp.Expr:
    """`A eps^{-p} (log(1 + B/eps) + offset)`, an entropy of one parameter.

    >>> power_entropy(*map(sp.Integer, (1, 0, 1, 1, 0)))
    log(2)
    """
    return A * eps ** (-p) * (sp.log(1 + B / eps) + offset)


def integral_bound(
    A: sp.Expr = A,
    p: sp.Expr = p,
    B: sp.Expr = B,
    c: sp.Expr = c,
    offset: sp.Expr = sp.S.Zero,
) -> sp.Expr:
    """`sqrt(A) c^{1-p/2}/(1-p/2) sqrt(log(1 + B/c) + 1/(1-p/2) + offset)`.

    Bounds the integral over `(0, c)` of the root of `power_entropy`. Domain: `0 <= p < 2`,
    `c > 0`, `A, B, offset >= 0`. Raises `HypothesisMismatch` at `p >= 2`, where the integral
    diverges (keep a cut-off there). Source: G4.

    >>> integral_bound(*map(sp.Integer, (4, 0, 0, 1)))
    2
    """
    rate = 1 - p / 2
    if rate.is_nonpositive:
        raise HypothesisMismatch(f"G4 (entropy integral): needs p < 2, has p = {p}")
    return sp.sqrt(A) * c**rate / rate * sp.sqrt(sp.log(1 + B / c) + 1 / rate + offset)


_eps, _rate = sp.Symbol("varepsilon", positive=True), sp.Symbol("rate", positive=True)
_c = sp.Symbol("c", positive=True)
_x, _y = sp.symbols("x y", nonnegative=True)
_cut = sp.Symbol("cut", positive=True)
_root = sp.Integral(sp.sqrt(power_entropy(A, p, B, _eps, offset)), (_eps, _cut, _c))
_mass = _eps**_rate / _rate
_mean = _mass * (sp.log(_c / _eps) + 1 / _rate)

G4 = LEMMAS.add(
    Lemma(
        id="G4",
        name="power_entropy_integral",
        title="Entropy integral of a power entropy",
        lhs=EntropyIntegral(0, c),
        relation="<=",
        rhs=integral_bound(),
        kind=Kind.KERNEL,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, G4"),
        hypotheses=(sp.Lt(p, 2),),
        monotone={A: "increasing", B: "increasing", p: "neither"},
        requires=frozenset({LOSS}),
        provides=frozenset({QUARTER_INTEGRAL}),
        obligations=(
            Obligation(
                id="G4.integral",
                statement=sp.Le(_root, integral_bound(c=_c, offset=offset), evaluate=False),
                kind=Kind.KERNEL,
                coq="Integrals.G4",
                hypotheses=(sp.Lt(p, 2), sp.Le(_cut, _c)),
                note="from any cut > 0, with a bound that does not depend on it",
            ),
            Obligation(
                id="G4.mass",
                statement=sp.Eq(sp.diff(_mass, _eps), _eps ** (_rate - 1), evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    sp.diff(sp.Rational(99, 100) * _mass, _eps),
                    _eps ** (_rate - 1),
                    evaluate=False,
                ),
                note="primitive of the density eps^{-p/2}, rate = 1 - p/2; at c it is c^rate/rate",
            ),
            Obligation(
                id="G4.mean_log",
                statement=sp.Eq(
                    sp.diff(_mean, _eps), sp.log(_c / _eps) * sp.diff(_mass, _eps), evaluate=False
                ),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    sp.diff(_mean, _eps),
                    sp.Rational(99, 100) * sp.log(_c / _eps) * sp.diff(_mass, _eps),
                    evaluate=False,
                ),
                note="primitive of log(c/eps) times the density; at c it is 1/rate of the mass",
            ),
            Obligation(
                id="G4.logarithm",
                statement=sp.Le(
                    sp.log(1 + B / _eps), sp.log(1 + B / _c) + sp.log(_c / _eps), evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="Integrals.G4_logarithm",
                hypotheses=(sp.Le(_eps, _c),),
                mutant=sp.Le(
                    sp.log(1 + B / _eps),
                    sp.Rational(99, 100) * (sp.log(1 + B / _c) + sp.log(_c / _eps)),
                    evaluate=False,
                ),
                note="(eps + B)/eps <= (c + B)/eps; equality at eps = c",
            ),
            Obligation(
                id="G4.roots_add",
                statement=sp.Le(sp.sqrt(_x + _y), sp.sqrt(_x) + sp.sqrt(_y), evaluate=False),
                kind=Kind.KERNEL,
                coq="Integrals.G4_roots_add",
                mutant=sp.Le(
                    sp.sqrt(_x + _y),
                    sp.Rational(99, 100) * (sp.sqrt(_x) + sp.sqrt(_y)),
                    evaluate=False,
                ),
                note="the root of a sum of entropies",
            ),
            Obligation(
                id="G4.jensen",
                statement=sp.Le(sp.sqrt(_x), (_x + _y) / (2 * sp.sqrt(_y)), evaluate=False),
                kind=Kind.KERNEL,
                coq="Integrals.G4_jensen",
                hypotheses=(sp.Gt(_y, 0),),
                mutant=sp.Le(
                    sp.sqrt(_x),
                    sp.Rational(99, 100) * (_x + _y) / (2 * sp.sqrt(_y)),
                    evaluate=False,
                ),
                note="tangent of the root at the mean y: the mean of a root is below its root",
            ),
        ),
        notes="For a sum of entropies add the bounds; an additive offset joins the logarithm.",
    )
)
