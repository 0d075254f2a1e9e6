"""A1 as lemmas: the joint cumulants of bounded variables, with the exact constants up to 4."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.attention.cumulants import cumulant_bound
from majorant.derivation.functions import JointCumulant, Setting
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.polarization import BERNSTEIN

_k = sp.Symbol("k", integer=True, positive=True)
_c = sp.Symbol("c", nonnegative=True)
_x, _y = sp.symbols("x y", nonnegative=True)
_THEORY = Source("docs/theory", "A1", statement=(
    "If |V_i| <= 1 for all i then |kappa(V_1, ..., V_k)| <= c_k for every joint law."))

TILTING = LEMMAS.add(Lemma(
    id="A1.tilt", name="cumulant_tilting",
    title="Joint cumulant of k + 1 variables from that of k",
    lhs=JointCumulant(_k + 1), relation="<=", rhs=_k * _c, kind=Kind.ALGEBRA, label=Label.UPPER,
    source=Source("majorant", "module docstring of the cumulant sequences"), uses=(BERNSTEIN.id,),
    monotone={_k: "increasing", _c: "increasing"},
    notes="c bounds the joint cumulant of k variables for every law: tilting by a sign of mean x "
          "makes it a polynomial f of degree k in x, and the next cumulant is (1 - x^2) f'(x).",
    obligations=(Obligation(
        id="A1.tilt.step", kind=Kind.ALGEBRA, hypotheses=(_x < 1,),
        statement=sp.Le((1 - _x**2) * _k * _c / sp.sqrt(1 - _x**2), _k * _c, evaluate=False),
        mutant=sp.Le((1 - _x**2) * _k * _c / sp.sqrt(1 - _x**2), sp.Rational(99, 100) * _k * _c,
                     evaluate=False),
        note="Bernstein's inequality times 1 - x^2"),),
))

_value = sp.Symbol("cumulant", real=True)


def _means(x: sp.Expr, y: sp.Expr) -> sp.Expr:
    """Third joint cumulant of two independent signs of means x and y, and of their product."""
    atoms = [(a, b) for a in (1, -1) for b in (1, -1)]
    return sp.factor(sum((1 + a * x) * (1 + b * y) / 4 * (a - x) * (b - y) * (a * b - x * y)
                         for a, b in atoms))


def _sign_cumulant(k: int) -> sp.Expr:
    """Cumulant of order k of a sign of mean x, by its cumulant generating function.

    >>> _sign_cumulant(2)
    1 - x**2
    """
    t = sp.Symbol("t")
    log_mgf = sp.log((1 + _x) / 2 * sp.exp(t) + (1 - _x) / 2 * sp.exp(-t))
    return sp.expand(sp.simplify(sp.diff(log_mgf, t, k).subs(t, 0)))


def _attained(k: int, upper: sp.Rational) -> Obligation:
    """Signs whose joint cumulant is the bound where their means are 0."""
    size = {1: _x + (1 - _x) * _y, 2: _sign_cumulant(2), 3: _means(_x, _y),
            4: -_sign_cumulant(4)}[k]
    below = (_x <= 1, _y <= 1) if k in (1, 3) else (_x <= 1,)
    return Obligation(
        id=f"A1.{k}.attained", kind=Kind.ALGEBRA, hypotheses=below,
        statement=sp.Le(size, upper, evaluate=False),
        mutant=sp.Le(size, sp.Rational(99, 100) * upper, evaluate=False),
        note="mean of 1 and y with weights x, 1 - x" if k == 1 else "signs; equality at mean 0")


def _proved(k: int, upper: sp.Rational) -> tuple[Obligation, ...]:
    """Orders 2, 3, 4: for every finite law and all variables with values in [-1, 1]."""
    if k > 4:
        before = cumulant_bound(k - 1, "tilted")[1]
        step = sp.Mul(k - 1, sp.Rational(before.numerator, before.denominator), evaluate=False)
        return (Obligation(
            id=f"A1.{k}.step", kind=Kind.ALGEBRA, statement=sp.Le(step, upper, evaluate=False),
            mutant=sp.Le(step, sp.Rational(99, 100) * upper, evaluate=False),
            note="(k - 1) times the constant before"),)
    if k == 1:
        return (_attained(k, upper),)
    return (_attained(k, upper), Obligation(
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
