"""G2 and G3: chaining on a tree of covers, and Dudley's integral with its constants."""

from __future__ import annotations

from typing import Literal

import sympy as sp

from majorant.derivation.errors import UnusableInput
from majorant.derivation.functions import EmpiricalRademacher, Setting
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import H_of, J, c0, cut, integral, j, n, scale_of
from majorant.derivation.tags import (
    COVER,
    HALF_RADIUS,
    INTERNAL,
    LOSS,
    QUARTER_INTEGRAL,
    RADEMACHER,
    UNIT_RANGE,
)

Chaining = Literal["textbook", "any", "internal"]


def chaining_constant(covers: Chaining = "any") -> sp.Expr:
    """The constant `c0` of Dudley's integral: 12 (textbook), `6 sqrt 2`, `4 sqrt 2` (internal).

    >>> chaining_constant("internal") < chaining_constant("any") < chaining_constant("textbook")
    True
    """
    constants = {"textbook": 12, "any": 6 * sp.sqrt(2), "internal": 4 * sp.sqrt(2)}
    if covers not in constants:
        raise UnusableInput(f"chaining={covers!r}: expected one of {', '.join(constants)}")
    return sp.sympify(constants[covers])


def dudley_bound(
    integral: sp.Expr = integral, cut: sp.Expr = cut, n: sp.Expr = n, c0: sp.Expr = c0
) -> sp.Expr:
    """`4 a + c0/sqrt(n) * integral`, with the integral of `sqrt(H)` from `a` to 1/4.

    Domain: `0 < a <= 1/4`; values of the class in `[0, 1]`. Source: G2.

    >>> dudley_bound(sp.Integer(0), sp.Rational(1, 8))
    1/2
    """
    return 4 * cut + c0 * integral / sp.sqrt(n)


def chain_bound(internal: bool = False) -> sp.Expr:
    """`e_J + sum_j (e_j + e_{j-1}) sqrt(2 H(e_j)/n)`; internal covers save `e_j` in each link.

    `scale_of[1] = 1/2` is the radius of the class, `scale_of[j+1]` the radius of the cover whose
    entropy is `H_of[j]`, `j = 1..J`. Source: G3.

    >>> chain_bound(internal=True) == chain_bound()
    False
    """
    link = scale_of[j] if internal else scale_of[j + 1] + scale_of[j]
    return scale_of[J + 1] + sp.Sum(link * sp.sqrt(2 * H_of[j] / n), (j, 1, J))


_r = sp.Symbol("rademacher_average", real=True)
_e = sp.Symbol("e", positive=True)
_SCALES = (sp.Eq(scale_of[1], sp.Rational(1, 2)),)


def _dyadic(internal: bool) -> Obligation:
    """One dyadic link, `e_{j-1} = 2 e_j = 4 (e_j - e_{j+1})`, against its part of the integral."""
    link = 2 * _e if internal else _e + 2 * _e
    constant = chaining_constant("internal" if internal else "any")
    name = "internal" if internal else "any"
    claim = sp.Eq(link * sp.sqrt(2), constant * (_e - _e / 2), evaluate=False)
    smaller = sp.Rational(99, 100) * constant * (_e - _e / 2)
    return Obligation(
        id=f"G2.{name}.dyadic",
        statement=claim,
        kind=Kind.KERNEL,
        coq="auto",
        mutant=sp.Eq(link * sp.sqrt(2), smaller, evaluate=False),
        note="sum over j of these parts is below the integral from e_{J+1} to e_1 = 1/4",
    )


_CUT = Obligation(
    id="G2.cut",
    statement=sp.Le(4 * _e, 4 * cut, evaluate=False),
    kind=Kind.ALGEBRA,
    hypotheses=(sp.Lt(_e, cut),),
    note="the last scale e_J = 4 e_{J+2} < 4 a, with e_{J+2} < a <= e_{J+1}",
)


def _integral(covers: Chaining) -> Obligation:
    """The whole lemma: for every class with covers at all scales."""
    setting, name = {
        "any": ("dudley_value", "G2"),
        "internal": ("internal_dudley_value", "G2_internal"),
    }[covers]
    return Obligation(
        id=f"{name.replace('_', '.')}.integral",
        statement=sp.Le(_r, dudley_bound(c0=chaining_constant(covers)), evaluate=False),
        kind=Kind.KERNEL,
        coq=f"Dudley.{name}",
        hypotheses=(Setting(setting, n, cut, integral, _r), sp.Le(cut, sp.Rational(1, 4))),
        note="the dyadic tree against the integral",
    )


