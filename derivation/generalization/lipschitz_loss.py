"""From the network class to the loss class: a Lipschitz loss rescales the radius."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import Lambda, eps
from majorant.derivation.tags import LIPSCHITZ_LOSS, LOSS, NETWORK


def network_radius(eps: sp.Expr = eps, Lambda: sp.Expr = Lambda) -> sp.Expr:
    """`eps/Lambda`: outputs this close have losses within `eps`.

    >>> network_radius(sp.Integer(1), sp.Integer(2))
    1/2
    """
    return eps / Lambda


_moved = sp.Symbol("moved", nonnegative=True)
_loss_moved = sp.Symbol("loss_moved", nonnegative=True)

LIPSCHITZ = LEMMAS.add(
    Lemma(
        id="G0",
        name="loss_class_entropy",
        title="Entropy of the loss class of a Lipschitz loss",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=MetricEntropy(network_radius(), sp.Symbol("network")),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, G2"),
        requires=frozenset({NETWORK, LIPSCHITZ_LOSS}),
        provides=frozenset({LOSS}),
        obligations=(
            Obligation(
                id="G0.reach",
                statement=sp.Le(_loss_moved, eps, evaluate=False),
                kind=Kind.KERNEL,
                coq="Entropies.G0_reach",
                hypotheses=(
                    sp.Le(_moved, network_radius()),
                    sp.Le(_loss_moved, Lambda * _moved),
                ),
                mutant=sp.Le(_loss_moved, sp.Rational(99, 100) * eps, evaluate=False),
            ),
        ),
    )
)
