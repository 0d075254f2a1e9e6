"""The formula that is evaluated is the formula that was proved."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import pytest
import sympy as sp

from majorant.derivation.functions import Setting
from majorant.derivation.lemma import Obligation
from majorant.derivation.shipped import shipped_lemmas
from majorant.proofs.kernel import KernelStatement, check_all, check_printed
from majorant.proofs.kernel.check import HEADER
from majorant.proofs.kernel.coqc import MISSING, compile_file, find_coqc
from majorant.proofs.kernel.development import Compiled, sources


def obligations() -> list[Obligation]:
    """All obligations that name a theorem of the development."""
    return [o for lemma in shipped_lemmas() for o in lemma.obligations if o.coq and "." in o.coq]


def statement(obligation: Obligation) -> KernelStatement:
    """The printed form of an obligation."""
    return KernelStatement(
        obligation.id, obligation.statement, obligation.hypotheses, obligation.coq or ""
    )


def by_id(name: str) -> Obligation:
    """The obligation with this id."""
    return next(o for o in obligations() if o.id == name)


def test_there_are_obligations() -> None:
    assert len(obligations()) >= 35


def test_every_proposition_of_the_development_is_printed_by_a_lemma() -> None:
    stated = {
        line.split()[1] for name in ("Statements", "NetworkStatements")
        for line in sources()[name].splitlines()
        if line.startswith("Definition ")
    }
    printed = {(o.coq or "").partition(".")[2] for o in obligations()}
    assert stated == printed


@pytest.mark.slow
def test_the_kernel_accepts_every_printed_obligation(development: Compiled) -> None:
    results = check_all(statement(o) for o in obligations())
    refused = {name: result.reason for name, result in results.items() if not result.proved}
    assert refused == {}
    for name, result in results.items():
        primitive = name.startswith("L_phi")
        assert (result.kind == "kernel (primitive arithmetic)") == primitive, name
        assert f"exact {by_id(name).coq} " in result.script, name


CHANGED = [
    ("D2.minimum", lambda c: sp.Le(c.lhs * sp.Rational(101, 100), c.rhs)),
    ("A3.derivative", lambda c: sp.Le(c.lhs, c.rhs * sp.Rational(99, 100))),
    ("A1.4.laws", lambda c: sp.Le(c.lhs, sp.Rational(199, 100))),
    ("G3.tree", lambda c: c.subs(sp.sqrt(2), sp.Rational(7, 5))),
    ("U4.kraft", lambda c: sp.Le(c.lhs, c.rhs * sp.Rational(99, 100))),
    ("U3.telescopes", lambda c: sp.Eq(c.lhs, c.rhs.subs(2, 3), evaluate=False)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "change"), CHANGED, ids=[name for name, _ in CHANGED])
def test_a_changed_constant_is_refused(name: str, change, development: Compiled) -> None:  # type: ignore[no-untyped-def]
    original = by_id(name)
    changed = change(original.statement)
    assert changed != original.statement
    result = check_printed(statement(dataclasses.replace(original, statement=changed)))
    assert result.status == "unknown"
    assert "refuses" in result.reason


SETTINGS = {o.coq or "": o for o in obligations()  # one for each theorem
            if any(isinstance(h, Setting) for h in o.hypotheses)}
CLOSED_IN = 2  # seconds; the true statements need less than half of one


@pytest.mark.slow
@pytest.mark.parametrize("module", ["Heads", "Layers", "Majorants", "Staircases"])
def test_no_setting_proves_a_smaller_constant(module: str, development: Compiled) -> None:
    """Each bound in a setting, one per cent smaller: the step of the proof must fail."""
    texts = [HEADER.format(requires=f"From Majorant Require {module}.")]
    changed = {name: o for name, o in SETTINGS.items() if name.startswith(f"{module}.")}
    for theorem, obligation in changed.items():
        claim = obligation.statement
        smaller = sp.Le(claim.lhs, sp.Rational(99, 100) * claim.rhs, evaluate=False)
        goal = statement(dataclasses.replace(obligation, statement=smaller)).printed()
        texts.append(f"Goal {goal}.\nProof. Fail solve [timeout {CLOSED_IN} rearranged {theorem}]."
                     " Abort.\n")
    coqc = find_coqc()
    assert coqc is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "smaller.v"
        file.write_text("\n".join(texts), encoding="utf-8")
        run = compile_file(coqc, file, development.folder, 600)
    assert run.accepted, run.errors  # each `Fail` failed


def test_without_coq_the_answer_is_unknown_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    result = check_printed(statement(by_id("D1.identity")))
    assert result.status == "unknown"
    assert result.reason == MISSING


@pytest.mark.slow
def test_answers_are_cached_by_content(development: Compiled) -> None:
    first = check_printed(statement(by_id("U1.weights_sum_to_one")))
    second = check_printed(statement(by_id("U1.weights_sum_to_one")))
    assert first.proved
    assert second.cached
    assert second.text == first.text
