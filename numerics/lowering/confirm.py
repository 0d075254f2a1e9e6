"""Confirm a derived direction by certified comparisons at sampled points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import sympy as sp
from flint import arb

from majorant.derivation.errors import UnusableInput
from majorant.numerics.lowering.balls import ball_function
from majorant.numerics.lowering.samples import Point, Sampler


@dataclass(frozen=True)
class Step:
    """`f` between two values of the variable, the rest fixed; compared in ball arithmetic."""

    point: Point
    lower: Any
    upper: Any
    before: str
    after: str


@dataclass(frozen=True)
class Sampled:
    """What the samples showed: steps up, steps down, and one of each as witnesses."""

    outcome: Literal["increasing", "decreasing", "neither", "flat"]
    ups: int
    downs: int
    up: Step | None = None
    down: Step | None = None


def confirm_by_sampling(
    expr: sp.Expr,
    x: sp.Basic,
    hypotheses: Iterable[sp.Basic] = (),
    trials: int = 40,
    seed: int = 0,
) -> Sampled:
    """Compare `expr` at pairs of values of `x`, everything else fixed, in ball arithmetic.

    `neither` comes with two witnesses, one where the expression certainly goes up and one where
    it certainly goes down, from the same values of the other arguments where such were met.

    >>> x = sp.Symbol("x", positive=True)
    >>> confirm_by_sampling(1/x, x).outcome
    'decreasing'
    >>> found = confirm_by_sampling(x + 1/x, x)
    >>> found.outcome, found.down.lower < found.up.upper
    ('neither', True)
    """
    sampler = Sampler(expr, tuple(hypotheses))
    function = ball_function(expr, sampler.args, 200)
    pair: tuple[Step, Step] | None = None
    ups: list[Step] = []
    downs: list[Step] = []
    for trial in range(trials):
        base = seed * 100_003 + 10 * trial
        point = sampler.point(base)
        steps = [
            step
            for at in range(1, 5)
            if (step := _step(sampler, function, point, x, sampler.point(base + at))) is not None
        ]
        here_up = [step for step, rises in steps if rises]
        here_down = [step for step, rises in steps if not rises]
        ups, downs = ups + here_up, downs + here_down
        if here_up and here_down and pair is None:
            pair = here_up[0], here_down[0]
    if ups and downs:
        up, down = pair or (ups[0], downs[0])
        return Sampled("neither", len(ups), len(downs), up, down)
    if ups:
        return Sampled("increasing", len(ups), 0, up=ups[0])
    if downs:
        return Sampled("decreasing", 0, len(downs), down=downs[0])
    return Sampled("flat", 0, 0)


def _step(
    sampler: Sampler, function: Callable[..., arb], point: Point, x: sp.Basic, other: Point
) -> tuple[Step, bool] | None:
    """A certified step in `x` from `point`, between its value and the one at `other`; or None."""
    if x not in point.args:
        raise UnusableInput(f"{x}: the expression does not depend on it")
    at = point.args.index(x)
    lower, upper = ordered(point.values[at], other.values[at])
    low, high = point.replaced(x, lower), point.replaced(x, upper)
    if not (sampler.contains(low) and sampler.contains(high)):
        return None
    before, after = function(*low.values), function(*high.values)
    if not (before.is_finite() and after.is_finite()):
        return None
    if not (before < after or before > after):
        return None
    return Step(low, lower, upper, before.str(17), after.str(17)), bool(before < after)


def ordered(x: Any, y: Any) -> tuple[Any, Any]:
    """Entrywise minimum and maximum of two numbers or nested lists."""
    if isinstance(x, list):
        pairs = [ordered(a, b) for a, b in zip(x, y, strict=True)]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return min(x, y), max(x, y)

