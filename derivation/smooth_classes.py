"""What smoothness buys: the entropy of a class with bounded derivatives, constants included."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import MetricEntropy
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import R_of, d, eps, order, s

# Half the side of a cell times sqrt d: the largest distance to the centre of the cell. It is
# chosen so that the Taylor remainder R_s reach^s / s! is at most eps / 2.
reach = (sp.factorial(s) * eps / (2 * R_of[s])) ** (1 / s)
cells = sp.ceiling(sp.sqrt(d) / (2 * reach)) ** d
# Entries of the derivative of order j are rounded so that each order adds at most eps / (2 s).
values = 1 + 2 * R_of[order] * s * (reach * sp.sqrt(d)) ** order / (eps * sp.factorial(order))
smooth_entropy = cells * sp.Sum(
    sp.binomial(d + order - 1, order) * sp.log(values), (order, 0, s - 1)
)

# The rounding step with its powers named: `_h` stands for reach^j, `_root` for d^{j/2}.
_h, _root, _factorial = sp.symbols("reach_power root_power j_factorial", positive=True)
_step = eps * _factorial / (s * _h * _root)
_error = (_step / 2) * _root * _h / _factorial

SMOOTH = LEMMAS.add(
    Lemma(
        id="F8",
        name="smooth_class_entropy",
        title="Entropy of a class with bounded derivatives on the unit cube",
        lhs=MetricEntropy(eps),
        relation="<=",
        rhs=smooth_entropy,
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("Kolmogorov, Tikhomirov 1959", "rate; constants: docs/theory 5.4"),
        monotone={eps: "decreasing"},
        provides=frozenset({"a cover"}),
        obligations=(
            Obligation(
                id="F8.remainder",
                statement=sp.Le(R_of[s] * reach**s / sp.factorial(s), eps / 2, evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Le(R_of[s] * reach**s / sp.factorial(s),
                             sp.Rational(99, 100) * eps / 2, evaluate=False),
                note="Taylor's remainder in a cell",
            ),
            Obligation(
                id="F8.rounding",
                statement=sp.Le(_error, eps / (2 * s), evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Le(
                    _error, sp.Rational(99, 100) * eps / (2 * s), evaluate=False
                ),
                note="rounding the entries of one order; d^{j/2} passes from entries to operators",
            ),
        ),
        notes="The first factor grows like eps^{-d/s}; with s = 1 it is the Lipschitz class and "
        "grows like eps^{-d}. A member of the class is replaced by Taylor polynomials around the "
        "centres of ceil(sqrt(d)/(2 reach))^d cells; the derivative of order j has "
        "binom(d + order - 1, order) different entries, each at most R_j in absolute value.",
    )
)
