"""Sign and direction of whole expressions, derived by composition from the facts on their terms.

As in disciplined convex programming, each term knows its range and its direction in each
argument; a few short rules compose them. What the rules do not settle is `unknown`, with the
sub-expression to blame; `unknown` never counts as an answer.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from majorant.derivation.monotonicity.composition import Composer
from majorant.derivation.monotonicity.composition import Monotonicity as Monotonicity
from majorant.derivation.monotonicity.derivative import by_derivative
from majorant.derivation.monotonicity.domains import Facts
from majorant.derivation.ranges import Range, Sign


def range_of(expr: sp.Expr, hypotheses: Iterable[sp.Basic] = ()) -> Range:
    """A range of `expr` (exact ends) under the assumptions of its symbols and the hypotheses.

    >>> from majorant.derivation.symbols import theta
    >>> range_of(1 - theta)
    Range(lo=0, hi=1, lo_open=True, hi_open=True)
    """
    return Composer(Facts(hypotheses)).range(sp.sympify(expr))


def sign_of(expr: sp.Expr, hypotheses: Iterable[sp.Basic] = ()) -> Sign:
    """The strongest sign that follows: `positive`, `nonnegative`, ..., or `unknown`.

    >>> from majorant.derivation.symbols import eps, tau
    >>> sign_of(eps - tau), sign_of(eps - tau, [tau < eps])
    ('unknown', 'positive')
    """
    return range_of(expr, hypotheses).sign


def monotonicity(
    expr: sp.Expr, x: sp.Basic, hypotheses: Iterable[sp.Basic] = ()
) -> Monotonicity:
    """Direction of `expr` in `x` (a Symbol, or an IndexedBase: every entry), non-strict.

    First by composition of the facts on its terms; where that leaves it open, by the sign of the
    derivative of a smooth expression. `unknown` names the sub-expression to blame.

    >>> from majorant.derivation.symbols import C, eps, k, tau
    >>> monotonicity(k*sp.log(1 + 4*C/(eps - tau)), eps, [tau < eps]).direction
    'decreasing'
    >>> x = sp.Symbol("x", real=True)
    >>> monotonicity(x**3, x).direction, monotonicity(x**2, x).direction
    ('increasing', 'unknown')
    """
    return directions(sp.sympify(expr), [x], hypotheses)[x]


def directions(
    expr: sp.Expr, arguments: Iterable[sp.Basic], hypotheses: Iterable[sp.Basic] = ()
) -> dict[sp.Basic, Monotonicity]:
    """`monotonicity` in several arguments, sharing the ranges of the nodes.

    >>> from majorant.derivation.symbols import C, eps
    >>> [found.direction for found in directions(C / eps, [C, eps]).values()]
    ['increasing', 'decreasing']
    """
    composer = Composer(Facts(hypotheses))
    result = {}
    for x in arguments:
        found = composer.direction(expr, x)
        if found.direction == "unknown":
            found = by_derivative(expr, x, composer) or found
        result[x] = found
    return result
