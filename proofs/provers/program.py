"""SymPy expressions compiled to straight-line programs with shared sub-expressions.

One program, many evaluators: intervals (`enclosure`), Taylor jets (`taylor`), floats
(`sampling`). Every node that is not listed here is an error that prints the node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy
from flint import fmpq

from majorant.derivation.errors import UnsupportedExpression

NAMED = {
    sympy.pi: "pi",
    sympy.E: "e",
    sympy.EulerGamma: "euler",
    sympy.Catalan: "catalan",
}

UNARY = {
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.tan: "tan",
    sympy.atan: "atan",
    sympy.asin: "asin",
    sympy.acos: "acos",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.tanh: "tanh",
    sympy.erf: "erf",
    sympy.gamma: "gamma",
    sympy.loggamma: "loggamma",
    sympy.floor: "floor",
    sympy.ceiling: "ceiling",
    sympy.sign: "sign",
    sympy.Abs: "Abs",
}

#: Functions without a row of their own, written by others that have one.
REWRITTEN = {
    sympy.erfc: lambda u: 1 - sympy.erf(u),
    sympy.cot: lambda u: sympy.cos(u) / sympy.sin(u),
    sympy.sec: lambda u: 1 / sympy.cos(u),
    sympy.csc: lambda u: 1 / sympy.sin(u),
    sympy.coth: lambda u: sympy.cosh(u) / sympy.sinh(u),
    sympy.sech: lambda u: 1 / sympy.cosh(u),
    sympy.csch: lambda u: 1 / sympy.sinh(u),
    sympy.asinh: lambda u: sympy.log(u + sympy.sqrt(u**2 + 1)),
    sympy.acosh: lambda u: sympy.log(u + sympy.sqrt(u**2 - 1)),
    sympy.atanh: lambda u: sympy.log((1 + u) / (1 - u)) / 2,
    sympy.digamma: lambda u: sympy.polygamma(0, u),
    sympy.factorial: lambda u: sympy.gamma(u + 1),
}

SIMPLE = tuple(UNARY)


@dataclass(frozen=True)
class Step:
    """One instruction: an operation, the positions of its arguments, and its constant."""

    operation: str
    arguments: tuple[int, ...] = ()
    data: object = None


class Program:
    """Instructions for several outputs over ordered variables.

    >>> x = sympy.Symbol("x", real=True)
    >>> [s.operation for s in Program([sympy.exp(x) + x], [x]).steps]
    ['variable', 'exp', 'add']
    """

    def __init__(
        self, outputs: Sequence[sympy.Expr], variables: Sequence[sympy.Symbol]
    ) -> None:
        self.variables = tuple(variables)
        self.steps: list[Step] = []
        self._positions: dict[sympy.Basic, int] = {}
        self._constants: dict[tuple[str, object], int] = {}
        self.outputs = [self._compile(sympy.sympify(output)) for output in outputs]

    def _emit(self, operation: str, arguments: tuple[int, ...] = (), data: object = None) -> int:
        self.steps.append(Step(operation, arguments, data))
        return len(self.steps) - 1

    def _constant(self, operation: str, data: object) -> int:
        key = (operation, str(data))
        if key not in self._constants:
            self._constants[key] = self._emit(operation, (), data)
        return self._constants[key]

    def _compile(self, node: sympy.Expr) -> int:
        known = self._positions.get(node)
        if known is None:
            known = self._positions[node] = self._instruction(node)
        return known

    def _instruction(self, node: sympy.Expr) -> int:
        if node.is_Rational:
            return self._constant("rational", fmpq(int(node.p), int(node.q)))
        if node in NAMED:
            return self._constant("named", NAMED[node])
        if node.is_Symbol:
            if node not in self.variables:
                raise UnsupportedExpression(f"the variable {node} was not declared")
            return self._emit("variable", (), self.variables.index(node))
        if node.is_Add:
            return self._emit("add", tuple(self._compile(a) for a in node.args))
        if node.is_Mul:
            return self._product(node)
        if isinstance(node, sympy.Pow):
            return self._power(node)
        for kind in SIMPLE:
            if isinstance(node, kind):
                return self._emit(UNARY[kind], (self._compile(node.args[0]),))
        if isinstance(node, sympy.Max | sympy.Min):
            name = "max" if isinstance(node, sympy.Max) else "min"
            return self._emit(name, tuple(self._compile(a) for a in node.args))
        if isinstance(node, sympy.polygamma) and node.args[0].is_Integer:
            return self._emit("polygamma", (self._compile(node.args[1]),), int(node.args[0]))
        for kind, rewrite in REWRITTEN.items():
            if isinstance(node, kind):
                return self._compile(rewrite(*node.args))
        raise UnsupportedExpression(
            f"{type(node).__name__} in {str(node)[:120]}: no evaluator knows this node"
        )

    def _product(self, node: sympy.Expr) -> int:
        """Products, with `u^a log(u)` kept together: it is bounded at u = 0."""
        factors = list(node.args)
        positions: list[int] = []
        for factor in node.args:
            if not isinstance(factor, sympy.log) or factor not in factors:
                continue
            inner = factor.args[0]
            for other in factors:
                base, exponent = other.as_base_exp()
                if base == inner and exponent.is_Rational and exponent.is_positive:
                    factors.remove(factor)
                    factors.remove(other)
                    power = fmpq(int(exponent.p), int(exponent.q))
                    positions.append(
                        self._emit("xpowlog", (self._compile(inner),), power)
                    )
                    break
        positions += [self._compile(factor) for factor in factors]
        return positions[0] if len(positions) == 1 else self._emit("mul", tuple(positions))

    def _power(self, node: sympy.Pow) -> int:
        base, exponent = node.base, node.exp
        if base is sympy.E:
            return self._emit("exp", (self._compile(exponent),))
        if exponent.is_Integer:
            return self._emit("ipow", (self._compile(base),), int(exponent))
        if exponent.is_Rational:
            data = fmpq(int(exponent.p), int(exponent.q))
            return self._emit("rpow", (self._compile(base),), data)
        return self._emit("pow", (self._compile(base), self._compile(exponent)))
