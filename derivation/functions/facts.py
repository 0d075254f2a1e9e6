"""What a function of ours must say about itself: domain, range and direction in each argument.

No class inherits an answer from SymPy or from a neighbour: each states its own, and a property
test compares every answer with samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import sympy as sp

from majorant.derivation.ranges import Range


class HasFacts(Protocol):
    """The facts that `derivation.monotonicity` composes."""

    domain: ClassVar[str]
    args: tuple[Any, ...]

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """A range of the value, from ranges of the arguments."""
        ...

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Whether the value is certainly non-decreasing in argument `i`."""
        ...

    def is_decr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Whether the value is certainly non-increasing in argument `i`."""
        ...


def assumed_range(expr: sp.Expr) -> Range:
    """The range that SymPy's assumptions alone give.

    >>> assumed_range(sp.Symbol("n", integer=True, positive=True)).lo
    1
    """
    if expr.is_number and expr.is_extended_real:
        return Range.point(expr)
    if expr.is_positive:
        return Range.above(1) if expr.is_integer else Range.above(0, strict=True)
    if expr.is_nonnegative:
        return Range.above(0)
    if expr.is_negative:
        return -Range.above(0, strict=True)
    if expr.is_nonpositive:
        return -Range.above(0)
    return Range.unknown()


class OwnFunction(sp.Function):
    """Base of our functions: real-valued; `sign` from the assumptions of the arguments."""

    domain: ClassVar[str] = ""

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """A range of the value, from ranges of the arguments (default: nothing known)."""
        return Range.unknown()

    def is_incr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Whether the value is certainly non-decreasing in argument `i` (default: no)."""
        return False

    def is_decr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Whether the value is certainly non-increasing in argument `i` (default: no)."""
        return False

    def sign(self) -> str:
        """Sign under SymPy's assumptions on the arguments."""
        return self.range_from([assumed_range(arg) for arg in self.args]).sign

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(arg.is_extended_real for arg in self.args) else None

    def _eval_is_finite(self) -> bool | None:
        return True if all(arg.is_finite for arg in self.args) else None

    def _eval_is_extended_nonnegative(self) -> bool | None:
        return True if self.sign() in ("positive", "nonnegative", "zero") else None

    def _eval_is_extended_positive(self) -> bool | None:
        return True if self.sign() == "positive" else None
