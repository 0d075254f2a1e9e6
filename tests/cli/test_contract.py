"""The contract: keys of --json, exit codes, one object on stdout, no traceback for users."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from command_lines import run, run_json

from majorant.cli.app import VERBS


def assert_finite(value: Any) -> None:
    """No float in the tree is infinite or NaN."""
    if isinstance(value, dict):
        for item in value.values():
            assert_finite(item)
    elif isinstance(value, list):
        for item in value:
            assert_finite(item)
    elif isinstance(value, float):
        assert math.isfinite(value)


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_help_with_an_example(verb: str) -> None:
    code, out, _ = run(verb, "--help")
    assert code == 0
    assert f"Example: majorant {verb}" in out
    assert "--json" in out


def test_symbols() -> None:
    rows = run_json("symbols")["symbols"]
    assert {"name", "domain", "unit", "meaning", "latex"} <= rows[0].keys()
    assert len(rows) > 80


def test_derive_list_and_formats() -> None:
    names = {row["name"] for row in run_json("derive", "--list")["results"]}
    assert {"occam", "envelope", "schatten", "published", "norm", "parameter-count"} <= names
    found = run_json("derive", "occam")
    assert {"name", "latex", "symbols", "hypotheses", "ledger", "monotonicity"} <= found.keys()
    assert found["ledger"], "a bound stands on something"


def test_derived_python_is_a_standalone_function() -> None:
    code, out, _ = run("derive", "C3", "--format", "python")
    assert code == 0
    scope: dict[str, Any] = {}
    exec(compile(out, "derived", "exec"), scope)  # our own output, the point of the test
    (function,) = [x for name, x in scope.items() if callable(x) and not name.startswith("_")]
    value = function(**{name: {"k": 2, "N1": 3, "N2": 4, "C": 1.0, "eps": 0.5, "tau": 0.1}[name]
                        for name in function.__code__.co_varnames[: function.__code__.co_argcount]})
    assert value == pytest.approx(2 * 7 * math.log(1 + 4 / 0.4))


@pytest.mark.parametrize("family", ["normalized", "faithful"])
def test_derive_prints_a_block_in_closed_form(family: str) -> None:
    rows = run_json("derive", "occam", "--block", family)["block"]
    assert rows[0]["name"] == "Lip"
    assert any("QK" in row["name"] for row in rows)


@pytest.mark.parametrize("family", ["normalized", "faithful"])
def test_a_derived_block_is_a_python_module(family: str) -> None:
    code, out, _ = run("derive", "occam", "--block", family, "--format", "python")
    assert code == 0
    scope: dict[str, Any] = {}
    exec(compile(out, "derived", "exec"), scope)  # our own output, the point of the test
    assert callable(scope["occam"])
    assert scope[f"{family}_kappa_block0_M_out"].__doc__ == "kappa[block0.M_out] of one block."
    if family == "faithful":
        assert scope["faithful_kappa_block0_norm2_gain"](9.0) == 3.0
        assert callable(scope["gated_Lip"])


@pytest.mark.parametrize("family", ["normalized", "faithful"])
def test_a_derived_block_is_pure_latex(family: str) -> None:
    code, out, _ = run("derive", "occam", "--block", family, "--format", "latex")
    assert code == 0
    for line in filter(None, out.splitlines()):
        assert line.startswith(("% ", r"\[ ")), line
        assert line.startswith("%") or line.endswith(r" \]"), line
        assert line.count("{") == line.count("}"), line


def test_what_cannot_be_computed_is_marked_and_says_so() -> None:
    rows = run_json("derive", "--list")["results"]
    opaque = [row["name"] for row in rows if not row["computable"]]
    assert 0 < len(opaque) < len(rows) / 10
    for row in rows:
        code, out, err = run("derive", row["name"], "--format", "python")
        assert code == (0 if row["computable"] else 2)
        assert row["computable"] or ("nothing to compute" in err and row["name"] in err)
        if row["computable"]:
            compile(out, row["name"], "exec")


def test_unknown_result_suggests_names() -> None:
    code, _, err = run("derive", "ocam")
    assert code == 2
    assert "occam" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(("claim", "given", "code", "status"), [
    ("log(1+x) <= x", "x > -1", 0, "proved"),
    ("log(1+x) <= 0.99*x", "x > -1", 1, "refuted"),
    ("log(x) <= x", "", 3, "unknown"),
])
def test_check_exit_codes(claim: str, given: str, code: int, status: str) -> None:
    args = ["check", claim] + (["--given", given] if given else [])
    found = run_json(*args, code=code)
    assert found["status"] == status
    assert {"status", "by", "witness", "seconds"} <= found.keys()
    assert (found["witness"] is not None) == (status == "refuted")


@pytest.mark.parametrize("claim", ["x/0 = 1", "log(1+x) <= x", "0 <= x^2 <= 1"])
def test_check_repeats_the_claim_as_it_was_written(claim: str) -> None:
    _, out, _ = run("check", claim, "--budget", "1", "--json")
    assert json.loads(out)["claim"] == claim


def test_check_syntax_error_points_at_the_character() -> None:
    code, _, err = run("check", "log(1+x <= x")
    assert code == 2
    assert "^" in err
    assert "Traceback" not in err


def test_check_a_file_of_claims(tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text('[[claim]]\nclaim = "x^2 >= 0"\n\n[[claim]]\nclaim = "x^2 >= 1"\n')
    found = run_json("check", str(path), code=1)
    assert (found["proved"], found["refuted"], found["unknown"]) == (1, 1, 0)


def test_verify_one_lemma() -> None:
    found = run_json("verify", "U1")
    assert {"obligations", "proved", "refuted", "unknown"} <= found.keys()
    assert {"id", "status", "by", "kind"} <= found["obligations"][0].keys()


def test_verify_kernel_without_coq_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = run_json("verify", "D1", "--kernel", code=3)
    assert found["refuted"] == 0
    assert found["unknown"] > 0


def test_spectra_then_evaluate_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "demo.parquet"
    found = run_json("spectra", "demo", "-o", str(path))
    assert {"matrices", "skipped", "seconds"} <= found.keys()
    assert found["matrices"] == 156
    compared = run_json("compare", str(path))
    assert compared["rows"][0]["B_spectrum"] == pytest.approx(20573.029732297553, rel=1e-9)


@pytest.mark.slow
def test_evaluate_the_demo() -> None:
    found = run_json("evaluate", "demo", "--block", "normalized", "--bound", "occam")
    assert_finite(found)
    assert found["proxies"]["B_spectrum"] == pytest.approx(20573.029732297553, rel=1e-9)
    assert found["proxies"]["grid_m"] == 12
    assert {"published", "schatten", "envelope"} <= found["factors"].keys()
    assert found["matrices"] == 156
    occam = found["bounds"]["occam"]
    assert {"value", "lower", "upper", "log10", "n_star"} <= occam.keys()
    assert 10**8 < occam["n_star"] < 10**9
    assert found["assumptions"]


@pytest.mark.slow
def test_certify_then_recheck_then_tamper(tmp_path: Path) -> None:
    path = tmp_path / "cert.json"
    wrote = run_json("certify", "demo", "-o", str(path), "-n", "2000000000",
                     "--block", "normalized")
    again = run_json("recheck", str(path))
    assert again["status"] == "accepted"
    assert again["upper"] == wrote["upper"]
    data = json.loads(path.read_text())
    data["inputs"]["n"] *= 10
    path.write_text(json.dumps(data))
    assert run_json("recheck", str(path), code=1)["status"] == "refused"


@pytest.mark.parametrize("args", [
    ("evaluate", "demo", "-n", "0"),
    ("evaluate", "demo", "--delta", "1.5"),
    ("evaluate", "demo", "-n", "10", "--margin-error", "2", "--margin", "1"),
    ("evaluate", "no/such/folder"),
    ("recheck", "no-such-file.json"),
    ("spectra", "demo", "-o", "spectra.csv"),
    ("pathwise", "--chain", "rho=2,diameter=1,dim=1", "-n", "10", "--block", ""),
    ("pathwise", "--chain", "rho=0.5,diameter=1,dim=2", "-n", "10"),
    ("pathwise", "--chain", "rho=0.5,diameter=1,dim=2", "-n", "10", "-t", "9", "--block", ""),
    ("pathwise", "--chain", "rho=0.5,diameter=1,dim=2", "-n", "10", "--block", "activation=relu"),
    ("pathwise", "--chain", "rho=0.5,diameter=1,dim=2", "-n", "10", "--block", "",
     "--trajectory", "no-such-file.npy"),
    ("derivatives", "--activation", "relu", "--order", "2"),
    ("derivatives", "--compare", "gelu,sine"),
    ("derivatives", "--compare", "gelu", "--activation", "silu"),
    ("experiment", "nothing"),
    ("nonsense",),
])
def test_unusable_input_is_exit_code_2_without_a_traceback(args: tuple[str, ...]) -> None:
    code, out, err = run(*args)
    assert code == 2, out + err
    assert "Traceback" not in err


def test_derivatives_of_an_activation() -> None:
    rows = run_json("derivatives", "--activation", "gelu", "--order", "8")["orders"]
    assert [row["k"] for row in rows] == list(range(1, 9))
    assert rows[0]["lower"] <= 1.1289041451851547 <= rows[0]["upper"]
    assert rows[1]["upper"] == pytest.approx(math.sqrt(2 / math.pi), rel=1e-12)


def test_derivatives_side_by_side_with_formulas_and_powers(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = run_json("derivatives", "--compare", "gelu,relu", "--order", "2", "--closed-form",
                     "--exponents", "--plot", str(tmp_path))
    assert [row["k"] for row in found["orders"]] == [1, 2]
    assert [len(row["orders"]) for row in found["comparison"]] == [2, 1]
    assert {row["k"] for row in found["closed_form"]} == {1, 2, 3}
    assert {row["quantity"] for row in found["exponents"]["post"]} >= {"heads H", "width N"}
    assert (tmp_path / "derivatives.png").stat().st_size > 1000


def test_pathwise() -> None:
    found = run_json("pathwise", "--chain", "rho=0.5,diameter=1,dim=2", "-n", "100000",
                     "-t", "100010", "--block", "norm=0.5")
    assert {"total", "terms"} <= found.keys()
    assert found["total"] < 0.1
    assert found["route"] in ("P3", "P5")
    assert {row["id"] for row in found["ledger"]} >= {"P1", "P2"}


@pytest.mark.slow
def test_report_is_one_page_that_fetches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "demo.html"
    run_json("report", "demo", "-o", str(path), "--block", "normalized")
    text = path.read_text()
    assert "<math" in text
    assert not re.search(r'(?:src|href)="(?!data:)', text)


def test_an_unexpected_error_is_exit_code_70(monkeypatch: pytest.MonkeyPatch) -> None:
    from majorant.derivation import symbols

    def fail() -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(symbols, "symbol_catalogue", fail)
    code, _, err = run("symbols")
    assert code == 70
    assert "planted" in err
