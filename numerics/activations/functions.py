"""Activations as ball series, with rigorous bounds on the tails of all their derivatives.

Tails use Cauchy's estimate on discs: beyond `radius` the activation differs from a line by an
analytic function that is bounded by an exponential on a disc of radius 1 around each point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from flint import arb, arb_series, fmpq

Series = Callable[[arb_series], arb_series]
Tail = Callable[[arb, int], arb]


@dataclass(frozen=True)
class Activation:
    """`series` maps a power series to the activation of it (to the derivative of the activation,
    if `of_derivative`); `tail(radius, k)` bounds
    `|phi^(k)(x)|` for all `|x| >= radius`, for `k >= 1`.

    `growth` is `sup |phi(x) - phi(0)| / |x|` (proved in the docstring of the entry), `at_zero` an
    enclosure of `phi(0)`. `parity`: `f^(k)` is even or odd for `k >= 2` (`phi(x) - x/2` is even,
    or `phi - phi(0)` is odd), so that 0 is a critical point of every second derivative.
    `reach`: the search covers `[-reach, reach]`, the tail bound the rest.
    `rational`: the Taylor coefficients at 0 are rational (for exact maxima at 0).
    """

    name: str
    series: Series
    tail: Tail
    growth: Fraction
    at_zero: Callable[[], arb]
    parity: str | None = None
    reach: int = 64
    of_derivative: bool = False
    rational: Callable[[int], Fraction] | None = None


def _zero() -> arb:
    return arb(0)


def sigmoid(x: arb_series) -> arb_series:
    """With the exponential that does not grow, so that wide balls stay clear of a zero divisor."""
    if x[0] < 0:
        return x.exp() / (1 + x.exp())
    return 1 / (1 + (-x).exp())


def _cauchy(height: arb, k: int) -> arb:
    """`|f^(k)| <= k! sup |f|` on a disc of radius 1."""
    return arb(factorial(k)) * height


def _decay(exponent: arb) -> arb:
    """`|e^-v / (1 + e^-v)| <= e^-w / (1 - e^-w)` if `Re v >= w > 0`."""
    small = (-exponent).exp()
    return small / (1 - small)


def _gated_tail(exponent: Callable[[arb], arb]) -> Tail:
    """For `x sigmoid(v(x))`, v odd and increasing, `Re v >= exponent(x)` on the disc around x.

    `f(x) - x = -x e^-v/(1 + e^-v)` for x > 0 and `f(-x) = f(x) - x`. The bound decreases in x.
    """
    def tail(radius: arb, k: int) -> arb:
        height = _cauchy((radius + 1) * _decay(exponent(radius)), k)
        return height + 1 if k == 1 else height

    return tail


def _linear_exponent(slope: arb) -> Callable[[arb], arb]:
    return lambda x: slope * (x - 1)


def _tanh_gelu_argument(x: arb_series) -> arb_series:
    return (8 / arb.pi()).sqrt() * (x + arb(fmpq(44715, 10**6)) * x * x * x)


def _tanh_gelu_exponent(x: arb) -> arb:
    """`|z^3 - x^3| <= 3x^2 + 3x + 1` on the disc of radius 1."""
    cubic = x**3 - (3 * x**2 + 3 * x + 1)
    return (8 / arb.pi()).sqrt() * (x - 1 + arb(fmpq(44715, 10**6)) * cubic)


def _monomial_tail(radius: arb, m: int) -> arb:
    """Supremum over `x >= radius` of `x^m` times the Gaussian density; its maximum is at sqrt m."""
    at = radius.max(arb(m).sqrt())
    return at**m * (-(at**2) / 2).exp() / (2 * arb.pi()).sqrt()


def _gelu_tail(radius: arb, k: int) -> arb:
    """`|phi^(k)| <= (|He_k| + |He_(k-2)|)` times the density, by the monomials of both."""
    if k == 1:
        return 1 + _monomial_tail(radius, 1)
    total = arb(0)
    for n in (k, k - 2):
        for j in range(n // 2 + 1):
            size = factorial(n) // (2**j * factorial(j) * factorial(n - 2 * j))
            total += size * _monomial_tail(radius, n - 2 * j)
    return total


def _sigmoid_tail(slope: int, height: int) -> Tail:
    """For `height * sigmoid(slope x)` up to constants."""
    return lambda radius, k: height * _cauchy(_decay(arb(slope) * (radius - 1)), k)


def _softplus_tail(radius: arb, k: int) -> arb:
    return arb(1) if k == 1 else _sigmoid_tail(1, 1)(radius, k - 1)


def _mish_tail(radius: arb, k: int) -> arb:
    """`x tanh(log(1 + e^x)) = x - 2x/((1 + e^x)^2 + 1)`, and `x e (2 + e)/(2 + 2e + e^2)`."""
    large, small = (radius - 1).exp(), (1 - radius).exp()
    right = 2 * (radius + 1) / ((large - 1) ** 2 - 1)
    left = (radius + 1) * small * (2 + small) / (2 - 2 * small - small**2)
    height = _cauchy(right.max(left), k)
    return height + 1 if k == 1 else height


def _mish(x: arb_series) -> arb_series:
    if x[0] < 0:
        e = x.exp()
        return x * (1 - 2 / (2 + e * (2 + e)))
    e = (-x).exp()
    return x * (1 - 2 * e * e / (1 + 2 * e * (1 + e)))


def _sigmoid_rational(k: int) -> Fraction:
    """k-th derivative of the sigmoid at 0, from `s' = s - s^2`."""
    taylor = [Fraction(1, 2)]
    for n in range(k):
        square = sum((taylor[j] * taylor[n - j] for j in range(n + 1)), Fraction(0))
        taylor.append((taylor[n] - square) / (n + 1))
    return taylor[k] * factorial(k)


def _silu_rational(k: int) -> Fraction:
    """k-th derivative of `x sigmoid(x)` at 0, `k >= 1`."""
    return k * _sigmoid_rational(k - 1)


_QUICK = fmpq(1702, 1000)

#: Smooth activations. `growth`: `phi(x)/x` is `Phi`, a sigmoid or a tanh, hence below 1, for the
#: gated ones; `|phi(x) - phi(0)| <= sup |phi'| |x|` is attained at 0 for tanh and sigmoid and in
#: the limit for softplus.
ACTIVATIONS: dict[str, Activation] = {
    a.name: a for a in (
        Activation("gelu", lambda x: x / 2 * (1 + (x / arb(2).sqrt()).erf()), _gelu_tail,
                   Fraction(1), _zero, "even"),
        Activation("gelu_tanh", lambda x: x * sigmoid(_tanh_gelu_argument(x)),
                   _gated_tail(_tanh_gelu_exponent), Fraction(1), _zero, "even", reach=10),
        Activation("silu", lambda x: x * sigmoid(x), _gated_tail(_linear_exponent(arb(1))),
                   Fraction(1), _zero, "even",
                   rational=_silu_rational),
        Activation("quick_gelu", lambda x: x * sigmoid(arb(_QUICK) * x),
                   _gated_tail(lambda x: arb(_QUICK) * (x - 1)), Fraction(1), _zero, "even",
                   rational=lambda k: _silu_rational(k) * Fraction(1702, 1000) ** (k - 1)),
        Activation("sigmoid", sigmoid, _sigmoid_tail(1, 1), Fraction(1, 4), lambda: arb(0.5),
                   "odd", rational=_sigmoid_rational),
        Activation("tanh", lambda x: 2 * sigmoid(2 * x) - 1, _sigmoid_tail(2, 2), Fraction(1),
                   _zero, "odd",
                   rational=lambda k: _sigmoid_rational(k) * 2 ** (k + 1) - (k == 0)),
        Activation("softplus", sigmoid, _softplus_tail, Fraction(1),
                   lambda: arb(2).log(), "even", of_derivative=True,
                   rational=lambda k: _sigmoid_rational(k - 1) if k else Fraction(0)),
        Activation("mish", _mish, _mish_tail, Fraction(1), _zero),
    )
}
