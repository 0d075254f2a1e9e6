"""Certified suprema of derivatives of activations: branch and bound in ball arithmetic.

On each interval `|f^(k)(x)| <= |g(c)| + |g'(c)| h + sup |g''| h^2/2` with `g = f^(k)`; intervals
that cannot hold the maximum are dropped, the rest is halved until the enclosure is tight. The
tail beyond the outermost interval is bounded analytically.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from flint import arb, arb_series, ctx, fmpq

from majorant.derivation.errors import MajorantError
from majorant.numerics.activations.functions import Activation

_PRECISION = 192
_TIGHT = Fraction(1, 10**30)


@dataclass(frozen=True)
class CertifiedSupremum:
    """`lower <= sup |phi^(order)| <= upper`; the maximum is attained within `at +- at_radius`.

    `at` is None where the supremum is approached at infinity only.
    """

    order: int
    lower: Fraction
    upper: Fraction
    at: Fraction | None
    at_radius: Fraction = Fraction(0)


def certified_supremum(activation: Activation, order: int) -> CertifiedSupremum:
    """Enclosure of `sup |phi^(order)|` over the reals, relative width below 1e-25.

    Raises `MajorantError` for `order < 1`, or if the search does not close (never observed).

    >>> from majorant.numerics.activations.functions import ACTIVATIONS
    >>> s = certified_supremum(ACTIVATIONS["silu"], 2)
    >>> s.lower, s.upper, s.at
    (Fraction(1, 2), Fraction(1, 2), Fraction(0, 1))
    """
    if order < 1:
        raise MajorantError(f"order: expected an integer >= 1, got {order}")
    if activation.name == "softplus" and order == 1:
        return CertifiedSupremum(1, Fraction(1), Fraction(1), None)  # the sigmoid, in (0, 1)
    with ctx.workprec(_PRECISION):
        search = _Search(activation, order)
        search.close()
        return search.result()


class _Search:
    """Intervals `(centre, half width, bound)` that may hold the maximum, and the best value."""

    def __init__(self, activation: Activation, order: int) -> None:
        self.activation, self.order = activation, order
        self.best = arb(0)
        reach = activation.reach
        self.tail = activation.tail(arb(reach), order)
        width = Fraction(1, 16)
        centres = [(2 * j + 1) * width - reach for j in range(int(reach / width))]
        self.intervals = [self.examine(c, width) for c in centres]

    def derivatives(self, x: arb) -> list[arb]:
        """`f^(order), f^(order+1), f^(order+2)` on the ball x."""
        n = self.order - self.activation.of_derivative
        with_length = n + 3
        old, ctx.cap = ctx.cap, with_length
        try:
            series = self.activation.series(arb_series([x, 1], with_length))
        finally:
            ctx.cap = old
        return [series[k] * factorial(k) for k in (n, n + 1, n + 2)]

    def examine(self, centre: Fraction, half: Fraction) -> tuple[Fraction, Fraction, arb]:
        middle, width = _ball(centre), _ball(half)
        value, slope, _ = self.derivatives(middle)
        self.best = self.best.max(abs(value).lower())
        everywhere = self.derivatives(arb(middle, width.upper()))
        upper = abs(value) + abs(slope) * width + abs(everywhere[2]) * width**2 / 2
        direct = abs(everywhere[0])
        upper = direct if not upper.is_finite() else (
            upper if not direct.is_finite() else arb(upper.upper()).min(arb(direct.upper())))
        return centre, half, upper

    def close(self) -> None:
        """Halve until no interval's bound exceeds the best value by more than 1e-30."""
        for _ in range(200):
            self.intervals = [entry for entry in self.intervals if not entry[2] < self.best]
            limit = self.best * (1 + _ball(_TIGHT))
            if all(entry[2] < limit for entry in self.intervals) and self.tail < self.best:
                return
            halves = []
            for centre, half, upper in self.intervals:
                if upper < limit:
                    halves.append((centre, half, upper))
                    continue
                for sign in (-1, 1):
                    halves.append(self.examine(centre + sign * half / 2, half / 2))
            self.intervals = halves
        raise MajorantError(f"{self.activation.name}, order {self.order}: the search for the "
                            "supremum did not close")

    def result(self) -> CertifiedSupremum:
        upper = self.best.upper()
        for entry in self.intervals:
            upper = upper.max(entry[2].upper())
        at, radius = self.location()
        if at == 0 and self.activation.rational is not None:
            exact = abs(self.activation.rational(self.order))
            return CertifiedSupremum(self.order, exact, exact, at)
        return CertifiedSupremum(self.order, decimal(self.best.lower(), down=True),
                                 decimal(upper, down=False), at, radius)

    def location(self) -> tuple[Fraction, Fraction]:
        """Centre and radius of the right-most cluster of intervals; 0 where parity proves it."""
        right = max(centre + half for centre, half, _ in self.intervals)
        left = right
        for centre, half, _ in sorted(self.intervals, key=lambda e: -e[0]):
            if centre + half >= left:
                left = centre - half
        middle, radius = (left + right) / 2, (right - left) / 2
        if left <= 0 <= right and self.critical_at_zero(max(-left, right)):
            return Fraction(0), Fraction(0)
        return middle, radius

    def critical_at_zero(self, reach: Fraction) -> bool:
        """0 is the only critical point of `f^(order)` in the cluster, by parity and curvature."""
        even = {"even": 0, "odd": 1}
        if self.activation.parity is None:
            return False
        if self.order % 2 != even[self.activation.parity]:
            return False
        if self.order < 2 and self.activation.parity == "even":
            return False
        curvature = self.derivatives(arb(0, _ball(reach).upper()))[2]
        return bool(curvature > 0) or bool(curvature < 0)


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def decimal(value: arb, down: bool) -> Fraction:
    """The end of a ball on a grid of 28 significant digits, rounded outward."""
    exact = value.lower() if down else value.upper()
    man, exp = exact.mid().man_exp()
    number = Fraction(int(man)) * Fraction(2) ** int(exp)
    if number == 0:
        return number
    digits = 28 - len(str(int(abs(number)))) if abs(number) >= 1 else 28
    grid = Fraction(10) ** -digits
    return (number // grid) * grid if down else -((-number) // grid) * grid
