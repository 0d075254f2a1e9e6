"""F1, F2: closed-form bounds on `sup |phi^(k)|` for every order k >= 2.

* GELU: `phi^(k) = x Phi^(k) + k Phi^(k-1) = g^(k-2) - g^(k)` up to sign, with `g = Phi'`, by the
  recurrence of the Hermite polynomials. The Gaussian density is its own Fourier transform:
  `|g^(n)| <= (1/2pi) int |w|^n exp(-w^2/2) dw = 2^((n-1)/2) Gamma((n+1)/2) / pi`. Exact for even k,
  where both maxima are at 0 and add up.
* sigmoid: `|1 + e^-z| >= 1` for `|Im z| <= pi/2`, so Cauchy's estimate on discs of radius pi/2
  gives `k! (2/pi)^k`; tanh and softplus follow. For SiLU the same discs: `|z sigmoid(z) - z| <=
  (|x| + pi/2) e^(pi/2 - x)` for `x >= 0`, largest at 0, and `phi(-x) = phi(x) - x`. Quick GELU is
  `silu(s x)/s`, `s = 1.702`.
* mish: `w = 1 + e^z` satisfies `|w^2 + 1|^2 >= e^(4a) + 4` for `a = Re z`, `|Im z| <= pi/2`. On
  discs of radius pi/2 around `x >= 0`, `|phi(z) - z| = 2|z|/|w^2 + 1| <= |a| + pi/2`, at most pi
  where `a <= pi/2` and smaller beyond; around `x < 0`, `|phi(z)| <= |z| u (2 + u)/sqrt(u^4 + 4)`
  with `u = e^a` and `|a| + pi/2` in place of `|z|`: for `a <= 0` the factor
  `(|a| + pi/2) u (2 + u)/2` is below `pi`, for `0 <= a <= pi/2` it is at most `9 pi/5`.
* GELU with tanh: `phi(z) = z sigmoid(v)`, `v = c (z + e z^3)`, `c = sqrt(8/pi)`, on discs of radius
  4/5 around `x >= 0`, where `a >= -4/5` and `|Im z| <= 4/5`. `|Im v| <= pi/2` unless `a >= 1.31`;
  then `|phi(z) - z| = |z|/|1 + e^v| <= |z| min(1, e^(-Re v))` with `Re v >= 1.45 a` for `a >= 0`:
  at most 4/5. Otherwise `Re v >= 1.58 a > 2` and `|z|/(e^(Re v) - 1) < 2/5`.

The certified table is much smaller; these hold beyond its end, and show the growth.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from majorant.derivation.errors import UnusableInput
from majorant.derivation.functions import DerivativeNorm
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source

order = sp.Symbol("k", integer=True, positive=True)

_x = sp.Symbol("x", nonnegative=True)


def _supremum(id: str, function: sp.Expr, value: sp.Expr) -> Obligation:
    return Obligation(
        id=id, kind=Kind.INTERVAL, statement=sp.Le(function, value, evaluate=False),
        mutant=sp.Le(function, sp.Rational(99, 100) * value, evaluate=False),
        note="the largest value, attained")


def _closed(id: str, activation: str, rhs: sp.Expr, uses: tuple[str, ...] = (),
            obligations: tuple[Obligation, ...] = (), prose: str = "") -> Lemma:
    return LEMMAS.add(Lemma(
        id=id, name=f"derivatives_of_{activation}",
        title=f"Derivative k >= 2 of {activation}, in closed form", lhs=DerivativeNorm(order),
        relation="<=", rhs=rhs, kind=Kind.ALGEBRA, label=Label.UPPER, hypotheses=(order >= 2,),
        source=Source("docs/theory", id.split(".")[0]), uses=uses, obligations=obligations,
        prose=prose,
    ))


def _same(id: str, left: sp.Expr, right: sp.Expr) -> Obligation:
    return Obligation(
        id=id, kind=Kind.ALGEBRA, statement=sp.Eq(left, right, evaluate=False),
        mutant=sp.Eq(left, sp.Rational(99, 100) * right, evaluate=False))


_real = sp.Symbol("x", real=True)
_cosine = sp.Symbol("cosine", nonnegative=True)
_gelu = order * 2 ** ((order - 3) / sp.S(2)) * sp.gamma((order - 1) / sp.S(2)) / sp.pi
_gelu_second = sp.simplify(sp.diff(_x * (1 + sp.erf(_x / sp.sqrt(2))) / 2, _x, 2))


def _hermite_step(k: int) -> Obligation:
    """`x He_(k-1) - k He_(k-2) = He_k - He_(k-2)`: the k-th derivative over the density."""
    he = {n: sp.expand(sp.hermite_prob(n, _real)) for n in (k, k - 1, k - 2)}
    left = sp.expand(_real * he[k - 1] - k * he[k - 2])
    return _same("F2.gelu.recurrence", left, he[k] - he[k - 2])


_factor = sp.Rational(81, 25)
_sigmoid = sp.factorial(order) * (2 / sp.pi) ** order
CLOSED_FORMS: dict[str, Lemma] = {
    "gelu": _closed("F2.gelu", "gelu", _gelu, (), (
        _hermite_step(4), _supremum("F2.gelu.order2", _gelu_second, _gelu.subs(order, 2)))),
    "sigmoid": _closed("F1.sigmoid", "sigmoid", _sigmoid, (), (
        Obligation(
            id="F1.sigmoid.denominator", kind=Kind.ALGEBRA, hypotheses=(_cosine <= 1,),
            statement=sp.Ge(1 + 2 * _x * _cosine + _x**2, 1, evaluate=False),
            mutant=sp.Ge(1 + 2 * _x * _cosine + _x**2, sp.Rational(101, 100), evaluate=False),
            note="|1 + e^-z|^2 with |e^-z| = x and Re e^-z = x cos(Im z), |Im z| <= pi/2"),)),
    "tanh": _closed("F1.tanh", "tanh", 2 * 2**order * _sigmoid, ("F1.sigmoid",), (
        _same("F1.tanh.sigmoid", sp.tanh(_real), 2 / (1 + sp.exp(-2 * _real)) - 1),)),
    "softplus": _closed(
        "F1.softplus", "softplus", _sigmoid.subs(order, order - 1), ("F1.sigmoid",), (
            _same("F1.softplus.slope", sp.diff(sp.log(1 + sp.exp(_real)), _real),
                  1 / (1 + sp.exp(-_real))),)),
    "silu": _closed("F1.silu", "silu", sp.pi / 2 * sp.exp(sp.pi / 2) * _sigmoid, (), (
        _supremum("F1.silu.factor", (_x + sp.pi / 2) * sp.exp(sp.pi / 2 - _x),
                  sp.pi / 2 * sp.exp(sp.pi / 2)),)),
    "mish": _closed("F1.mish", "mish", sp.Rational(9, 5) * sp.pi * _sigmoid, (), (
        Obligation(
            id="F1.mish.factor", kind=Kind.ALGEBRA,
            statement=sp.Le(_x**2 * (2 + _x) ** 2, _factor * (_x**4 + 4), evaluate=False),
            mutant=sp.Le(_x**2 * (2 + _x) ** 2, sp.Rational(99, 100) * _factor * (_x**4 + 4),
                         evaluate=False),
            note="the square of u (2 + u)/sqrt(u^4 + 4), at most (9/5)^2"),)),
    "gelu_tanh": _closed(
        "F2.gelu_tanh", "gelu_tanh",
        sp.Rational(4, 5) * sp.factorial(order) * sp.Rational(5, 4) ** order, (), (
            _supremum("F2.gelu_tanh.factor",
                      (_x + sp.Rational(4, 5)) * sp.exp(-sp.Rational(29, 20) * _x),
                      sp.Rational(4, 5)),)),
}
CLOSED_FORMS["quick_gelu"] = _closed(
    "F1.quick_gelu", "quick_gelu",
    sp.Rational(851, 500) ** (order - 1) * CLOSED_FORMS["silu"].rhs, (CLOSED_FORMS["silu"].id,),
    prose="the function is silu(s x)/s with s = 851/500: each derivative brings a factor s")


def closed_form_supremum(activation: str, k: int) -> Fraction:
    """A rational upper bound on `sup |phi^(k)|`, `k >= 2`, from the closed form.

    Raises `UnusableInput` for activations without one.

    >>> 4.5e3 < float(closed_form_supremum("gelu", 12)) < 2e4
    True
    """
    if activation not in CLOSED_FORMS:
        raise UnusableInput(f"{activation}: there is no closed form for its derivative {k}; "
                            f"there is one for {', '.join(CLOSED_FORMS)}")
    value = sp.Rational(sp.N(CLOSED_FORMS[activation].rhs.subs(order, k), 40))
    # the evaluation has 40 correct digits: a relative 1e-30 on top is an upper bound
    return Fraction(int(value.p), int(value.q)) * (1 + Fraction(1, 10**30))
