"""SymPy expressions as Coq terms over the classical reals; deterministic, table-driven.

Indexed families become functions `nat -> R`; `Sum` and `Product` become the folds `sum_range` and
`prod_range` of the development; symbols that count (limits and subscripts) become `nat` and enter
arithmetic through `INR`. Whatever has no entry is an error that prints the node.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from sympy.core.sorting import default_sort_key

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.kernel.identifiers import Names

ATOM, POWER, PRODUCT, SUM = 0, 30, 40, 50  # Coq's levels: a smaller number binds tighter

FUNCTIONS: dict[str, str] = {
    "exp": "exp",
    "log": "ln",
    "Abs": "Rabs",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "atan": "atan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "BernoulliKL": "kl",
    "PositivePower": "positive_power",
    "LogPlus": "log_plus",
}


class CoqPrinter:
    """Prints terms; `counting` are the free symbols that are natural numbers.

    >>> x, p = sp.symbols("x p", positive=True)
    >>> CoqPrinter().real(sp.log(1 + 4 * x / p) / 2 + sp.sqrt(x) * x**p)
    'sqrt x * Rpower x p + ln (1 + 4 * x / p) / 2'
    """

    def __init__(
        self, names: Names | None = None, counting: frozenset[sp.Symbol] = frozenset()
    ) -> None:
        self.names = names or Names()
        self.counting = counting
        self.fixed_first: dict[sp.Basic, sp.Basic] = {}
        self._upper: dict[sp.Basic, sp.Basic] = {}

    # real-valued terms ------------------------------------------------------------------

    def real(self, expr: sp.Basic, level: int = SUM) -> str:
        """`expr` as a term of type R, parenthesized if it binds looser than `level`."""
        text, own = self._real(expr)
        return f"({text})" if own > level else text

    def _real(self, expr: sp.Basic) -> tuple[str, int]:
        special: Callable[[sp.Basic], tuple[str, int]] | None = getattr(
            self, f"_print_{type(expr).__name__}", None
        )
        if special is not None:
            return special(expr)
        if isinstance(expr, sp.Rational):
            return self._print_Rational(expr)
        if isinstance(expr, sp.Symbol):
            return self._print_Symbol(expr)
        name = type(expr).__name__
        if name in FUNCTIONS:
            arguments = " ".join(self.real(arg, ATOM) for arg in expr.args)
            return f"{FUNCTIONS[name]} {arguments}", ATOM + 10
        raise UnsupportedExpression(
            f"{expr}: no Coq form for {name}; supported are + - * / powers, Sum, Product, Integral,"
            f" Min, Max, indexed families and {', '.join(sorted(FUNCTIONS))}"
        )

    def _print_Rational(self, expr: sp.Rational) -> tuple[str, int]:
        if expr.q == 1:
            return (str(expr.p), ATOM) if expr.p >= 0 else (f"(-{-expr.p})", ATOM)
        return (f"{expr.p} / {expr.q}" if expr.p > 0 else f"(-{-expr.p}) / {expr.q}"), PRODUCT

    def _print_Symbol(self, expr: sp.Symbol) -> tuple[str, int]:
        name = self.names.add(expr)
        return (f"INR {name}", ATOM + 10) if expr in self.counting else (name, ATOM)

    def _print_Pi(self, expr: sp.Basic) -> tuple[str, int]:
        return "PI", ATOM

    def _print_Exp1(self, expr: sp.Basic) -> tuple[str, int]:
        return "exp 1", ATOM + 10

    def _print_Indexed(self, expr: sp.Indexed) -> tuple[str, int]:
        indices = expr.indices
        if expr.base in self.fixed_first:
            indices = indices[1:]
        subscripts = [self.count(index) for index in indices]
        wrapped = [s if s.isidentifier() else f"({s})%nat" for s in subscripts]
        return f"{self.names.add(expr.base)} {' '.join(wrapped)}", ATOM + 10

    def _print_Add(self, expr: sp.Add) -> tuple[str, int]:
        text = ""
        ordered = sorted(expr.args, key=default_sort_key)
        ordered.sort(key=_minus)  # stable: what is subtracted comes last
        for position, term in enumerate(ordered):
            negative = term.could_extract_minus_sign() and not term.is_Add
            body = self.real(-term if negative else term, PRODUCT)
            if position == 0:
                text = f"- {self.real(-term, ATOM + 10)}" if negative else body
            else:
                text += f" - {body}" if negative else f" + {body}"
        return text, SUM

    def _print_Mul(self, expr: sp.Mul) -> tuple[str, int]:
        coefficient, rest = expr.as_coeff_Mul()
        if coefficient.is_negative:
            return f"- {self.real(-expr, ATOM + 10)}", 35
        above, below = [], []
        if coefficient.p != 1:
            above.append(str(coefficient.p))
        if coefficient.q != 1:
            below.append(str(coefficient.q))
        for factor in sorted(sp.Mul.make_args(rest), key=default_sort_key):
            base, exponent = _base_exponent(factor)
            if exponent.is_Rational and exponent.is_negative:
                below.append(self.real(sp.Pow(base, -exponent), POWER))
            elif factor != 1:
                above.append(self.real(factor, POWER))
        numerator = " * ".join(above) or "1"
        if not below:
            return numerator, PRODUCT if len(above) > 1 else POWER
        denominator = below[0] if len(below) == 1 else f"({' * '.join(below)})"
        return f"{numerator} / {denominator}", PRODUCT

    def _print_Pow(self, expr: sp.Pow) -> tuple[str, int]:
        base, exponent = expr.base, expr.exp
        if base is sp.S.Exp1:
            return f"exp {self.real(exponent, ATOM)}", ATOM + 10
        if exponent.is_Rational and exponent.is_negative:
            return f"1 / {self.real(sp.Pow(base, -exponent), POWER)}", PRODUCT
        if exponent == sp.Rational(1, 2):
            return f"sqrt {self.real(base, ATOM)}", ATOM + 10
        if exponent.is_Integer:
            return f"{self.real(base, ATOM + 10)} ^ {exponent}", POWER
        if exponent.is_Rational and exponent.q == 2:
            return f"sqrt {self.real(base, ATOM)} ^ {exponent.p}", POWER
        return f"Rpower {self.real(base, ATOM)} {self.real(exponent, ATOM)}", ATOM + 10

    def _extremum(self, word: str, expr: sp.Basic) -> tuple[str, int]:
        first, *others = sorted(expr.args, key=default_sort_key)
        text = self.real(first, ATOM)
        for position, other in enumerate(others):
            left = text if position == 0 else f"({text})"
            text = f"{word} {left} {self.real(other, ATOM)}"
        return text, ATOM + 10

    def _print_Min(self, expr: sp.Basic) -> tuple[str, int]:
        return self._extremum("Rmin", expr)

    def _print_Max(self, expr: sp.Basic) -> tuple[str, int]:
        return self._extremum("Rmax", expr)

    # binders ----------------------------------------------------------------------------

    def _fold(self, word: str, expr: sp.Basic) -> tuple[str, int]:
        inner, saved = expr.function, self.counting
        limits = list(expr.limits)
        self.counting = saved | {limit[0] for limit in limits}
        outer, self._upper = self._upper, {**self._upper, **{i: high for i, _, high in limits}}
        text = self.real(inner)
        self._upper = outer
        for index, low, high in limits:
            bounds = f"{_wrap(self.count(low))} {_wrap(self.count(high))}"
            text = f"{word} {bounds} (fun {self.names.add(index)} : nat => {text})"
        self.counting = saved
        return text, ATOM + 10

    def _print_Sum(self, expr: sp.Sum) -> tuple[str, int]:
        return self._fold("sum_range", expr)

    def _print_Product(self, expr: sp.Product) -> tuple[str, int]:
        return self._fold("prod_range", expr)

    def _print_Integral(self, expr: sp.Integral) -> tuple[str, int]:
        text = self.real(expr.function)
        for variable, low, high in expr.limits:
            ends = f"{self.real(low, ATOM)} {self.real(high, ATOM)}"
            text = f"RInt (fun {self.names.add(variable)} : R => {text}) {ends}"
        return text, ATOM + 10

    def _print_CountingFunction(self, expr: sp.Basic) -> tuple[str, int]:
        index, low, high = expr.limits[0]
        entry, threshold = expr.function.args
        saved, self.counting = self.counting, self.counting | {index}
        family = f"(fun {self.names.add(index)} : nat => {self.real(entry)})"
        self.counting = saved
        if low != 1:
            raise UnsupportedExpression(f"{expr}: a spectrum is counted from index 1 in Coq")
        return f"count_above {_wrap(self.count(high))} {family} {self.real(threshold, ATOM)}", 10

    # natural numbers --------------------------------------------------------------------

    def count(self, expr: sp.Basic) -> str:
        """`expr` as a term of type nat; a difference only where it cannot be negative."""
        if expr.is_Integer and expr >= 0:
            return str(expr)
        if isinstance(expr, sp.Symbol):
            if expr not in self.counting:
                raise UnsupportedExpression(f"{expr}: a limit or subscript must be a whole number")
            return self.names.add(expr)
        if expr.is_Add:
            if not self._nonnegative(expr):
                raise UnsupportedExpression(f"{expr}: may be negative, so it is no natural number")
            plus = [a for a in sorted(expr.args, key=default_sort_key)[::-1] if not _minus(a)]
            minus = [a for a in sorted(expr.args, key=default_sort_key) if _minus(a)]
            text = " + ".join(self.count(a) for a in plus)
            return text + "".join(f" - {self.count(-a)}" for a in minus)
        if expr.is_Mul and all(a.is_nonnegative for a in expr.args):
            ordered = sorted(expr.args, key=default_sort_key)
            return " * ".join(_bracket(self.count(a)) for a in ordered)
        raise UnsupportedExpression(f"{expr}: no form as a natural number")

    def _nonnegative(self, expr: sp.Basic) -> bool:
        """By assumptions, or because an index does not exceed the end of its sum."""
        if expr.is_nonnegative:
            return True
        below = sp.Dummy("below", integer=True, nonnegative=True)
        return any(bool(expr.subs(index, high - below).is_nonnegative)
                   for index, high in self._upper.items() if expr.has(index))


def _minus(term: sp.Basic) -> bool:
    return bool(term.could_extract_minus_sign())


def _wrap(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def _bracket(text: str) -> str:
    return f"({text})" if " + " in text or " - " in text else text


def _base_exponent(factor: sp.Basic) -> tuple[sp.Basic, sp.Basic]:
    if isinstance(factor, sp.Pow) and factor.base is not sp.S.Exp1:
        return factor.base, factor.exp
    return factor, sp.S.One
