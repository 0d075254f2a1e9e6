"""A1 as lemmas: the joint cumulants of bounded variables, with the exact constants up to 4."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.attention.cumulants import cumulant_bound
from majorant.derivation.functions import JointCumulant, Setting
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source

_k = sp.Symbol("k", integer=True, positive=True)
_c = sp.Symbol("c", nonnegative=True)
_x = sp.Symbol("x", nonnegative=True)
_THEORY = Source("docs/theory", "A1", statement=(
    "If |V_i| <= 1 for all i then |kappa(V_1, ..., V_k)| <= c_k for every joint law."))


BERNSTEIN = LEMMAS.add(Lemma(
    id="BERNSTEIN", name="bernstein_inequality",
    title="Derivative of a polynomial that is bounded on [-1, 1]",
    lhs=sp.Function("slope")(_x), relation="<=", rhs=_k * _c / sp.sqrt(1 - _x**2),
    kind=Kind.CITED, label=Label.TIGHT, hypotheses=(_x < 1,),
    source=Source("Bernstein 1912; Borwein, Erdelyi 1995", "Theorem 5.1.7", statement=(
        "A polynomial f of degree k with |f| <= c on [-1, 1] has |f'(x)| <= k c / sqrt(1 - x^2) "
        "for -1 < x < 1.")),
))

TILTING = LEMMAS.add(Lemma(
    id="A1.tilt", name="cumulant_tilting",
    title="Joint cumulant of k + 1 variables from that of k",
    lhs=JointCumulant(_k + 1), relation="<=", rhs=_k * _c, kind=Kind.ALGEBRA, label=Label.UPPER,
    source=Source("majorant", "module docstring of the cumulant sequences"), uses=("BERNSTEIN",),
    monotone={_k: "increasing", _c: "increasing"},
    notes="c bounds the joint cumulant of k variables for every law: tilting by a sign of mean x "
          "makes it a polynomial f of degree k in x, and the next cumulant is (1 - x^2) f'(x).",
    obligations=(Obligation(
        id="A1.tilt.step", kind=Kind.ALGEBRA, hypotheses=(_x < 1,),
        statement=sp.Le((1 - _x**2) * BERNSTEIN.rhs, _k * _c, evaluate=False),
        mutant=sp.Le((1 - _x**2) * BERNSTEIN.rhs, sp.Rational(99, 100) * _k * _c,
                     evaluate=False),
        note="Bernstein's inequality times 1 - x^2"),),
))

_value = sp.Symbol("cumulant", real=True)


def _proved(k: int, upper: sp.Rational) -> tuple[Obligation, ...]:
    """Orders 2, 3, 4: for every finite law and all variables with values in [-1, 1]."""
    if k not in (2, 3, 4):
        return ()
    return (Obligation(
        id=f"A1.{k}.laws", statement=sp.Le(_value, upper, evaluate=False), kind=Kind.KERNEL,
        hypotheses=(Setting(f"cumulant_value{k}", _value),), coq=f"Cumulants.A1_{k}",
        note="chords of |v - m|^r on [-1, 1]; the three pairings averaged at order 4",
    ),)


def _cumulant(k: int) -> Lemma:
    upper = cumulant_bound(k, "tilted")[1]
    return LEMMAS.add(Lemma(
        id="A1" if k == 1 else f"A1.{k}", name=f"cumulant_{k}",
        title=f"Joint cumulant of {k} variables bounded by 1", lhs=JointCumulant(sp.Integer(k)),
        relation="<=", rhs=sp.Rational(upper.numerator, upper.denominator), kind=Kind.ALGEBRA,
        label=Label.TIGHT if k <= 4 else Label.UPPER, source=_THEORY,
        uses=() if k == 1 else ("A1",) if k <= 4 else ("A1", TILTING.id),
        obligations=_proved(k, sp.Rational(upper.numerator, upper.denominator)),
        notes="Attained by signs." if k <= 4 else
              "(k - 1) times the constant before it; larger orders also use (i) and (ii).",
    ))


CUMULANT_LEMMAS = tuple(_cumulant(k) for k in range(1, 9))
