"""C7 and C9: entropies of matrices add up along the telescoping; reference weights."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import K, a, eps, eps_of, kappa_of, w_of
from majorant.derivation.tags import COVER, IN_SPECTRAL_BALL, NETWORK, TELESCOPED


def spent_accuracy() -> sp.Expr:
    """`sum_a kappa_a eps_a`, which may not exceed the radius of the network's cover.

    >>> spent_accuracy().func
    <class 'sympy.concrete.summations.Sum'>
    """
    return sp.Sum(kappa_of[a] * eps_of[a], (a, 1, K))


def shared_radius(
    eps: sp.Expr = eps, kappa: sp.Expr = kappa_of[a], share: sp.Expr = w_of[a]
) -> sp.Expr:
    """`w eps / kappa`: the radius of one matrix that is given the share `w` of the accuracy.

    The published choice is the equal split, `w = 1/K`.

    >>> shared_radius(sp.Integer(1), sp.Integer(2), sp.Rational(1, 2))
    1/4
    """
    return share * eps / kappa


_total = sp.Sum(MetricEntropy(eps_of[a], a), (a, 1, K))

C7 = LEMMAS.add(
    Lemma(
        id="C7",
        name="composed_cover",
        title="Entropy of a network from the entropies of its matrices",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=_total,
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, C7"),
        hypotheses=(sp.Le(spent_accuracy(), eps),),
        requires=frozenset({COVER, IN_SPECTRAL_BALL, TELESCOPED}),
        provides=frozenset({NETWORK}),
        uses=("A5",),
        obligations=(
            Obligation(
                id="C7.shares",
                statement=sp.Eq(kappa_of[a] * shared_radius(), w_of[a] * eps, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    kappa_of[a] * shared_radius(),
                    sp.Rational(99, 100) * w_of[a] * eps,
                    evaluate=False,
                ),
                note="shares that sum to at most 1 keep sum kappa_a eps_a below eps",
            ),
        ),
        notes="Covers that serve one sample (C5, C6) are built from the input upwards on the "
        "images under the centres already chosen, and counted with the supremum over images.",
    )
)

_W, _centre, _reference = sp.symbols("W centre reference", real=True)

_moved = sp.Add(_W - _reference, -(_centre - _reference), evaluate=False)

C9 = LEMMAS.add(
    Lemma(
        id="C9",
        name="reference_weights",
        title="Covers around reference weights",
        lhs=sp.Abs((_W - _reference) - (_centre - _reference)),
        relation="==",
        rhs=sp.Abs(_W - _centre),
        kind=Kind.ALGEBRA,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory, C9"),
        requires=frozenset({COVER}),
        uses=("A5",),
        obligations=(
            Obligation(
                id="C9.differences",
                statement=sp.Eq(_moved, _W - _centre, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(_moved, sp.Rational(99, 100) * (_W - _centre), evaluate=False),
                note="A5 uses differences of weights only",
            ),
        ),
        notes="The reference may not depend on the sample. Put W - W0 and its spectrum into "
        "C1-C6; radii use |W0| + C_Delta; a matrix that did not move costs nothing.",
    )
)
