"""Claims built from SymPy, and claim files."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy

from majorant.derivation.errors import UnsupportedExpression, UnusableInput
from majorant.proofs.claims import Claim, Verdict, read_claims


def test_assumptions_of_symbols_become_hypotheses() -> None:
    n = sympy.Symbol("n", integer=True, positive=True)
    t = sympy.Symbol("t", nonnegative=True)
    claim = Claim(n * t, ">=", sympy.Integer(0))
    assert {str(h) for h in claim.hypotheses} == {"n > 0", "integer(n)", "t >= 0"}
    assert all(v.is_real and not v.is_positive for v in claim.variables)


def test_two_symbols_of_one_name_are_refused() -> None:
    first, second = sympy.Symbol("x", real=True), sympy.Symbol("x", positive=True)
    with pytest.raises(UnsupportedExpression, match="same name"):
        Claim(first, "<=", second)


def test_floats_are_refused() -> None:
    x = sympy.Symbol("x", real=True)
    with pytest.raises(UnsupportedExpression, match=r"floating-point number 0\.1"):
        Claim(x, "<=", 0.1 * x)


def test_unknown_relations_are_refused() -> None:
    with pytest.raises(UnsupportedExpression, match="expected one of"):
        Claim(sympy.Integer(1), "~", sympy.Integer(2))


def test_sympy_relationals_are_hypotheses() -> None:
    x = sympy.Symbol("x", real=True)
    claim = Claim(x, "<=", sympy.Integer(1), (x < 1, sympy.Ge(x, 0)))
    assert [str(h) for h in claim.hypotheses] == ["x < 1", "x >= 0"]


def test_verdicts_cannot_be_empty() -> None:
    with pytest.raises(AssertionError):
        Verdict("proved")
    with pytest.raises(AssertionError):
        Verdict("refuted")
    with pytest.raises(AssertionError):
        Verdict("true")


def test_claim_files(tmp_path: Path) -> None:
    file = tmp_path / "claims.toml"
    file.write_text('[[claim]]\nclaim = "x <= 1"\ngiven = "x < 0"\n', encoding="utf-8")
    assert read_claims(file) == [{"claim": "x <= 1", "given": ["x < 0"]}]
    for text, message in [
        ("x = ", "not a TOML file"),
        ("a = 1", r"expected \[\[claim\]\] tables"),
        ("[[claim]]\ngiven = 'x'", "claim 1: expected a key `claim`"),
        ("[[claim]]\nclaim = 'x<1'\ngiven = 3", "`given` must be text"),
    ]:
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UnusableInput, match=message):
            read_claims(file)
    with pytest.raises(UnusableInput, match="cannot be read"):
        read_claims(tmp_path / "missing.toml")
