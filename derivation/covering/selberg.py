"""Selberg's integral in singular-value coordinates, the volume that C4s counts with."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import factor

size = sp.Symbol("size", integer=True, nonnegative=True)
exponent = sp.Symbol("exponent", integer=True, nonnegative=True)
HALF = sp.Rational(1, 2)


def selberg_log_volume(size: sp.Expr = size, exponent: sp.Expr = exponent) -> sp.Expr:
    """`log I(b, e)`, with `I` the integral over `1 >= s_1 >= ... >= s_b >= 0` of
    `prod_{i<j} (s_i^2 - s_j^2) prod_i s_i^e`.

    Domain: integers `b >= 0`, `e >= 0`; `I(0, e) = 1`. A sum of `loggamma`s, so that balls can
    evaluate it. Source: Selberg 1944 with `x = s^2`, `alpha = (e+1)/2`, `beta = 1`,
    `gamma = 1/2`, divided by `2^b b!`.

    >>> sp.exp(selberg_log_volume(sp.Integer(1), sp.Integer(4)).doit()).equals(sp.Rational(1, 5))
    True
    """
    alpha = (exponent + 1) * HALF
    ratio = (
        sp.loggamma(alpha + factor * HALF)
        + sp.loggamma(1 + factor * HALF)
        + sp.loggamma(1 + (factor + 1) * HALF)
        - sp.loggamma(alpha + 1 + (size + factor - 1) * HALF)
        - sp.loggamma(sp.Rational(3, 2))
        - sp.log(2 * (factor + 1))
    )
    return sp.Sum(ratio, (factor, 0, size - 1))


def _direct(size: int, exponent: int) -> sp.Expr:
    """The same integral, written out for an explicit number of singular values."""
    s = sp.symbols(f"s1:{size + 1}", nonnegative=True)
    body = sp.prod(value**exponent for value in s) * sp.prod(
        s[i] ** 2 - s[j] ** 2 for i in range(size) for j in range(i + 1, size)
    )
    limits = [(s[index], 0, s[index - 1] if index else 1) for index in reversed(range(size))]
    return sp.Integral(body, *limits)


def _case(size: int, exponent: int) -> Obligation:
    sum_of_logs = selberg_log_volume(sp.Integer(size), sp.Integer(exponent))
    # written out term by term: Sum.doit looks for closed forms first, which takes seconds
    terms = (sum_of_logs.function.subs(factor, at) for at in range(size))
    volume = sp.exp(sp.Add(*terms))
    direct = _direct(size, exponent).doit()
    return Obligation(
        id=f"SELBERG.{size}.{exponent}",
        statement=sp.Eq(direct, volume, evaluate=False),
        kind=Kind.ALGEBRA,
        mutant=sp.Eq(direct, sp.Rational(99, 100) * volume, evaluate=False),
        note="the normalization, on a case that integrates by hand",
    )


SELBERG = LEMMAS.add(
    Lemma(
        id="SELBERG",
        name="selberg_integral",
        title="Selberg's integral in singular-value coordinates",
        lhs=sp.log(sp.Function("I")(size, exponent)),
        relation="==",
        rhs=selberg_log_volume(),
        kind=Kind.CITED,
        label=Label.TIGHT,
        source=Source(
            "Selberg 1944; Forrester, Warnaar 2008, The importance of the Selberg integral",
            "equation (1.1)",
            arxiv="0710.3981",
            statement="The integral over [0,1]^n of prod t_i^{alpha-1} (1-t_i)^{beta-1} "
            "prod_{i<j} |t_i - t_j|^{2 gamma} is the product over j = 0..n-1 of Gamma(alpha + "
            "j gamma) Gamma(beta + j gamma) Gamma(1 + (j+1) gamma) / (Gamma(alpha + beta + "
            "(n+j-1) gamma) Gamma(1 + gamma)). With it: Lebesgue measure on N1 x N2 matrices, "
            "N1 <= N2, in singular-value coordinates is proportional to "
            "prod_{i<j} (s_i^2 - s_j^2) prod s_i^{N2-N1} (Muirhead 1982, Theorems 2.1.14, 3.2.17).",
        ),
        obligations=(_case(1, 3), _case(2, 0), _case(2, 3), _case(3, 1)),
    )
)
