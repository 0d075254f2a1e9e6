"""A rigorous enclosure of the inverse of the Bernoulli relative entropy."""

from __future__ import annotations

from flint import arb, ctx

from majorant.numerics.lowering.ball_operations import NAN, bernoulli_kl

# Most bits that are spent on small arguments: enough for all of float64.
SPARE = 2200


def kl_inverse(q: arb, c: arb) -> arb:
    """`sup{r in [q, 1] : kl(q, r) <= c}` for every `q`, `c` in the balls (`q` clipped to [0, 1]).

    The function increases in both arguments, so the lower end is taken at the lower ends and the
    upper end at the upper ends. Each end is found by bisection; a step is taken only where the
    sign of `kl(q, r) - c` is certain.

    >>> kl_inverse(arb(0), arb(1)).contains(1 - arb(-1).exp())
    True
    >>> kl_inverse(arb("0.1"), arb(0)).contains(arb("0.1"))
    True
    """
    if q.is_nan() or c.is_nan():
        return NAN
    q_low, q_high = clip(q.lower()), clip(q.upper())
    lower = bracket(q_low, c.lower())[0]
    upper = bracket(q_high, c.upper())[1]
    return lower if lower == upper else lower.union(upper)


def clip(q: arb) -> arb:
    """The exact number `q` moved into [0, 1]."""
    if q <= 0:
        return arb(0)
    return arb(1) if q >= 1 else q


def bracket(q: arb, c: arb) -> tuple[arb, arb]:
    """Exact `low <= kl^{-1}(q, c) <= high` for exact `q` in [0, 1] and `c`."""
    if c <= 0 or q >= 1:
        return q, q
    if q.is_zero():
        value = -(-c).expm1()
        return value.lower(), value.upper()
    low, high, target = q, pinsker(q, c), ctx.prec
    # kl(q, r) is a difference of terms near 1 and q: its digits start where those of q and c do.
    with ctx.workprec(target + 20 + min(SPARE, leading_zeros(q) + leading_zeros(c))):
        start = shortcut(q, c, low, high, target + 20)
        if start is not None:
            low, high = start
        while True:
            middle = (low + high).mid() / 2
            middle = middle.mid()
            if not low < middle < high or (high - low) < low * arb(2) ** (-target):
                return low, high
            value = bernoulli_kl(q, middle) - c
            if value <= 0:
                low = middle
            elif value > 0:
                high = middle
            else:
                return low, high


def leading_zeros(x: arb) -> int:
    """Binary zeros after the point of a positive exact number.

    >>> leading_zeros(arb(2) ** -70), leading_zeros(arb(3))
    (69, 0)
    """
    mantissa, exponent = x.man_exp()
    return max(0, -int(exponent) - int(mantissa).bit_length())


def pinsker(q: arb, c: arb) -> arb:
    """An upper end: `q + sqrt(c/2)` (Pinsker), at most 1."""
    guess = (q + (c / 2).sqrt()).upper()
    return guess if guess < 1 else arb(1)


def shortcut(q: arb, c: arb, low: arb, high: arb, bits: int) -> tuple[arb, arb] | None:
    """A bracket around Newton's approximation, `bits` narrow, if its ends have certain signs."""
    r = high if high < 1 else ((1 + q) / 2).mid()
    for _ in range(60):
        slope = (r - q) / (r * (1 - r))
        if not slope > 0:
            return None
        step = ((bernoulli_kl(q, r) - c) / slope).mid()
        following = (r - step).mid()
        if not (low < following < high):
            following = ((r + (high if step < 0 else low)) / 2).mid()
        settled = abs(following - r) < abs(r) * arb(2) ** (-(bits - 30))
        r = following
        if settled:
            break
    radius = r * arb(2) ** (-(bits - 28))
    down, up = (r - radius).mid(), (r + radius).mid()
    if low < down and bernoulli_kl(q, down) <= c:
        low = down
    if up < high and bernoulli_kl(q, up) > c:
        high = up
    return low, high
