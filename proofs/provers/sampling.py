"""Float evaluation of programs on many points at once, and where to look for counterexamples.

Nothing here is trusted: a point that looks bad is re-evaluated in balls before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy
from flint import fmpq
from numpy.typing import NDArray

from majorant.proofs.provers.domain import Domain
from majorant.proofs.provers.program import Program, Step

Array = NDArray[np.float64]

_CONSTANTS = {
    "pi": np.pi,
    "e": np.e,
    "euler": 0.5772156649015329,
    "catalan": 0.915965594177219,
}


def _by_math(name: str) -> Callable[[Array], Array]:
    import math

    scalar = {"erf": math.erf, "gamma": math.gamma, "loggamma": math.lgamma}[name]

    def guarded(value: float) -> float:
        try:
            return scalar(value)
        except (ValueError, OverflowError):
            return float("nan")

    return np.vectorize(guarded, otypes=[float])


_FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "atan": np.arctan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "floor": np.floor,
    "ceiling": np.ceil,
    "sign": np.sign,
    "Abs": np.abs,
    "erf": _by_math("erf"),
    "gamma": _by_math("gamma"),
    "loggamma": _by_math("loggamma"),
}


def float_values(program: Program, points: Array) -> list[Array]:
    """All outputs at the rows of `points` (shape `(number, variables)`); NaN where undefined.

    >>> x = sympy.Symbol("x", real=True)
    >>> float_values(Program([x**2], [x]), np.array([[3.0]]))[0]
    array([9.])
    """
    values: list[Array] = []
    with np.errstate(all="ignore"):
        for step in program.steps:
            values.append(_step(step, [values[a] for a in step.arguments], points))
    return [values[position] for position in program.outputs]


def _step(step: Step, arguments: list[Array], points: Array) -> Array:
    operation, data = step.operation, step.data
    if operation == "rational":
        assert isinstance(data, fmpq)
        try:
            value = int(data.numerator) / int(data.denominator)
        except OverflowError:
            value = float("nan")
        return np.full(len(points), value)
    if operation == "named":
        return np.full(len(points), _CONSTANTS[str(data)])
    if operation == "variable":
        assert isinstance(data, int)
        return points[:, data]
    if operation == "add":
        return np.sum(np.stack(arguments), axis=0)
    if operation == "mul":
        return np.prod(np.stack(arguments), axis=0)
    if operation == "ipow":
        assert isinstance(data, int)
        return arguments[0] ** float(data)
    if operation in ("rpow", "xpowlog"):
        assert isinstance(data, fmpq)
        raised = arguments[0] ** (int(data.numerator) / int(data.denominator))
        return raised if operation == "rpow" else raised * np.log(arguments[0])
    if operation == "pow":
        return np.power(arguments[0], arguments[1])
    if operation == "max":
        return np.max(np.stack(arguments), axis=0)
    if operation == "min":
        return np.min(np.stack(arguments), axis=0)
    if operation == "polygamma":
        return np.full(len(points), np.nan)
    return _FUNCTIONS[operation](arguments[0])


_SPECIAL = (0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 0.25, 1.5, 10.0, np.e, np.pi, 100.0)


def _constant_end(expr: sympy.Expr) -> float:
    return float(expr.evalf(30))


def candidates(domain: Domain, number: int, seed: int) -> Array:
    """Points of a domain: uniform, near the ends on a logarithmic scale, special, coincident.

    Shape `(number, variables)`; constraints that couple variables are only met by chance.
    """
    random = np.random.default_rng(seed)
    columns: list[Array] = []
    for variable in domain.variables:
        columns.append(_column(domain, variable, number, random))
    points = np.stack(columns, axis=1) if columns else np.zeros((1, 0))
    width = points.shape[1]
    if width > 1:
        for first in range(width):
            for second in range(width):
                if first != second:
                    rows = random.random(number) < 0.06
                    factor = np.exp(random.normal(size=number) * random.choice([0, 1e-3, 0.1]))
                    points[rows, first] = (points[:, second] * factor)[rows]
    for position, variable in enumerate(domain.variables):
        _respect(domain, variable, points, position, random)
    return points


def _column(
    domain: Domain, variable: sympy.Symbol, number: int, random: np.random.Generator
) -> Array:
    low, high = domain.lower(variable), domain.upper(variable)
    kind = random.integers(0, 6, size=number)
    spread = np.exp(random.uniform(np.log(1e-7), np.log(1e5), size=number))
    middling = np.exp(random.normal(scale=1.0, size=number))
    special = random.choice(np.array(_SPECIAL), size=number)
    if low is not None and high is not None:
        a, b = _constant_end(low.value), _constant_end(high.value)
        small = np.exp(random.uniform(np.log(1e-9), 0.0, size=number)) * (b - a)
        uniform = random.uniform(0, 1, size=number) * (b - a) + a
        value = np.where(kind == 0, a + small, np.where(kind == 1, b - small, uniform))
        inside = (special >= a) & (special <= b)
        value = np.where((kind == 2) & inside, special, value)
        if b / max(a, 1e-300) > 100 and a > 0:
            value = np.where(
                kind == 3, np.exp(random.uniform(np.log(a), np.log(b), size=number)), value
            )
        value = np.where((kind == 4) & (random.random(number) < 0.2), b, value)
        value = np.where((kind == 5) & (random.random(number) < 0.2), a, value)
    elif low is not None or high is not None:
        end = _constant_end((low or high).value)  # type: ignore[union-attr]
        offset = np.where(kind <= 1, spread, middling)
        offset = np.where(kind == 2, np.abs(special), offset)
        offset = np.where((kind == 3) & (random.random(number) < 0.2), 0.0, offset)
        value = end + offset if low is not None else end - offset
        inside = (special >= end) if low is not None else (special <= end)
        value = np.where((kind == 4) & inside, special, value)
    else:
        signs = random.choice([-1.0, 1.0], size=number)
        value = signs * np.where(kind <= 1, spread, middling)
        value = np.where(kind == 2, special * signs, value)
    if variable in domain.integers:
        value = np.round(value)
    return value.astype(np.float64)


def _respect(
    domain: Domain,
    variable: sympy.Symbol,
    points: Array,
    position: int,
    random: np.random.Generator,
) -> None:
    """Move one coordinate into the range that the other coordinates leave to it."""
    lowers, uppers = domain.ends(variable)
    coupled = [b for b in (*lowers, *uppers) if not b.value.is_number]
    if not coupled:
        return
    names = list(domain.variables)
    low = np.full(len(points), -np.inf)
    high = np.full(len(points), np.inf)
    for bound in lowers:
        low = np.maximum(low, float_values(Program([bound.value], names), points)[0])
    for bound in uppers:
        high = np.minimum(high, float_values(Program([bound.value], names), points)[0])
    value = points[:, position]
    outside = (value < low) | (value > high)
    share = random.beta(0.5, 0.5, size=len(points))
    with np.errstate(invalid="ignore"):  # unbounded on both sides: inf - inf is not a width
        span = high - low
    width = np.where(np.isfinite(span), span, np.exp(random.normal(size=len(points))))
    base = np.where(np.isfinite(low), low, high - width)
    moved = base + share * width
    if variable in domain.integers:
        moved = np.round(moved)
    points[:, position] = np.where(outside & (low <= high), moved, value)
