"""P5: chaining over covers of the weights, for state spaces of any dimension."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import ExpectedSupremum
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation
from majorant.derivation.pathwise.bias import CONTRACTING, LIPSCHITZ_CLASS
from majorant.derivation.pathwise.sources import OWN
from majorant.derivation.symbols import R_1, D, H_of, J, j, n, rho, scale_of
from majorant.derivation.tags import INTERNAL

drift = R_1 * D * rho / (n * (1 - rho))


def weight_chaining(internal: bool = False) -> sp.Expr:
    """`D e_J + drift + D/(2 (1-rho) sqrt n) sum (link) sqrt(2 H(e_j))`, chaining on a tree.

    `scale_of[1] = R_1` belongs to one constant function, `scale_of[j+1]` to the cover whose
    entropy is `H_of[j]`. A link has length `e_j + e_{j-1}`, and `e_{j-1}` with internal covers.

    >>> weight_chaining(internal=True).has(sp.Sum)
    True
    """
    link = scale_of[j] if internal else scale_of[j + 1] + scale_of[j]
    chain = sp.Sum(link * sp.sqrt(2 * H_of[j]), (j, 1, J))
    return D * scale_of[J + 1] + drift + D / (2 * (1 - rho) * sp.sqrt(n)) * chain


_geometric = rho / (1 - rho)
_length = sp.Symbol("link_length", positive=True)
_parameter = _length * D / (2 * (1 - rho) * sp.sqrt(n))
_coarse, _fine = sp.symbols("e_coarse e_fine", positive=True)
_ranges = n * (_length * D / (n * (1 - rho))) ** 2 / 4

P5 = LEMMAS.add(
    Lemma(
        id="P5",
        name="pathwise_weight_chaining",
        title="Expected largest deviation by chaining over the weights",
        lhs=ExpectedSupremum(sp.Symbol("Phi")),
        relation="<=",
        rhs=weight_chaining(),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=OWN,
        hypotheses=(sp.Lt(rho, 1),),
        monotone={R_1: "increasing", D: "increasing", rho: "increasing", n: "decreasing"},
        requires=frozenset({CONTRACTING, LIPSCHITZ_CLASS, "entropy in the Lipschitz norm"}),
        provides=frozenset({"expected supremum"}),
        uses=("MCDIARMID", "COUPLINGS", "MASSART"),
        obligations=(
            Obligation(
                id="P5.variance_proxy",
                statement=sp.Eq(_parameter**2, _ranges, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(rho, 1),),
                mutant=sp.Eq(sp.Rational(99, 100) * _parameter**2, _ranges, evaluate=False),
                note="n martingale differences of range l D / (n (1 - rho)); a quarter of the sum "
                "of squared ranges is the variance proxy",
            ),
            Obligation(
                id="P5.drift",
                statement=sp.Eq(rho + rho * _geometric, _geometric, evaluate=False),
                kind=Kind.ALGEBRA,
                hypotheses=(sp.Lt(rho, 1),),
                mutant=sp.Eq(rho + sp.Rational(99, 100) * rho * _geometric, _geometric,
                             evaluate=False),
                note="the law of step i is within D rho^i of the stationary one, i >= 1: the sum "
                "of rho^i is the fixed point of x -> rho + rho x",
            ),
        ),
        notes="One-sided, as the guarantee needs it; log 2 more in every entropy makes it "
        "two-sided. The coarsest cover (radius R_1) is one constant function. The bias is taken "
        "out once, before chaining, so it carries R_1 and not the sum of the links.",
    )
)

P5_INTERNAL = LEMMAS.add(
    Lemma(
        id="P5.internal",
        name="pathwise_weight_chaining_internal",
        title="Expected largest deviation by chaining over internal covers of the weights",
        lhs=ExpectedSupremum(sp.Symbol("Phi")),
        relation="<=",
        rhs=weight_chaining(internal=True),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=OWN,
        hypotheses=(sp.Lt(rho, 1),),
        monotone={R_1: "increasing", D: "increasing", rho: "increasing", n: "decreasing"},
        requires=frozenset({CONTRACTING, LIPSCHITZ_CLASS, "entropy in the Lipschitz norm",
                            INTERNAL}),
        provides=frozenset({"expected supremum"}),
        uses=("P5", "C1"),
        obligations=(Obligation(
            id="P5.internal.link", kind=Kind.ALGEBRA,
            statement=sp.Le(_coarse, _coarse + _fine, evaluate=False),
            mutant=sp.Le(_coarse, sp.Rational(99, 100) * (_coarse + _fine), evaluate=False),
            note="a link of internal covers is at most the coarser radius: never longer"),),
        notes="With centres in the class the parent of a centre is one nearest to the centre "
        "itself, so a link is at most the coarser radius.",
    )
)
