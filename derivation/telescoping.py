"""A5: perturbations of the weights add up along the blocks."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import OutputDistance
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import (
    K,
    L,
    Lip_of,
    a,
    alpha,
    eps_of,
    gamma_block,
    kappa_of,
    l,
    l_after,
    move_of,
    radius,
)
from majorant.derivation.tags import IN_SPECTRAL_BALL, TELESCOPED


def telescoped_distance() -> sp.Expr:
    """`sum_l (prod_{l' > l} Lip_{l'}) s_l`: the distance after the last block.

    `move_of[l]` is how far the output of block `l` moves when its own weights are replaced.

    >>> telescoped_distance().subs(L, 1).doit()
    move_of[1]
    """
    later = sp.Product(Lip_of[l_after], (l_after, l + 1, L))
    return sp.Sum(later * move_of[l], (l, 1, L))


def sensitivity(
    alpha: sp.Expr = alpha, gamma_block: sp.Expr = gamma_block, radius: sp.Expr = radius
) -> sp.Expr:
    """`kappa = alpha_l g radius`: output per unit of movement of one matrix. Source: A4, A5.

    >>> sensitivity(sp.Integer(2), sp.Integer(3), sp.Integer(1))
    6
    """
    return alpha * gamma_block * radius


_lip, _gap, _move, _next = sp.symbols("Lip gap move Lip_next", nonnegative=True)
_after = sp.Symbol("gap_after", nonnegative=True)
_rest = sp.Symbol("rest", nonnegative=True)
_gap_of = sp.IndexedBase(sp.Symbol("gap_of", nonnegative=True))

A5 = LEMMAS.add(
    Lemma(
        id="A5",
        name="telescoping",
        title="Telescoping of perturbations",
        lhs=OutputDistance(),
        relation="<=",
        rhs=sp.Sum(kappa_of[a] * eps_of[a], (a, 1, K)),
        kind=Kind.KERNEL,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory 1.6, A5"),
        requires=frozenset({IN_SPECTRAL_BALL}),
        provides=frozenset({TELESCOPED}),
        obligations=(
            Obligation(
                id="A5.telescopes",
                statement=sp.Le(_gap_of[L], telescoped_distance(), evaluate=False),
                kind=Kind.KERNEL,
                coq="Telescoping.A5",
                hypotheses=(
                    sp.Eq(_gap_of[0], 0),
                    sp.Le(_gap_of[l], Lip_of[l] * _gap_of[l - 1] + move_of[l]),
                ),
                note="for any number of blocks, from the inequality of one block",
            ),
            Obligation(
                id="A5.step",
                statement=sp.Le(
                    _next * _after + _rest, _next * (_lip * _gap + _move) + _rest, evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="auto",
                hypotheses=(sp.Le(_after, _lip * _gap + _move),),
                mutant=sp.Le(
                    _next * _after + _rest,
                    sp.Rational(99, 100) * (_next * (_lip * _gap + _move) + _rest),
                    evaluate=False,
                ),
                note="induction over blocks: e_l <= Lip_l e_{l-1} + s_l",
            ),
        ),
        notes="Upstream the inputs are those of the centres, downstream the Lipschitz constants "
        "are those of the network: centres must satisfy the norm bounds of the class.",
    )
)
