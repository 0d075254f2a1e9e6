"""Confirm a derived direction by certified comparisons at sampled points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
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
        points = [sampler.point(base + at) for at in range(5)]
        steps = list(_steps(sampler, function, points, x))
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


def _steps(
    sampler: Sampler, function: Callable[..., arb], points: list[Point], x: sp.Basic
) -> Iterator[tuple[Step, bool]]:
    """Certified steps in `x` from the first point, between its values at all the points."""
    first = points[0]
    if x not in first.args:
        raise UnusableInput(f"{x}: the expression does not depend on it")
    at = first.args.index(x)
    values = [point.values[at] for point in points]
    if isinstance(values[0], list):
        pairs = [ordered(values[0], value) for value in values[1:]]
    else:
        values = sorted(set(values))
        pairs = list(pairwise(values))
    for lower, upper in pairs:
        low, high = first.replaced(x, lower), first.replaced(x, upper)
        if not (sampler.contains(low) and sampler.contains(high)):
            continue
        before, after = function(*low.values), function(*high.values)
        if before.is_finite() and after.is_finite() and (before < after or before > after):
            step = Step(low, lower, upper, before.str(17), after.str(17))
            yield step, bool(before < after)


def ordered(x: Any, y: Any) -> tuple[Any, Any]:
    """Entrywise minimum and maximum of two numbers or nested lists."""
    if isinstance(x, list):
        pairs = [ordered(a, b) for a, b in zip(x, y, strict=True)]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return min(x, y), max(x, y)


def shown(step: Step, x: sp.Basic) -> dict[str, Any]:
    """A witness as JSON-able data: where, between which values of `x`, and both values."""
    others = {
        str(arg): value
        for arg, value in zip(step.point.args, step.point.values, strict=True)
        if arg != x
    }
    return {"at": others, "from": step.lower, "to": step.upper,
            "value_from": step.before, "value_to": step.after}


def sampled_directions(
    expr: sp.Expr, arguments: Iterable[sp.Basic], hypotheses: Iterable[sp.Basic] = (),
    trials: int = 12,
) -> dict[str, dict[str, Any]]:
    """`confirm_by_sampling` in several arguments: outcome, and witnesses where it is `neither`.

    >>> x, y = sp.symbols("x y", positive=True)
    >>> sampled_directions(y + 1/y - x, [x, y])["x"]
    {'outcome': 'decreasing', 'ups': 0, 'downs': 48}
    """
    given, found = tuple(hypotheses), {}
    for x in arguments:
        sampled = confirm_by_sampling(expr, x, given, trials)
        row: dict[str, Any] = {
            "outcome": sampled.outcome, "ups": sampled.ups, "downs": sampled.downs
        }
        if sampled.up is not None and sampled.down is not None:
            row |= {"up": shown(sampled.up, x), "down": shown(sampled.down, x)}
        found[str(x)] = row
    return found
