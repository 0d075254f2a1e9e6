"""Slopes of activations as lemmas: the certified table against the kernel's proof."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.activations.facts import activation_table
from majorant.derivation.functions import LipschitzConstant, Setting
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source

_slope = sp.Symbol("slope", real=True)


def slope_bound(activation: str) -> sp.Rational:
    """Upper end of `sup |phi'|` from the table, exact.

    >>> float(slope_bound("gelu")) < 1.13
    True
    """
    upper = activation_table()[activation].supremum(1)[1]
    return sp.Rational(upper.numerator, upper.denominator)


def _attained(activation: str, upper: sp.Rational) -> Obligation:
    """The slope at a rational point near its maximum."""
    x = sp.Symbol("x", real=True)
    function, at = {
        "gelu": (x * (1 + sp.erf(x / sp.sqrt(2))) / 2, sp.Rational(14142, 10000)),
        "silu": (x / (1 + sp.exp(-x)), sp.Rational(23994, 10000)),
    }[activation]
    slope = sp.diff(function, x).subs(x, at)
    return Obligation(
        id=f"L_phi.{activation}.attained", kind=Kind.INTERVAL,
        statement=sp.Le(slope, upper, evaluate=False),
        mutant=sp.Le(slope, sp.Rational(99, 100) * upper, evaluate=False),
        note=f"at x = {at}, within 1e-8 of the largest slope")


def _slope_lemma(activation: str, theorem: str, proof: str) -> Lemma:
    upper = slope_bound(activation)
    return Lemma(
        id=f"L_phi.{activation}",
        name=f"slope_{activation}",
        title=f"Largest slope of {activation}",
        lhs=LipschitzConstant(sp.Symbol(activation)),
        relation="<=",
        rhs=upper,
        kind=Kind.KERNEL,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory 1.4"),
        obligations=(
            _attained(activation, upper),
            Obligation(
                id=f"L_phi.{activation}.slope",
                statement=sp.Le(_slope, upper, evaluate=False),
                kind=Kind.KERNEL,
                hypotheses=(Setting(f"{activation}_slope", _slope),),
                coq=theorem,
                note=proof,
            ),
        ),
        notes="The last digit is rounded up.",
    )


SILU_SLOPE = LEMMAS.add(
    _slope_lemma("silu", "Activations.silu", "the second derivative changes sign once on x > 0")
)
GELU_SLOPE = LEMMAS.add(
    _slope_lemma("gelu", "Activations.gelu", "the second derivative changes sign at sqrt(2)")
)
