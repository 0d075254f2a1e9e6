"""Cited: Banach's polarization, and what it gives for polynomials on an interval.

Bernstein's inequality is a corollary. Let `f` have degree at most k, `|f| <= c` on [-1, 1]. The
form `P(u, v) = sum_j f_j (u^2 - v^2)^j (u^2 + v^2)^(k-j)` is homogeneous of degree 2k on the
plane and equals `f(cos 2a)` at `(cos a, sin a)`, so its norm is at most c. Its derivative along
the circle is `2k` times the symmetric form of P at `(h, ..., h, h')` with unit vectors `h`, `h'`,
by Banach at most `2k c`; and it is `-2 sin(2a) f'(cos 2a)`.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source

_k = sp.Symbol("k", integer=True, positive=True)
_c, _x, _slope = sp.symbols("c x slope", nonnegative=True)

BANACH = LEMMAS.add(Lemma(
    id="BANACH", name="polarization",
    title="A symmetric form on a Hilbert space attains its norm on the diagonal",
    lhs=sp.Function("norm")(sp.Symbol("A")), relation="==",
    rhs=sp.Function("diagonal")(sp.Symbol("A")), kind=Kind.CITED, label=Label.TIGHT,
    source=Source(
        "Kellogg 1928; Banach 1938",
        "Über homogene Polynome in (L^2), Studia Mathematica 7, pages 36-44",
        statement="For a symmetric k-linear form A on a real Hilbert space, the supremum of "
        "|A(h_1, ..., h_k)| over unit vectors h_1, ..., h_k equals the supremum of |A(h, ..., h)| "
        "over unit vectors h."),
))


def _rotation(degree: int) -> Obligation:
    """The derivative of the form along the circle, for all coefficients of `f`."""
    u, v = sp.symbols("u v", real=True)
    coefficients = sp.symbols(f"f_0:{degree + 1}", real=True)
    difference, total = u**2 - v**2, u**2 + v**2
    form = sum(f * difference**j * total ** (degree - j) for j, f in enumerate(coefficients))
    along = u * sp.diff(form, v) - v * sp.diff(form, u)
    slope = sum(j * f * difference ** (j - 1) * total ** (degree - j)
                for j, f in enumerate(coefficients) if j)
    return Obligation(
        id="BERNSTEIN.rotation", kind=Kind.ALGEBRA,
        statement=sp.Eq(sp.expand(along), -4 * u * v * slope, evaluate=False),
        mutant=sp.Eq(sp.expand(along), sp.Rational(-99, 25) * u * v * slope, evaluate=False),
        note=f"degree {degree}, all coefficients; 2 u v = sin(2a) on the circle")


BERNSTEIN = LEMMAS.add(Lemma(
    id="BERNSTEIN", name="bernstein_inequality",
    title="Derivative of a polynomial that is bounded on [-1, 1]",
    lhs=sp.Function("slope")(_x), relation="<=", rhs=_k * _c / sp.sqrt(1 - _x**2),
    kind=Kind.ALGEBRA, label=Label.TIGHT, hypotheses=(_x < 1,), uses=(BANACH.id,),
    source=Source("Bernstein 1912", "proof from Banach's theorem in the module docstring"),
    obligations=(
        _rotation(3),
        Obligation(
            id="BERNSTEIN.step", kind=Kind.ALGEBRA,
            hypotheses=(_x < 1, sp.Le(2 * sp.sqrt(1 - _x**2) * _slope, 2 * _k * _c)),
            statement=sp.Le(_slope, _k * _c / sp.sqrt(1 - _x**2), evaluate=False),
            mutant=sp.Le(_slope, sp.Rational(99, 100) * _k * _c / sp.sqrt(1 - _x**2),
                         evaluate=False),
            note="the two expressions of the derivative along the circle"),
        Obligation(
            id="BERNSTEIN.attained", kind=Kind.ALGEBRA, hypotheses=(_x < 1,),
            statement=sp.Le(sp.diff(sp.chebyshevt(2, _x), _x), 2 / sp.sqrt(1 - _x**2),
                            evaluate=False),
            mutant=sp.Le(sp.diff(sp.chebyshevt(2, _x), _x),
                         sp.Rational(99, 50) / sp.sqrt(1 - _x**2), evaluate=False),
            note="Chebyshev's polynomial of degree 2: equality at x = 1/sqrt(2)")),
))