def _tree(internal: bool) -> Obligation:
    """The whole lemma: for every class with such a chain of covers."""
    setting, name = ("internal_chain_value", "G3_internal") if internal else ("chain_value", "G3")
    return Obligation(
        id=f"{name.replace('_', '.')}.tree",
        statement=sp.Le(_r, chain_bound(internal), evaluate=False),
        kind=Kind.KERNEL,
        coq=f"Chaining.{name}",
        hypotheses=(Setting(setting, n, J, scale_of, H_of, _r),),
        note="one link per centre, Massart's lemma on each level",
    )


def _dudley(covers: Chaining) -> Lemma:
    suffix = {"textbook": ".textbook", "any": "", "internal": ".internal"}[covers]
    internal = frozenset({INTERNAL}) if covers == "internal" else frozenset()
    if covers == "textbook":
        obligations: tuple[Obligation, ...] = (
            Obligation(
                id="G2.textbook.follows",
                statement=sp.Le(
                    chaining_constant("any"), chaining_constant("textbook"), evaluate=False
                ),
                kind=Kind.ALGEBRA,
            ),
        )
    else:
        obligations = (_integral(covers), _dyadic(covers == "internal"))
        obligations += (_CUT,) if covers == "any" else ()
    return Lemma(
        id="G2" + suffix,
        name={"any": "dudley", "textbook": "dudley_textbook", "internal": "dudley_internal"}[
            covers
        ],
        title=f"Dudley's integral, constant {chaining_constant(covers)}",
        lhs=EmpiricalRademacher(),
        relation="<=",
        rhs=dudley_bound(c0=chaining_constant(covers)),
        kind=Kind.ALGEBRA if covers == "textbook" else Kind.KERNEL,
        label=Label.UPPER,
        source=Source("majorant, after Dudley 1967", "docs/theory, G2"),
        hypotheses=(sp.Le(cut, sp.Rational(1, 4)),),
        monotone={integral: "increasing", n: "decreasing", cut: "neither"},
        requires=frozenset({COVER, LOSS, UNIT_RANGE, QUARTER_INTEGRAL}) | internal,
        provides=frozenset({RADEMACHER, HALF_RADIUS}),
        uses=("G2",) if covers == "textbook" else ("G3" + suffix,),
        obligations=obligations,
        notes="The textbook constant counts pairs of centres; a tree counts one link per centre.",
    )


G2 = LEMMAS.add(_dudley("any"))
G2_TEXTBOOK = LEMMAS.add(_dudley("textbook"))
G2_INTERNAL = LEMMAS.add(_dudley("internal"))


def _chain(internal: bool) -> Lemma:
    extra = frozenset({INTERNAL}) if internal else frozenset()
    served, to_parent, link = sp.symbols("served to_parent link", nonnegative=True)
    fine, coarse = sp.symbols("fine coarse", positive=True)
    sides = (sp.Le(served, fine), sp.Le(to_parent, coarse), sp.Le(link, served + to_parent))
    return Lemma(
        id="G3.internal" if internal else "G3",
        name="chain_internal" if internal else "chain",
        title="Chaining on a tree" + (", internal covers" if internal else ""),
        lhs=EmpiricalRademacher(),
        relation="<=",
        rhs=chain_bound(internal),
        kind=Kind.KERNEL,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory, G3"),
        hypotheses=_SCALES,
        monotone={n: "decreasing"},
        requires=frozenset({COVER, LOSS, UNIT_RANGE}) | extra,
        provides=frozenset({RADEMACHER, HALF_RADIUS}),
        uses=("MASSART",),
        obligations=(_tree(internal),)
        if internal
        else (
            _tree(internal),
            Obligation(
                id="G3.link",
                statement=sp.Le(link, fine + coarse, evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                hypotheses=sides,
                mutant=sp.Le(link, sp.Rational(99, 100) * (fine + coarse), evaluate=False),
                note="centre to the member it serves, member to its own coarser centre",
            ),
        ),
        notes="Each centre has ONE parent: the coarser centre nearest to a member that it serves. "
        "So level j has exp(H(e_j)) links, not one for each pair.",
    )


G3 = LEMMAS.add(_chain(internal=False))
G3_INTERNAL = LEMMAS.add(_chain(internal=True))
