"""What a ring of plain numbers answers to the questions that dual numbers answer differently."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from majorant.derivation.ring.protocol import power, total


class PlainRing:
    """Defaults for rings whose elements carry no tangents (see `DualRing`).

    `extra_orders` is how many more orders of an outer function a composition reads.
    """

    extra_orders = 0

    def plain(self, x: Any) -> Any:
        """The element without its tangents."""
        return x

    def tangent(self, x: Any) -> Any:
        """The tangents of the element, without its value: 0 for plain numbers."""
        return self.fraction(Fraction(0))  # type: ignore[attr-defined]

    def with_value(self, x: Any, value: Any) -> Any:
        """The element with another value and the same tangents."""
        return value

    def is_zero(self, x: Any) -> bool:
        """Whether the element is certainly 0 (never wrong; False where it is not known)."""
        return False

    def compose(self, outer: Sequence[Any], inner: Sequence[Any], order: int) -> Any:
        """Coefficients of `outer(inner(t))` up to `order` where the ring has a faster way.

        `inner` has constant term 0. None: the caller uses Horner's rule.
        """
        return None

    def stack(self, parts: Sequence[Any]) -> Any:
        """Norm of a concatenation of vectors whose norms are the parts."""
        squares = total(self, [power(self, part, 2) for part in parts])  # type: ignore[arg-type]
        return self.sqrt(squares)  # type: ignore[attr-defined]
