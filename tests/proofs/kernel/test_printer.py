"""The printer: one text for one expression, natural numbers apart from reals, totality traps."""

from __future__ import annotations

import pytest
import sympy as sp

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.functions import PositivePower, Setting
from majorant.proofs.kernel import KernelStatement
from majorant.proofs.kernel.coq_printer import CoqPrinter
from majorant.proofs.kernel.definedness import needs
from majorant.proofs.kernel.identifiers import RESERVED, identifier

x, y, p = sp.symbols("x y p", positive=True)
z = sp.Symbol("z", real=True)
i, k, r = sp.symbols("i k r", integer=True, positive=True)
s = sp.IndexedBase(sp.Symbol("s", nonnegative=True))


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (x - y, "x - y"),
        (-x - y, "- x - y"),
        (x / (2 * y), "x / (2 * y)"),
        (sp.Rational(-3, 2) * x, "- (3 * x / 2)"),
        (x ** sp.Rational(3, 2), "sqrt x ^ 3"),
        (1 / sp.sqrt(x), "1 / sqrt x"),
        (x**p, "Rpower x p"),
        (sp.exp(-x), "exp (- x)"),
        (2 ** (x + 1), "Rpower 2 (1 + x)"),
        (sp.Max(x, y, 1), "Rmax (Rmax 1 x) y"),
        (sp.Abs(z) ** 2, "z ^ 2"),
        ((x + y) ** 2 * x, "x * (x + y) ^ 2"),
        (sp.pi * x, "PI * x"),
        (sp.Sum(s[i] * i, (i, 1, r)), "sum_range 1 r (fun i : nat => INR i * s i)"),
        (sp.Product(s[i], (i, k + 1, r)), "prod_range (k + 1) r (fun i : nat => s i)"),
        (sp.Sum(s[i - 1], (i, 1, r)), "sum_range 1 r (fun i : nat => s (i - 1)%nat)"),
        (PositivePower(s[i], p), "positive_power (s i) p"),
    ],
)
def test_terms(expr: sp.Expr, text: str) -> None:
    printer = CoqPrinter(counting=frozenset({i, k, r}))
    assert printer.real(expr) == text
    assert printer.real(sp.sympify(expr)) == text


def test_unknown_nodes_are_named() -> None:
    with pytest.raises(UnsupportedExpression, match="besselj"):
        CoqPrinter().real(sp.besselj(0, x))


def test_a_subscript_that_may_be_negative_is_refused() -> None:
    with pytest.raises(UnsupportedExpression, match="may be negative"):
        CoqPrinter(counting=frozenset({i})).real(s[i - 2])


def test_reserved_words_never_come_out() -> None:
    for word in RESERVED:
        assert identifier(word) not in RESERVED


def test_two_symbols_of_one_name_stay_apart() -> None:
    a, b = sp.Symbol("x"), sp.Symbol("x", positive=True)
    assert KernelStatement("t", sp.Le(a, b, evaluate=False)).printed().count("x1") >= 1


def test_domains_become_hypotheses() -> None:
    text = KernelStatement("t", sp.Le(x * s[1], sp.Sum(s[i], (i, 1, r)))).printed()
    assert "(forall i : nat, s i >= 0)" in text
    assert "x > 0" in text
    assert "(1 <= r)%nat" in text


def test_an_index_of_a_hypothesis_is_quantified_inside() -> None:
    falling = sp.Le(s[i + 1], s[i])
    total = sp.Ge(sp.Sum(s[i], (i, 1, r)), 0, evaluate=False)
    text = KernelStatement("t", total, (falling,)).printed()
    assert "(forall (i : nat), (1 <= i)%nat -> s (i + 1)%nat <= s i)" in text


def test_one_matrix_of_a_family_is_one_spectrum() -> None:
    a = sp.Symbol("a", integer=True, positive=True)
    sigma = sp.IndexedBase(sp.Symbol("sigma", nonnegative=True))
    text = KernelStatement("t", sp.Ge(sp.Sum(sigma[a, i], (i, 1, r)), 0, evaluate=False)).printed()
    assert "(sigma : nat -> R)" in text


def test_settings_print_their_arguments() -> None:
    n = sp.Symbol("n", integer=True, positive=True)
    setting = Setting("chain_value", n, s, x + y, z)
    text = KernelStatement("t", sp.Le(z, x), (setting,)).printed()
    assert "chain_value n s (x + y) z" in text
    assert "(n : nat)" in text


@pytest.mark.parametrize(
    ("expr", "condition"),
    [
        (sp.log(z), "z > 0"),
        (1 / z, "Ne(z, 0)"),
        (sp.sqrt(z), "z >= 0"),
        (z**p, "z > 0"),
    ],
)
def test_rpower_zero_and_other_traps_are_conditions(expr: sp.Expr, condition: str) -> None:
    assert [str(need.condition) for need in needs(expr)] == [condition]


def test_conditions_under_a_sum_are_quantified() -> None:
    t = sp.IndexedBase(sp.Symbol("t", real=True))
    statement = KernelStatement("t", sp.Ge(sp.Sum(sp.log(t[i]), (i, 1, r)), 0, evaluate=False))
    (text,) = statement.printed_conditions()
    assert "forall i : nat, (1 <= i)%nat -> (i <= r)%nat -> t i > 0" in text
