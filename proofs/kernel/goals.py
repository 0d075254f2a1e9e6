"""Goals for the kernel from arbitrary claims: generated statements, a list of scripts to try."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sympy as sp

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.kernel.check import is_technical, run_text
from majorant.proofs.kernel.coqc import MISSING, find_coqc
from majorant.proofs.kernel.development import compile_development
from majorant.proofs.kernel.goal_scripts import Script, scripts_for
from majorant.proofs.kernel.result import KernelResult
from majorant.proofs.kernel.statement import KernelStatement

RELATIONS = {"<=": sp.Le, "<": sp.Lt, ">=": sp.Ge, ">": sp.Gt, "=": sp.Eq, "==": sp.Eq}
MONOTONE = ("increasing", "decreasing", "monotone")


def kernel_prove(
    lhs: sp.Expr,
    rel: str,
    rhs: sp.Expr,
    hypotheses: Sequence[Any] = (),
    variables: Iterable[sp.Symbol] = (),
    budget: float = 60.0,
) -> KernelResult:
    """Ask Coq for a proof of `lhs rel rhs` under `hypotheses`; `rel` is `<=`, `<`, `>=`, `>`, `=`.

    `variables` may name symbols that occur nowhere; all free symbols are real, with the signs that
    SymPy assumes of them as further hypotheses. Scripts are tried from cheap to dear: linear and
    nonlinear arithmetic, fields, signs, tangents of `exp` and `ln`, a sign of the derivative from
    a contact point, interval arithmetic. `proved` carries the script that Coq accepted; nothing is
    ever refuted here. Unused `variables` do not matter. A hypothesis is a SymPy relational, or an
    object with `left`, `relation`, `right` (`proofs.claims.Hypothesis`); that a variable is an
    integer is not used. Raises `UnsupportedExpression` for an unknown relation.
    """
    if rel in MONOTONE:
        return KernelResult("unknown", reason=f"{rel}: the kernel is asked for inequalities only")
    if rel not in RELATIONS:
        raise UnsupportedExpression(f"{rel!r}: expected one of {', '.join(RELATIONS)}")
    del variables  # quantifiers come from the expressions
    conclusion = RELATIONS[rel](lhs, rhs, evaluate=False)
    given = tuple(r for r in map(_relational, hypotheses) if r is not None)
    return prove_statement(KernelStatement("goal", conclusion, given), budget)


def _relational(hypothesis: Any) -> sp.Basic | None:
    """A hypothesis as a SymPy relational; None for what is left out (a weaker hypothesis)."""
    if isinstance(hypothesis, sp.Basic):
        return hypothesis
    if hypothesis.relation == "integer":
        return None
    relation = {**RELATIONS, "!=": sp.Ne}[hypothesis.relation]
    return relation(hypothesis.left, hypothesis.right, evaluate=False)


def prove_statement(statement: KernelStatement, budget: float = 60.0) -> KernelResult:
    """`kernel_prove` for a statement; its `theorem` is not used."""
    if find_coqc() is None:
        return KernelResult("unknown", reason=MISSING)
    compile_development()  # once for each user; not a part of the budget of a claim
    start = time.monotonic()
    reason = "no script closes the goal"
    text = ""
    tried: list[str] = []
    try:
        attempts: Iterator[Script] = scripts_for(statement)
        for script in attempts:
            left = budget - (time.monotonic() - start)
            if left <= 0.5:
                reason = f"coqc: time budget of {budget:.0f} s spent"
                break
            text = goal_file(statement, script)
            result = run_text(text, script.text, left, processor=script.seconds)
            if result is None:
                continue
            if result.proved and script.name == "defined":
                continue
            if result.proved:
                return result
            if is_technical(result) and "time budget" not in result.reason:
                return result
            if script.name == "defined":
                reason = f"cannot show that every term is defined: {result.reason}"
                break
            tried.append(f"{script.name}: {result.reason}")
            reason = f"no script closes the goal ({'; '.join(tried)})"
    except UnsupportedExpression as error:
        return KernelResult("unknown", reason=f"cannot be printed: {error}")
    return KernelResult(
        "unknown", seconds=time.monotonic() - start, reason=f"coq: {reason}", text=text
    )


def goal_file(statement: KernelStatement, script: Script) -> str:
    """The file that Coq compiles for one attempt."""
    interval = "From Interval Require Import Tactic.\n" if script.interval else ""
    parts = [
        "(* Printed by majorant from a claim. *)\n"
        "From Coq Require Import Reals List Lra Lia Psatz.\n"
        "From Coquelicot Require Import Coquelicot.\n"
        "From Majorant Require Import Definitions Sums Powers Calculus Rearrange.\n"
        f"{interval}Open Scope R_scope.\n"
    ]
    name = statement.identifier
    for number, condition in enumerate(statement.printed_conditions(), 1):
        parts.append(f"Theorem {name}_defined{number} : {condition}.\nProof. is_defined. Qed.\n")
    if script.name != "defined":
        parts.append(f"Theorem {name} : {statement.printed()}.\nProof. {script.text} Qed.\n")
        parts.append(f"Print Assumptions {name}.\n")
    return "\n".join(parts)
