"""Discharging one obligation: by the kernel where a theorem is named, by the provers otherwise."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import sympy as sp

from majorant.derivation.errors import MajorantError
from majorant.derivation.lemma import Kind, Lemma, Obligation
from majorant.proofs.claims import Claim, Verdict
from majorant.proofs.kernel import KernelStatement, check_printed
from majorant.proofs.kernel.coqc import find_coqc

RELATIONS: dict[type[Any], str] = {
    sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "=",
}


@dataclass(frozen=True)
class Discharged:
    """What became of one obligation.

    `kind` is the kind of truth that was reached (`kernel`, `kernel (primitive arithmetic)`,
    `interval`, `algebra`), not the one hoped for; `wanted` is the lemma's.
    """

    id: str
    lemma: str
    status: str
    by: str
    kind: str
    wanted: str
    seconds: float
    statement: str
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """The object of `majorant verify --json`."""
        return {
            "id": self.id, "lemma": self.lemma, "status": self.status, "by": self.by,
            "kind": self.kind, "wanted": self.wanted, "seconds": round(self.seconds, 3),
            "statement": self.statement, "reason": self.reason or None,
        }


def claim_of(statement: sp.Basic, hypotheses: tuple[sp.Basic, ...]) -> Claim:
    """The claim of an obligation's relational. Raises `MajorantError` for anything else."""
    relation = RELATIONS.get(type(statement))
    if relation is None:
        raise MajorantError(f"{statement}: an obligation states <=, <, >=, > or =")
    left, right = statement.args
    return Claim(left, relation, right, hypotheses=hypotheses)


def discharge(lemma: Lemma, obligation: Obligation, *, kernel: bool, budget: float) -> Discharged:
    """Try to prove one obligation within `budget` seconds.

    A named theorem is printed and compiled where Coq is installed. With `kernel`, Coq's word is
    final; without it the provers are asked where Coq is missing, and the kind says so.
    """
    started = time.monotonic()
    by, reason = "", ""
    status: str
    kind = obligation.kind.value
    if obligation.coq is not None and (kernel or find_coqc() is not None):
        result = check_printed(
            KernelStatement(obligation.id, obligation.statement, obligation.hypotheses,
                            obligation.coq), budget)
        status, reason, by, kind = result.status, result.reason, "coq", result.kind
    else:
        verdict = decide_claim(claim_of(obligation.statement, obligation.hypotheses), budget)
        status, reason, by = verdict.status, verdict.reason, verdict.by
        kind = reached(verdict)
    return Discharged(
        obligation.id, lemma.id, status, by, kind if status == "proved" else "-",
        obligation.kind.value, time.monotonic() - started, str(obligation.statement), reason)


def decide_claim(claim: Claim, budget: float) -> Verdict:
    """The portfolio's verdict on a claim."""
    from majorant.proofs.provers.portfolio import decide

    return decide(claim, budget)


def reached(verdict: Verdict) -> str:
    """The kind of truth that a prover establishes: exact algebra or ball arithmetic."""
    return Kind.ALGEBRA.value if verdict.by in {"algebra", "exact", "sturm", "z3"} \
        else Kind.INTERVAL.value
