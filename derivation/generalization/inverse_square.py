"""The entropy integral of norm-based covers, where a cut-off is needed."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import EntropyIntegral
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import c, cut
from majorant.derivation.tags import LOSS, QUARTER_INTEGRAL

constant = sp.Symbol("constant", nonnegative=True)
A = sp.Symbol("A", nonnegative=True)


def inverse_square_integral(
    constant: sp.Expr = constant, A: sp.Expr = A, cut: sp.Expr = cut, c: sp.Expr = c
) -> sp.Expr:
    """`c sqrt(constant) + sqrt(A) log(c/cut)`: bounds the integral of `sqrt(constant + A/eps^2)`.

    From `cut` to `c`; domain `0 < cut <= c`. Source: docs/theory, G4 with p = 2 and a cut-off.

    >>> inverse_square_integral(sp.Integer(0), sp.Integer(4), sp.Integer(1), sp.E)
    2
    """
    return c * sp.sqrt(constant) + sp.sqrt(A) * sp.log(c / cut)


_cut = sp.Symbol("cut", positive=True)
_eps = sp.Symbol("varepsilon", positive=True)

G4_SQUARE = LEMMAS.add(
    Lemma(
        id="G4.square",
        name="inverse_square_integral",
        title="Entropy integral of an inverse square, with a cut-off",
        lhs=EntropyIntegral(cut, c),
        relation="<=",
        rhs=inverse_square_integral(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, G4"),
        hypotheses=(sp.Le(cut, c),),
        monotone={A: "increasing", constant: "increasing", cut: "decreasing"},
        requires=frozenset({LOSS}),
        provides=frozenset({QUARTER_INTEGRAL}),
        uses=("G4",),
        obligations=(
            Obligation(
                id="G4.square.root",
                statement=sp.Le(
                    sp.sqrt(constant + A / _eps**2),
                    sp.sqrt(constant) + sp.sqrt(A) / _eps,
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="Integrals.G4_square_root",
                mutant=sp.Le(
                    sp.sqrt(constant + A / _eps**2),
                    sp.Rational(99, 100) * (sp.sqrt(constant) + sp.sqrt(A) / _eps),
                    evaluate=False,
                ),
            ),
            Obligation(
                id="G4.square.logarithm",
                statement=sp.Eq(sp.diff(sp.log(_eps / _cut), _eps), 1 / _eps, evaluate=False),
                kind=Kind.ALGEBRA,
                note="primitive of 1/eps that vanishes at the cut-off",
            ),
        ),
    )
)
