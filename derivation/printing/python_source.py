"""Python source: an expression as a standalone function that needs only `math`.

Families are nested lists (first entry: index 1 of the formula); sums, products and minima are
comprehensions. What `math` lacks is printed as a small function above, only where it is used.
"""

from __future__ import annotations

import keyword
from collections.abc import Sequence

import sympy as sp
from sympy.printing.printer import Printer

from majorant.derivation import functions as own
from majorant.derivation.arguments import arguments_of
from majorant.derivation.errors import UnsupportedExpression

MATH: dict[type, str] = {
    sp.exp: "math.exp", sp.log: "math.log", sp.sin: "math.sin", sp.cos: "math.cos",
    sp.tan: "math.tan", sp.asin: "math.asin", sp.acos: "math.acos", sp.atan: "math.atan",
    sp.atan2: "math.atan2", sp.sinh: "math.sinh", sp.cosh: "math.cosh", sp.tanh: "math.tanh",
    sp.asinh: "math.asinh", sp.acosh: "math.acosh", sp.atanh: "math.atanh", sp.erf: "math.erf",
    sp.erfc: "math.erfc", sp.gamma: "math.gamma", sp.loggamma: "math.lgamma", sp.Abs: "abs",
    sp.floor: "math.floor", sp.ceiling: "math.ceil", sp.Max: "max", sp.Min: "min",
}

OWN: dict[type, str] = {
    own.PositivePower: "positive_power", own.BernoulliKL: "bernoulli_kl",
    own.KLInverse: "kl_inverse", own.LogPlus: "log_plus", own.ExtendedLog: "extended_log",
    own.LogAddExp: "log_add_exp", own.LogScaled: "log_scaled", sp.factorial: "factorial",
    sp.binomial: "binomial", sp.sign: "sign",
}

HELPERS: dict[str, str] = {
    "positive_power": "def positive_power(x, p):\n    return x**p if x > 0 else 0.0\n",
    "log_plus": "def log_plus(x):\n    return math.log(x) if x > 1 else 0.0\n",
    "extended_log": "def extended_log(x):\n    return math.log(x) if x > 0 else -math.inf\n",
    "log_scaled": (
        "def log_scaled(level, p):\n"
        "    return level if level == -math.inf else p * level\n"
    ),
    "log_add_exp": (
        "def log_add_exp(*levels):\n"
        "    top = max(levels, default=-math.inf)\n"
        "    if top == -math.inf:\n"
        "        return top\n"
        "    return top + math.log(math.fsum(math.exp(level - top) for level in levels))\n"
    ),
    "bernoulli_kl": (
        "def bernoulli_kl(q, r):\n"
        "    left = q * math.log(q / r) if q > 0 else 0.0\n"
        "    return left + ((1 - q) * math.log((1 - q) / (1 - r)) if q < 1 else 0.0)\n"
    ),
    "kl_inverse": (
        "def kl_inverse(q, c):\n"
        "    q = min(1.0, max(0.0, q))\n"
        "    if c <= 0 or q == 1:\n"
        "        return q\n"
        "    if q == 0:\n"
        "        return -math.expm1(-c)\n"
        "    low, high = q, min(1.0, q + math.sqrt(c / 2))\n"
        "    for _ in range(200):\n"
        "        r = (low + high) / 2\n"
        "        if not low < r < high:\n"
        "            break\n"
        "        if bernoulli_kl(q, r) <= c:\n"
        "            low = r\n"
        "        else:\n"
        "            high = r\n"
        "    return high\n"
    ),
    "factorial": "def factorial(n):\n    return math.gamma(n + 1)\n",
    "binomial": (
        "def binomial(n, k):\n"
        "    return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1))\n"
    ),
    "sign": "def sign(x):\n    return (x > 0) - (x < 0)\n",
}

NEEDS = {"kl_inverse": ("bernoulli_kl",)}


