"""The functions that a claim may use, each as a table row: arity, meaning, side conditions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy

Build = Callable[..., sympy.Expr]
MANY = -1


@dataclass(frozen=True)
class KnownFunction:
    """One row: the least and greatest number of arguments, the builder, and the side conditions.

    `conditions` maps the arguments to pairs (kind, expression), see `conditions.KINDS`.
    """

    least: int
    greatest: int
    build: Build
    conditions: Callable[..., list[tuple[str, sympy.Expr]]] = lambda *_: []


def _binary_kl(p: sympy.Expr, q: sympy.Expr) -> sympy.Expr:
    return p * sympy.log(p / q) + (1 - p) * sympy.log((1 - p) / (1 - q))


def _binary_entropy(p: sympy.Expr) -> sympy.Expr:
    return -p * sympy.log(p) - (1 - p) * sympy.log(1 - p)


def _row(build: Build, *kinds: tuple[str, Callable[[sympy.Expr], sympy.Expr]]) -> KnownFunction:
    return KnownFunction(1, 1, build, lambda u: [(kind, of(u)) for kind, of in kinds])


def _same(u: sympy.Expr) -> sympy.Expr:
    return u


def _inside(u: sympy.Expr) -> list[tuple[str, sympy.Expr]]:
    return [("positive", u), ("positive", 1 - u)]


FUNCTIONS: dict[str, KnownFunction] = {
    "log": _row(sympy.log, ("positive", _same)),
    "log2": _row(lambda u: sympy.log(u) / sympy.log(2), ("positive", _same)),
    "log10": _row(lambda u: sympy.log(u) / sympy.log(10), ("positive", _same)),
    "log1p": _row(lambda u: sympy.log(1 + u), ("positive", lambda u: 1 + u)),
    "exp": _row(sympy.exp),
    "expm1": _row(lambda u: sympy.exp(u) - 1),
    "sqrt": _row(sympy.sqrt, ("nonnegative", _same)),
    "cbrt": _row(lambda u: u ** sympy.Rational(1, 3), ("nonnegative", _same)),
    "abs": _row(sympy.Abs),
    "sign": _row(sympy.sign),
    "floor": _row(sympy.floor),
    "ceil": _row(sympy.ceiling),
    "sin": _row(sympy.sin),
    "cos": _row(sympy.cos),
    "tan": _row(sympy.tan, ("nonzero", sympy.cos)),
    "cot": _row(lambda u: sympy.cos(u) / sympy.sin(u), ("nonzero", sympy.sin)),
    "sec": _row(lambda u: 1 / sympy.cos(u), ("nonzero", sympy.cos)),
    "csc": _row(lambda u: 1 / sympy.sin(u), ("nonzero", sympy.sin)),
    "asin": _row(sympy.asin, ("unit", _same)),
    "acos": _row(sympy.acos, ("unit", _same)),
    "atan": _row(sympy.atan),
    "sinh": _row(sympy.sinh),
    "cosh": _row(sympy.cosh),
    "tanh": _row(sympy.tanh),
    "coth": _row(lambda u: sympy.cosh(u) / sympy.sinh(u), ("nonzero", _same)),
    "sech": _row(lambda u: 1 / sympy.cosh(u)),
    "csch": _row(lambda u: 1 / sympy.sinh(u), ("nonzero", _same)),
    "asinh": _row(lambda u: sympy.log(u + sympy.sqrt(1 + u**2))),
    "acosh": _row(
        lambda u: sympy.log(u + sympy.sqrt(u**2 - 1)), ("nonnegative", lambda u: u - 1)
    ),
    "atanh": _row(
        lambda u: sympy.log((1 + u) / (1 - u)) / 2, ("positive", lambda u: 1 - u**2)
    ),
    "erf": _row(sympy.erf),
    "erfc": _row(lambda u: 1 - sympy.erf(u)),
    "gamma": _row(sympy.gamma, ("pole", _same)),
    "lgamma": _row(sympy.loggamma, ("positive", _same)),
    "factorial": _row(lambda u: sympy.gamma(u + 1), ("pole", lambda u: u + 1)),
    "min": KnownFunction(1, MANY, sympy.Min),
    "max": KnownFunction(1, MANY, sympy.Max),
    "pow": KnownFunction(2, 2, lambda u, v: u**v),
    "sigmoid": _row(lambda u: 1 / (1 + sympy.exp(-u))),
    "softplus": _row(lambda u: sympy.log(1 + sympy.exp(u))),
    "relu": _row(lambda u: sympy.Max(0, u)),
    "Phi": _row(lambda u: (1 + sympy.erf(u / sympy.sqrt(2))) / 2),
    "entropy": KnownFunction(1, 1, _binary_entropy, _inside),
    "kl": KnownFunction(2, 2, _binary_kl, lambda p, q: _inside(p) + _inside(q)),
}

ALIASES = {
    "ln": "log",
    "Abs": "abs",
    "arctan": "atan",
    "arcsin": "asin",
    "arccos": "acos",
    "artanh": "atanh",
    "arctanh": "atanh",
    "arsinh": "asinh",
    "arcsinh": "asinh",
    "arcosh": "acosh",
    "arccosh": "acosh",
    "Min": "min",
    "Max": "max",
    "ceiling": "ceil",
    "loggamma": "lgamma",
    "Gamma": "gamma",
    "sgn": "sign",
    "tg": "tan",
}

CONSTANTS: dict[str, sympy.Expr] = {"pi": sympy.pi, "\u03c0": sympy.pi, "e": sympy.E}


def supported_functions() -> list[str]:
    """Names that a claim may call, sorted.

    >>> "log" in supported_functions() and "ln" in supported_functions()
    True
    """
    return sorted([*FUNCTIONS, *ALIASES])
