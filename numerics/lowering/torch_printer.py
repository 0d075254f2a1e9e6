"""Print an expression as torch source for `sympy.lambdify`.

SymPy's own torch printer passes Python scalars to torch functions, lowers `Max` to `torch.max`,
and leaves sums over indices as loops. This printer folds constants exactly before they are
rounded once, prints sums over indices as tensor reductions (methods of the `Frame`), and refuses
what it does not know, with the node and its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.printing.printer import Printer

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.functions import LogScaled, LogSumExpOver
from majorant.numerics.lowering.recognize import expm1_terms, log1p_argument
from majorant.numerics.lowering.table import BINDERS, FUNCTIONS, RELATIONS, unsupported
from majorant.numerics.lowering.torch_operations import OPERATIONS

FRAME = "_frame"
TORCH = "_torch"
DIGITS = 40


class TorchPrinter(Printer):
    """Source text of one expression; `names` maps arguments to Python names, `titles` those names
    to what an error message should say.

    >>> x = sp.Symbol("x", positive=True)
    >>> TorchPrinter({x: "x"}).doprint(sp.sqrt(2)*sp.log(1 + x))
    '(1.4142135623730951*_torch.log1p(x))'
    """

    module_imports: Mapping[str, set[str]] = {}

    def __init__(
        self, names: Mapping[sp.Basic, str], titles: Mapping[str, str] | None = None
    ) -> None:
        super().__init__({})
        self.titles = titles or {}
        self.names: dict[sp.Basic, str] = dict(names)
        self.path: list[str] = []
        self.counter = 0

    def doprint(self, expr: sp.Basic) -> str:
        """Source text of `expr`."""
        return self.text(expr)

    def text(self, node: sp.Basic) -> str:
        """Source text of a node, constants folded."""
        if node in self.names:
            return self.names[node]
        if isinstance(node, sp.Indexed):
            return self.entry(node)
        if isinstance(node, sp.Expr) and not node.free_symbols and not self.opaque(node):
            return self.constant(node)
        if isinstance(node, sp.Add):
            return self.addition(node)
        if isinstance(node, sp.Mul):
            return self.product(node)
        if isinstance(node, sp.Pow):
            return self.power(node)
        if isinstance(node, sp.Piecewise):
            return self.piecewise(node)
        for kind, operation in BINDERS.items():
            if isinstance(node, kind):
                return self.binder(node, operation)
        return self.function(node)

    def opaque(self, node: sp.Expr) -> bool:
        """Whether a node without free symbols is more than a plain constant."""
        return node.has(*BINDERS) or node.has(sp.Piecewise) or not node.is_number

    def part(self, node: sp.Basic, at: int, arg: sp.Basic) -> str:
        self.path.append(f"{type(node).__name__}[{at}]")
        printed = self.text(arg)
        self.path.pop()
        return printed

    def parts(self, node: sp.Basic) -> list[str]:
        return [self.part(node, at, arg) for at, arg in enumerate(node.args)]

    def constant(self, node: sp.Expr) -> str:
        """One correctly rounded double; a constant that has none is refused."""
        if node in (sp.oo, -sp.oo):
            return f"{TORCH}.inf" if node == sp.oo else f"(-{TORCH}.inf)"
        value: Any = node.evalf(DIGITS)
        if not (value.is_Float or value.is_Rational):
            raise unsupported(node, self.path, "torch")
        if node.is_Rational:
            value = Fraction(int(node.p), int(node.q))
        try:
            rounded = float(value)
        except OverflowError:
            rounded = float("inf")
        if abs(rounded) == float("inf") or (rounded == 0.0 and value != 0):
            raise UnsupportedExpression(
                f"torch: the constant {node} is outside the range of float64; lower "
                "log_form(expression) instead"
            )
        return repr(rounded) if rounded >= 0 else f"({rounded!r})"

    def addition(self, node: sp.Add) -> str:
        found = expm1_terms(node)
        if found is None:
            return "(" + " + ".join(self.parts(node)) + ")"
        pairs, others = found
        terms = [self.part(node, at, other) for at, other in enumerate(others)]
        terms += [f"{self.text(scale)}*{TORCH}.expm1({self.text(u)})" for scale, u in pairs]
        return "(" + " + ".join(terms) + ")"

    def product(self, node: sp.Mul) -> str:
        upper, lower = [], []
        for at, factor in enumerate(node.args):
            base, exponent = factor.as_base_exp()
            if exponent.is_Rational and exponent < 0:
                lower.append(self.part(node, at, sp.Pow(base, -exponent)))
            else:
                upper.append(self.part(node, at, factor))
        above = "*".join(upper) or "1.0"
        return f"({above})" if not lower else f"({above}/({'*'.join(lower)}))"

    def power(self, node: sp.Pow) -> str:
        base = self.part(node, 0, node.base)
        if node.exp == sp.Rational(1, 2):
            return f"{TORCH}.sqrt({base})"
        if node.exp == sp.Rational(-1, 2):
            return f"{TORCH}.rsqrt({base})"
        if node.exp.is_Integer and abs(node.exp) < 2**31:
            return f"({base})**{int(node.exp)}" if node.exp >= 0 else f"(({base})**({node.exp}))"
        return f"(({base})**{self.part(node, 1, node.exp)})"

    def function(self, node: sp.Basic) -> str:
        operation = FUNCTIONS.get(type(node))
        if operation == "log" and len(node.args) == 1:
            shifted = log1p_argument(node.args[0])
            if shifted is not None:
                return f"{TORCH}.log1p({self.part(node, 0, shifted)})"
        if operation is None or operation not in OPERATIONS:
            raise unsupported(node, self.path, "torch")
        return f"{TORCH}.{operation}({', '.join(self.parts(node))})"

    def entry(self, node: sp.Indexed) -> str:
        if node.base not in self.names:
            raise unsupported(node, self.path, "torch")
        family = self.names[node.base]
        shifted = [index + node.base.offset for index in node.indices]  # families may start at 0
        indices = [str(int(i)) if i.is_Integer else self.text(i) for i in shifted]
        return f"{FRAME}.entry({self.titles.get(family, family)!r}, {family}, {', '.join(indices)})"

    def fresh(self, hint: str) -> str:
        self.counter += 1
        return f"_{hint}{self.counter}"

    def binder(self, node: sp.Expr, operation: str) -> str:
        """Nested reductions, the last limit outermost."""
        if isinstance(node, LogSumExpOver) and isinstance(node.function, LogScaled):
            if len(node.limits) == 1 and not node.function.args[1].has(node.limits[0][0]):
                return self.power_sum(node)
        saved, opened = dict(self.names), []
        for index, lo, hi in reversed(node.limits):
            ends = [
                str(int(end)) if end.is_Integer else self.text(end) for end in (lo, hi)
            ]
            self.names[index] = self.fresh("i")
            opened.append(f"{FRAME}.{operation}({', '.join(ends)}, lambda {self.names[index]}: ")
        body = self.part(node, 0, node.function)
        self.names = saved
        return "".join(opened) + body + ")" * len(opened)

    def power_sum(self, node: LogSumExpOver) -> str:
        """`log(sum_i exp(p u_i))` with one `p` for all `i`: the product is never stored."""
        (index, lo, hi), (level, p) = node.limits[0], node.function.args
        ends = [str(int(end)) if end.is_Integer else self.text(end) for end in (lo, hi)]
        exponent, saved = self.text(p), dict(self.names)
        self.names[index] = self.fresh("i")
        body = f"lambda {self.names[index]}: {self.part(node, 0, level)}"
        self.names = saved
        return f"{FRAME}.log_power_sum({', '.join(ends)}, {body}, {exponent})"

    def piecewise(self, node: sp.Piecewise) -> str:
        """Branches as functions of their leaves, so that an untaken branch sees safe values."""
        if node.args[-1][1] != sp.true:
            raise unsupported(node, self.path, "torch")
        conditions = sp.Tuple(*(condition for _, condition in node.args))
        first, second = self.leaves(conditions), self.leaves(node)
        leaves = first + [leaf for leaf in second if leaf not in first]
        outside = [self.text(leaf) for leaf in leaves]
        saved = dict(self.names)
        for leaf in leaves:
            self.names[leaf] = self.fresh("x")
        header = f"lambda {', '.join(self.names[leaf] for leaf in leaves)}: "
        branches = [
            f"({header}{self.condition(condition)}, {header}{self.part(node, at, value)})"
            for at, (value, condition) in enumerate(node.args)
        ]
        self.names = saved
        given = "".join(f"{leaf}, " for leaf in outside)
        return f"{FRAME}.piecewise(({given}), {len(first)}, [{', '.join(branches)}])"

    def leaves(self, node: sp.Basic) -> list[sp.Basic]:
        """Named symbols and family entries whose indices are bound outside of `node`."""
        found: list[sp.Basic] = []
        for part in sp.preorder_traversal(node):
            known = isinstance(part, sp.Symbol) and part in self.names
            whole = isinstance(part, sp.Indexed) and all(
                symbol in self.names for index in part.indices for symbol in index.free_symbols
            )
            if (known or whole) and part not in found:
                found.append(part)
        return found

    def condition(self, node: sp.Basic) -> str:
        if node in (sp.true, sp.false):
            return str(bool(node == sp.true))
        if isinstance(node, sp.And | sp.Or):
            sign = " & " if isinstance(node, sp.And) else " | "
            return "(" + sign.join(self.condition(arg) for arg in node.args) + ")"
        if isinstance(node, sp.Not):
            return f"(~{self.condition(node.args[0])})"
        sense: Any = RELATIONS.get(type(node))
        if sense is None:
            raise unsupported(node, self.path, "torch")
        left, right = self.parts(node)
        return f"({left} {sense} {right})"
