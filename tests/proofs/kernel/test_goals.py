"""Claims that the kernel proves by generated scripts, and claims that it must not prove."""

from __future__ import annotations

import pytest
import sympy as sp

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.kernel.coqc import MISSING
from majorant.proofs.kernel.development import Compiled
from majorant.proofs.kernel.goals import kernel_prove

x, y = sp.symbols("x y", positive=True)
z = sp.Symbol("z", real=True)

TRUE = [
    (1 + z, "<=", sp.exp(z), ()),
    (x * y, "<=", (x**2 + y**2) / 2, ()),
    (2 * x / (2 + x), "<=", sp.log(1 + x), ()),
    (1 / (1 + x) - 1 / (2 + x), "=", 1 / ((1 + x) * (2 + x)), ()),
    (sp.sin(z), "<=", sp.Rational(9, 10), (sp.Ge(z, 0), sp.Le(z, 1))),
]
FALSE = [
    (sp.log(1 + x), "<=", sp.Rational(99, 100) * x, ()),
    (sp.log(z), "<=", z - 1, ()),  # not defined for z <= 0
]


@pytest.mark.slow
@pytest.mark.parametrize("claim", TRUE, ids=[str(c[0]) for c in TRUE])
def test_true_claims_are_proved(claim, development: Compiled) -> None:  # type: ignore[no-untyped-def]
    left, relation, right, given = claim
    result = kernel_prove(left, relation, right, given, budget=300)
    assert result.proved, result.reason
    assert result.script


@pytest.mark.slow
@pytest.mark.parametrize("claim", FALSE, ids=[str(c[0]) for c in FALSE])
def test_false_or_undefined_claims_are_not(claim, development: Compiled) -> None:  # type: ignore[no-untyped-def]
    left, relation, right, given = claim
    result = kernel_prove(left, relation, right, given, budget=40)
    assert result.status == "unknown"
    assert result.reason


@pytest.mark.slow
def test_hypotheses_of_claims_are_read(development: Compiled) -> None:
    from majorant.proofs.check import check_text

    verdict = check_text("x*(1-x) <= 1/4", ["x >= 0", "x <= 1"], budget_s=120, kernel=True)
    assert (verdict.status, verdict.by) == ("proved", "kernel")
    assert verdict.script


def test_unknown_relation() -> None:
    with pytest.raises(UnsupportedExpression, match="=<"):
        kernel_prove(x, "=<", y)


def test_monotonicity_is_not_for_the_kernel() -> None:
    assert "inequalities only" in kernel_prove(x**2, "increasing", x).reason


def test_without_coq(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert kernel_prove(x, "<=", x + 1).reason == MISSING
