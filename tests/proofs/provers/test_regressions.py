"""Reports about neighbouring deciders, each as a claim with the verdict that is right."""

from __future__ import annotations

import time

import pytest
import sympy

from majorant.proofs.check import check_file, check_text, with_kernel
from majorant.proofs.claims import Claim, Verdict, parse_claim
from majorant.proofs.provers.portfolio import _merged, decide, prove_claim, refute_claim
from majorant.proofs.provers.witness import confirm

BUDGET = 30.0
x = sympy.Symbol("x", real=True)


def status(claim: str, given: str = "") -> str:
    return check_text(claim, given, BUDGET).status


def test_sympy_28571_x_cubed_is_increasing() -> None:
    assert status("x^3 is increasing in x") == "proved"
    assert status("x^3 is monotone in x") == "proved"


def test_sympy_28578_tan_is_not_defined_on_all_of_the_interval() -> None:
    verdict = check_text("tan(x) is increasing in x", "0 <= x <= 5", BUDGET)
    assert verdict.status == "unknown"
    assert "cos(x) != 0" in verdict.reason
    assert status("tan(x) is increasing in x", "-1 <= x <= 1") == "proved"


def test_sympy_29096_what_is_not_known_is_unknown() -> None:
    # True, whatever the sign of y: x - 1 < floor(x) <= x.
    assert status("floor(x*y) <= floor(x)*y + abs(y)", "x > 0") in ("proved", "unknown")
    assert status("floor(x*y) <= floor(x)*y", "x > 0") in ("refuted", "unknown")
    verdict = check_text("x^y + y^x > 1", "x > 0, y > 0", 1.0)  # true, and hard
    assert verdict.status == "proved" or (verdict.status == "unknown" and verdict.reason)


@pytest.mark.parametrize(
    ("claim", "given", "hypothesis"),
    [
        ("1/(x-x) = 1/(x-x)", "", "undefined"),
        ("x/x = 1", "", "x != 0"),
        ("0*log(x) = 0", "", "x > 0"),
        ("log(x) <= x - 1", "", "x > 0"),
        ("sqrt(x)^2 = x", "", "x >= 0"),
        ("p*log(p) <= 0", "0 <= p <= 1", "p > 0"),
        ("1/(1-x) >= 1 + x", "x <= 1", "1 - x != 0"),
        ("asin(x) <= 2", "x <= 1", "-1 <= x <= 1"),
    ],
)
def test_estimates_43_undefined_terms_prove_nothing(
    claim: str, given: str, hypothesis: str
) -> None:
    verdict = check_text(claim, given, BUDGET)
    assert verdict.status == "unknown"
    assert hypothesis in verdict.reason


@pytest.mark.parametrize(
    ("given", "reason"),
    [("x > 1, x < 0", "cannot hold"), ("x^2 < 0", "cannot hold"), ("x > x", "cannot hold")],
)
def test_vacuous_hypotheses_are_named_and_prove_nothing(given: str, reason: str) -> None:
    verdict = check_text("x = x + 1", given, BUDGET)
    assert verdict.status == "unknown"
    assert reason in verdict.reason


def test_decimal_literals_are_what_was_written() -> None:
    assert status("0.1 + 0.2 = 0.3") == "proved"
    assert status("0.1 + 0.2 = 0.30000000000000004") == "refuted"
    assert status("x*exp(-x) <= 0.36787944117144232159552377016147", "x > 0") == "proved"
    assert status("x*exp(-x) <= 0.36787944117144232159552377016146", "x > 0") == "refuted"


def test_strict_claims_fail_at_points_of_equality() -> None:
    verdict = check_text("log(1+x) < x", "x >= 0", BUDGET)
    assert verdict.status == "refuted"
    assert verdict.witness is not None and verdict.witness.point == {"x": "0"}
    assert status("log(1+x) < x", "x > 0") == "proved"


def test_cvxpy_1779_a_witness_says_where_and_which_part_fails() -> None:
    claim = parse_claim("exp(3*x + y) + y <= exp(3*x + y^2) + y", "y >= 0")
    witness = confirm(claim, {v: sympy.Rational(1, 2) for v in claim.variables})
    assert witness is not None
    assert witness.blame in ("y <= y**2", "3*x + y <= 3*x + y**2")
    assert witness.point == {"x": "1/2", "y": "1/2"}


def test_witnesses_are_confirmed_points_of_the_domain() -> None:
    claim = parse_claim("x <= 1", "x < 1")
    assert confirm(claim, {claim.variables[0]: sympy.Integer(2)}) is None


def test_integer_variables() -> None:
    assert status("n^2 >= n", "integer(n)") != "refuted"
    assert status("n^2 >= n", "") == "refuted"
    assert status("2*n >= n + 1", "integer(n), n > 0") == "proved"


def test_equalities_among_hypotheses_are_used() -> None:
    assert status("x*y <= 1/4", "x + y = 1") == "proved"
    assert status("x*y <= 0.249", "x + y = 1") == "refuted"


def test_a_disagreement_is_never_hidden() -> None:
    proved = Verdict("proved", certificate=("?",))
    witness = confirm(Claim(x, "<=", sympy.Integer(0)), {x: sympy.Integer(1)})
    assert witness is not None
    with pytest.raises(AssertionError, match="disagree"):
        _merged(proved, Verdict("refuted", witness=witness))


def test_time_outs_are_unknown_and_kept() -> None:
    started = time.monotonic()
    hard = "(x*y)^z + y^x + z^(x*y) <= x^(y+z) + exp(x*y*z) + 1"
    verdict = check_text(hard, "x > 0, y > 0, z > 0", 1.0)
    assert verdict.status in ("unknown", "refuted")
    assert time.monotonic() - started < 12


def test_both_halves_work_without_processes() -> None:
    claim = parse_claim("1 - x <= exp(-x)")
    assert decide(claim, BUDGET, parallel=False).status == "proved"
    false = parse_claim("1 + x <= exp(-x)")
    assert decide(false, BUDGET, parallel=False).status == "refuted"
    assert prove_claim(false, time.monotonic() + 5).status != "proved"
    assert refute_claim(claim, time.monotonic() + 0.3).status == "unknown"


def test_kernel_requests_never_upgrade_a_refutation() -> None:
    claim = parse_claim("x <= 1")
    refuted = decide(claim, BUDGET)
    assert refuted.status == "refuted"
    assert with_kernel(claim, refuted, 1.0) is refuted


def test_claim_files_are_decided_in_order(tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    file = tmp_path / "list.toml"
    file.write_text('[[claim]]\nclaim = "x^2 >= 0"\n[[claim]]\nclaim = "x >= 0"\n')
    assert [v.status for v in check_file(file, BUDGET)] == ["proved", "refuted"]


def test_verdicts_are_json() -> None:
    shown = check_text("x <= 0", "", BUDGET).to_json()
    assert {"status", "by", "witness", "seconds"} <= set(shown)


def test_a_chain_is_proved_if_every_link_is_and_refuted_if_one_is() -> None:
    assert status("0 <= x*(1-x) <= 1/4", "x in [0, 1]") == "proved"
    verdict = check_text("0 <= x*(1-x) < 1/4", "x in (0, 1)", BUDGET)
    assert verdict.status == "refuted"
    assert "x*(1 - x) < 1/4" in verdict.reason
    assert status("1/x <= 2 <= 3", "x in [0, 1]") == "unknown"
