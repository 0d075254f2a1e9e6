"""The operations on non-negative numbers from which all constants of a network are built.

The same propagation code runs with SymPy expressions (closed forms), balls (the checker),
log-floats (deep networks) and dual numbers (sensitivities). Nothing is ever subtracted: bounds
are built from sums, products, quotients, roots and maxima of non-negative numbers, so that a
ring without subtraction (the logarithms of floats) is enough, and rounding upward is sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar

Element = TypeVar("Element")


class Ring(Protocol[Element]):
    """Non-negative numbers with `+`, `*`, `/`, square roots, maxima and minima.

    `fraction` must represent (or enclose) a rational exactly, `interval` represents a number
    known only to lie between two rationals: a ball encloses both ends, a ring of upper bounds
    takes the upper end.
    """

    def fraction(self, value: Fraction) -> Element: ...

    def interval(self, lower: Fraction, upper: Fraction) -> Element: ...

    def add(self, x: Element, y: Element) -> Element: ...

    def mul(self, x: Element, y: Element) -> Element: ...

    def div(self, x: Element, y: Element) -> Element: ...

    def sqrt(self, x: Element) -> Element: ...

    def maximum(self, x: Element, y: Element) -> Element: ...

    def minimum(self, x: Element, y: Element) -> Element: ...

    # answered by `PlainRing` for plain numbers, by `DualRing` for dual numbers

    extra_orders: int

    def plain(self, x: Element) -> Element: ...

    def tangent(self, x: Element) -> Element: ...

    def with_value(self, x: Element, value: Element) -> Element: ...

    def is_zero(self, x: Element) -> bool: ...

    def compose(self, outer: Sequence[Element], inner: Sequence[Element], order: int) -> Any: ...

    def stack(self, parts: Sequence[Element]) -> Element: ...


def total(ring: Ring[Any], terms: Iterable[Any]) -> Any:
    """The sum of `terms`, 0 if there are none.

    >>> from majorant.derivation.ring import ExactRing
    >>> total(ExactRing(), [1, 2, 3])
    6
    """
    result = None
    for term in terms:
        result = term if result is None else ring.add(result, term)
    return ring.fraction(Fraction(0)) if result is None else result


def product(ring: Ring[Any], factors: Iterable[Any]) -> Any:
    """The product of `factors`, 1 if there are none.

    >>> from majorant.derivation.ring import ExactRing
    >>> product(ExactRing(), [2, 3, 4])
    24
    """
    result = None
    for factor in factors:
        result = factor if result is None else ring.mul(result, factor)
    return ring.fraction(Fraction(1)) if result is None else result


def power(ring: Ring[Any], x: Any, n: int) -> Any:
    """`x**n` for an integer `n >= 0`, by repeated squaring.

    >>> from majorant.derivation.ring import ExactRing
    >>> power(ExactRing(), 3, 5)
    243
    """
    result = None
    while n:
        if n & 1:
            result = x if result is None else ring.mul(result, x)
        n >>= 1
        if n:
            x = ring.mul(x, x)
    return ring.fraction(Fraction(1)) if result is None else result
