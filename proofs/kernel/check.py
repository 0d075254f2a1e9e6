"""Checking a printed statement: the formula that is evaluated is the formula that was proved."""

from __future__ import annotations

import json
import re
import tempfile
import time
from pathlib import Path

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.kernel.assumptions import classify, parse_assumptions
from majorant.proofs.kernel.cache import cache_root, digest
from majorant.proofs.kernel.coqc import MISSING, Run, compile_file, find_coqc, first_error
from majorant.proofs.kernel.development import Compiled, compile_development, development_key
from majorant.proofs.kernel.result import KernelResult
from majorant.proofs.kernel.statement import KernelStatement

HEADER = """(* Printed by majorant from its SymPy expressions. *)
From Coq Require Import Reals List Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Majorant Require Import Definitions Rearrange.
{requires}
Open Scope R_scope.
"""
REARRANGE_BUDGET = 40.0


def check_printed(statement: KernelStatement, budget: float = 120.0) -> KernelResult:
    """Compile `Theorem printed : <statement>. Proof. exact <theorem>. Qed.`

    If Coq does not see that both statements are convertible, the theorem is instantiated and the
    arithmetic around it rearranged by identities that the kernel checks (`rearranged`). `unknown`
    with the reason: Coq missing, time spent, the kernel refuses (as it does when a constant of the
    SymPy object was changed), an axiom that is not allowed.
    A statement without a theorem is left to generated scripts (`goals.prove_statement`).
    """
    if statement.scripted:
        from majorant.proofs.kernel.goals import prove_statement  # goals build on this module

        return prove_statement(statement, budget)
    script = closing_script(statement)
    try:
        text = proof_file(statement, script)
    except UnsupportedExpression as error:
        return KernelResult("unknown", reason=f"cannot be printed: {error}")
    result = run_text(text, script, budget, processor=REARRANGE_BUDGET)
    if result is None or result.proved or is_technical(result):
        return result or KernelResult("unknown", reason="not run")
    exact = f"exact {statement.theorem}."  # once more, for a message that shows both sides
    plain = run_text(proof_file(statement, exact), exact, budget) or result
    reason = f"the kernel refuses {statement.name}: {plain.reason}"
    return KernelResult("unknown", script, result.seconds, reason, text=text)


def is_technical(result: KernelResult) -> bool:
    """Whether the kernel was not asked at all, or had no time."""
    return result.reason.startswith("coqc")


def closing_script(statement: KernelStatement) -> str:
    """The proof of a printed statement: the theorem itself, or with terms rearranged around it."""
    return f"first [timeout 30 exact {statement.theorem} | rearranged {statement.theorem}]."


def proof_file(statement: KernelStatement, script: str) -> str:
    """The file that is compiled: the statement, its proof, and that its terms are defined."""
    parts = [HEADER.format(requires=f"From Majorant Require {statement.module}.")]
    name = statement.identifier
    for number, condition in enumerate(statement.printed_conditions(), 1):
        parts.append(
            f"Theorem {name}_defined{number} : {condition}.\nProof. is_defined. Qed.\n"
        )
    parts.append(f"Theorem {name} : {statement.printed()}.\nProof. {script} Qed.\n")
    parts.append(f"Print Assumptions {name}.\n")
    return "\n".join(parts)


def run_text(
    text: str,
    script: str,
    budget: float,
    *,
    processor: float | None = None,
    only_cached: bool = False,
) -> KernelResult | None:
    """Compile a printed file against the development; proofs are cached by content.

    `processor` limits the seconds of computing of this file. With `only_cached`, nothing is
    compiled and None means that nothing is known.
    """
    coqc = find_coqc()
    if coqc is None:
        return None if only_cached else KernelResult("unknown", reason=MISSING, text=text)
    entry = cache_root() / "kernel" / f"{digest([development_key(coqc), text])}.json"
    stored = _load(entry, text)
    if stored is not None or only_cached:
        return stored
    library = compile_development()
    missing = _missing(library, text)
    if missing:
        return KernelResult("unknown", reason=missing, text=text)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="majorant-kernel-") as folder:
        file = Path(folder) / "printed.v"
        file.write_text(text, encoding="utf-8")
        run = compile_file(coqc, file, library.folder, budget, processor)
    result = _judge(run, text, script, time.monotonic() - start, budget)
    if result.proved:  # a refusal may come from a tactic's own time limit on a busy machine
        _store(entry, result)
    return result


def _missing(library: Compiled, text: str) -> str:
    for module in re.findall(r"From Majorant Require (?:Import )?([\w ]+)\.", text):
        for name in module.split():
            if name not in library.modules:
                reason = library.failed.get(name, "no such module of the development")
                return f"coqc: module {name} of the development is not compiled: {reason}"
    return ""


def _judge(run: Run, text: str, script: str, seconds: float, budget: float) -> KernelResult:
    if run.timed_out:
        reason = f"coqc: time budget of {budget:.0f} s spent"
        return KernelResult("unknown", script, seconds, reason, text=text)
    if not run.accepted:
        return KernelResult("unknown", script, seconds, first_error(run.errors), text=text)
    names = parse_assumptions(run.output)
    kind, refused = classify(names)
    if refused:
        reason = f"rests on axioms that are not allowed: {', '.join(refused)}"
        return KernelResult("unknown", script, seconds, reason, names, kind, text)
    return KernelResult("proved", script, seconds, "", names, kind, text)


def _load(entry: Path, text: str) -> KernelResult | None:
    try:
        data = json.loads(entry.read_text(encoding="utf-8"))
        data["assumptions"] = tuple(data["assumptions"])
        if data["status"] != "proved":
            return None
        return KernelResult(**data, text=text, cached=True)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _store(entry: Path, result: KernelResult) -> None:
    entry.parent.mkdir(parents=True, exist_ok=True)
    data = {
        "status": result.status,
        "script": result.script,
        "seconds": round(result.seconds, 3),
        "reason": result.reason,
        "assumptions": list(result.assumptions),
        "kind": result.kind,
    }
    part = entry.with_suffix(f".{time.monotonic_ns()}.tmp")
    part.write_text(json.dumps(data), encoding="utf-8")
    part.replace(entry)