class PythonSource(Printer):
    """Prints one expression and remembers which helper functions it needs."""

    def __init__(self) -> None:
        super().__init__({})
        self.helpers: set[str] = set()

    def text(self, node: sp.Basic) -> str:
        """Source text of a node, in brackets where precedence asks for them."""
        if isinstance(node, sp.Symbol):
            return python_name(node)
        if isinstance(node, sp.Integer):
            return str(int(node)) if node >= 0 else f"({int(node)})"
        if isinstance(node, sp.Rational):
            return f"({node.p}/{node.q})"
        if isinstance(node, sp.Float):
            return repr(float(node))
        if node in CONSTANTS:
            return CONSTANTS[node]
        if isinstance(node, sp.Indexed):
            return python_name(node.base) + "".join(
                f"[{self.bare(i - 1 + node.base.offset)}]" for i in node.indices
            )
        if isinstance(node, sp.Add):
            return "(" + " + ".join(map(self.bare_term, node.args)).replace("+ -", "- ") + ")"
        if isinstance(node, sp.Mul):
            return self.product(node)
        if isinstance(node, sp.Pow):
            return self.power(node)
        if isinstance(node, sp.Piecewise):
            return self.cases(node)
        if isinstance(node, sp.Sum | sp.Product | own.Over):
            return self.binder(node)
        if isinstance(node, sp.Rel):
            return f"({self.text(node.lhs)} {node.rel_op} {self.text(node.rhs)})"
        if isinstance(node, sp.And | sp.Or):
            word = " and " if isinstance(node, sp.And) else " or "
            return "(" + word.join(map(self.text, node.args)) + ")"
        return self.call(node)

    def bare(self, node: sp.Basic) -> str:
        """Without its outer brackets."""
        return unbracketed(self.text(node))

    def bare_term(self, node: sp.Basic) -> str:
        """A term of a sum: products need no brackets there."""
        return self.bare(node) if isinstance(node, sp.Mul | sp.Pow) else self.text(node)

    def call(self, node: sp.Basic) -> str:
        arguments = ", ".join(map(self.bare, node.args))
        if isinstance(node, own.Above):
            return f"({self.text(node.args[0])} > {self.text(node.args[1])})"
        if type(node) in OWN:
            name = OWN[type(node)]
            self.helpers.update((name, *NEEDS.get(name, ())))
            return f"{name}({arguments})"
        if type(node) not in MATH:
            raise UnsupportedExpression(
                f"{type(node).__name__} has no formula, only properties"
            )
        if isinstance(node, sp.log) and node.args[0].is_Add and sp.S.One in node.args[0].args:
            return f"math.log1p({self.bare(node.args[0] - 1)})"
        return f"{MATH[type(node)]}({arguments})"

    def product(self, node: sp.Mul) -> str:
        """A quotient of products; a rational coefficient is split over both."""
        coefficient, rest = node.as_coeff_Mul(rational=True)
        upper = [str(abs(coefficient.p))] if abs(coefficient.p) != 1 else []
        lower = [str(coefficient.q)] if coefficient.q != 1 else []
        for factor in sp.Mul.make_args(rest):
            base, exponent = factor.as_base_exp()
            if exponent.is_Rational and exponent < 0:
                lower.append(self.text(sp.Pow(base, -exponent)))
            else:
                upper.append(self.text(factor))
        above = ("-" if coefficient < 0 else "") + ("*".join(upper) or "1")
        if not lower:
            return f"({above})"
        return f"({above}/{lower[0]})" if len(lower) == 1 else f"({above}/({'*'.join(lower)}))"

    def power(self, node: sp.Pow) -> str:
        if node.exp == sp.Rational(1, 2):
            return f"math.sqrt({self.bare(node.base)})"
        if node.exp.is_Rational and node.exp < 0:
            return f"(1/{self.text(sp.Pow(node.base, -node.exp))})"
        return f"({self.text(node.base)}**{self.text(node.exp)})"

    def cases(self, node: sp.Piecewise) -> str:
        if node.args[-1][1] != sp.true:
            raise UnsupportedExpression(f"python: {node} has no default branch")
        printed = self.text(node.args[-1][0])
        for value, condition in reversed(node.args[:-1]):
            printed = f"({self.text(value)} if {self.text(condition)} else {printed})"
        return printed

    def binder(self, node: sp.Expr) -> str:
        loops = "".join(
            f" for {python_name(index)} in range({self.end(lo)}, {self.end(hi + 1)})"
            for index, lo, hi in reversed(node.limits)
        )
        body = self.text(node.function)
        if isinstance(node, own.LogSumExpOver):
            self.helpers.add("log_add_exp")
            return f"log_add_exp(*({body}{loops}))"
        opened = {
            sp.Sum: "math.fsum({})", sp.Product: "math.prod({})", own.CountingFunction: "sum({})",
            own.MinOver: "min(({}), default=math.inf)", own.MaxOver: "max(({}), default=-math.inf)",
        }[type(node)]
        return opened.format(body + loops)

    def end(self, node: sp.Expr) -> str:
        """A limit as the argument of `range`."""
        printed = self.bare(node)
        divided = any(part.is_Rational and not part.is_Integer for part in node.atoms(sp.Number))
        if divided or any(part.exp.is_negative for part in node.atoms(sp.Pow)):
            return f"round({printed})"
        return printed


CONSTANTS: dict[sp.Basic, str] = {
    sp.pi: "math.pi", sp.E: "math.e", sp.oo: "math.inf", -sp.oo: "(-math.inf)",
    sp.true: "True", sp.false: "False", sp.EulerGamma: "0.5772156649015329",
}


def unbracketed(printed: str) -> str:
    """The text without a pair of brackets around all of it.

    >>> unbracketed("(a + (b))"), unbracketed("(a) + (b)")
    ('a + (b)', '(a) + (b)')
    """
    depth = 0
    for at, character in enumerate(printed):
        depth += (character == "(") - (character == ")")
        if depth == 0 and at < len(printed) - 1:
            return printed
    return printed[1:-1] if printed.startswith("(") else printed


def python_name(symbol: sp.Basic) -> str:
    """A valid Python name for a symbol or a family.

    >>> python_name(sp.Symbol("lambda")), python_name(sp.Symbol("x'"))
    ('lambda_', 'x_')
    """
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in str(symbol))
    return f"{name}_" if keyword.iskeyword(name) or name in ("math", "range", "sum") else name


def python_source(
    expr: sp.Expr, name: str, args: Sequence[sp.Basic] | None = None, docstring: str = ""
) -> str:
    """A module text: helpers that are needed, and `def name(args)` returning `expr`.

    Raises `UnsupportedExpression` for a node without a formula in `math`.

    >>> x = sp.Symbol("x", positive=True)
    >>> print(python_source(sp.sqrt(x) / 3, "third_root"))
    import math
    <BLANKLINE>
    <BLANKLINE>
    def third_root(x):
        return math.sqrt(x)/3
    <BLANKLINE>
    """
    printer = PythonSource()
    body = printer.text(expr)
    names = [python_name(arg) for arg in (arguments_of(expr) if args is None else args)]
    parts = [HELPERS[helper] for helper in HELPERS if helper in printer.helpers]
    quoted = docstring.replace("\\", "\\\\").replace('"""', "'''")
    text = f'    """{quoted}"""\n' if docstring else ""
    parts.append(f"def {name}({', '.join(names)}):\n{text}    return {unbracketed(body)}\n")
    return "import math\n\n\n" + "\n\n".join(parts)
