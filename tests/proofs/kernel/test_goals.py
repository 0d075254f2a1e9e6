"""Claims that the kernel proves by generated scripts, and claims that it must not prove."""

from __future__ import annotations

import json

import pytest
import sympy as sp

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.kernel.assumptions import classify
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
    (sp.sin(x), "<=", x, ()),
    (sp.cos(x), ">=", 1 - x**2 / 2, ()),
    (sp.exp(-x), "<=", 1 - x + x**2 / 2, ()),
    (x - 1, "<=", x * sp.log(x), ()),
    (z, "<=", sp.log(1 + sp.exp(z)), ()),
    (sp.log(x / y), "=", sp.log(x) - sp.log(y), ()),
    (sp.Max(z, y), ">=", (z + y) / 2, ()),
    (sp.Abs(z + y), "<=", sp.Abs(z) + y, ()),
    (sp.atan(x), "<=", x, ()),
    (4 / (x + y), "<=", 1 / x + 1 / y, ()),
    (sp.sqrt(x + y), "<=", sp.sqrt(x) + sp.sqrt(y), ()),
    (x**2 * sp.exp(-x), "<=", sp.Integer(1), ()),  # unbounded: intervals, then the derivative
]
FALSE = [
    (sp.log(1 + x), "<=", sp.Rational(99, 100) * x, ()),
    (sp.log(z), "<=", z - 1, ()),  # not defined for z <= 0
    (sp.exp(z), ">=", 1 + z + z**2 / 2, ()),  # false for z < 0
    (x**2 * sp.exp(-x), "<=", sp.Rational(54, 100), ()),  # 4/e^2 = 0.541...
    (sp.Abs(z + y), "<=", sp.Abs(z) + sp.Rational(99, 100) * y, ()),
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


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "given", "status", "by"), [
    ("0 <= x*(1-x) <= 1/4", "x in [0, 1]", "proved", "kernel"),
    ("sqrt(x)^2 = x", "", "unknown", "definedness"),
    ("x/x = 1", "", "unknown", "definedness"),
    ("log(1+x) <= 0.995*x", "x >= 0", "refuted", "falsifier"),
    ("x <= x + 1", "x > 1, x < 0", "unknown", "vacuity"),
    ("erf(x) <= 1", "x >= 0", "unknown", "kernel"),
])
def test_the_kernel_never_overrules_what_is_false_or_undefined(
    claim: str, given: str, status: str, by: str, development: Compiled
) -> None:
    from majorant.proofs.check import check_text

    verdict = check_text(claim, given or [], budget_s=60, kernel=True)
    assert (verdict.status, verdict.by) == (status, by)
    assert bool(verdict.script) == (status == "proved")
    if (status, by) == ("unknown", "kernel"):
        assert "no Coq form" in verdict.reason
        assert any("without the kernel: proved" in note for note in verdict.notes)


@pytest.mark.slow
def test_a_kernel_proof_rests_on_allowed_axioms(development: Compiled) -> None:
    result = kernel_prove(x * y, "<=", (x**2 + y**2) / 2)
    assert result.proved
    assert result.kind == "kernel"
    assert classify(result.assumptions) == ("kernel", ())
    assert result.script in result.text


def test_without_coq_check_is_undecided_with_the_reason(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    from typer.testing import CliRunner

    from majorant.cli.app import build

    monkeypatch.setenv("PATH", "")
    run = CliRunner().invoke(build(), ["check", "x <= x + 1", "--kernel", "--json"])
    assert run.exit_code == 3, run.output
    found = json.loads(run.stdout)
    assert found["status"] == "unknown"
    assert "coqc is not on PATH" in found["reason"]


def test_unknown_relation() -> None:
    with pytest.raises(UnsupportedExpression, match="=<"):
        kernel_prove(x, "=<", y)


def test_monotonicity_is_not_for_the_kernel() -> None:
    assert "inequalities only" in kernel_prove(x**2, "increasing", x).reason


def test_without_coq(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert kernel_prove(x, "<=", x + 1).reason == MISSING
