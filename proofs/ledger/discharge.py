"""Discharging one obligation: by the kernel where a theorem is named, by the provers otherwise."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import sympy as sp

from majorant.derivation.errors import MajorantError
from majorant.derivation.lemma import Kind, Lemma, Obligation
from majorant.proofs.claims import Claim, Verdict
from majorant.proofs.kernel import KernelResult, KernelStatement

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


def kernel_statement(obligation: Obligation) -> KernelStatement:
    """The obligation as the kernel sees it: printed, closed by the theorem that it names."""
    return KernelStatement(obligation.id, obligation.statement, obligation.hypotheses,
                           obligation.coq or "")


def discharge(lemma: Lemma, obligation: Obligation, *, budget: float,
              kernel: KernelResult | None = None) -> Discharged:
    """What became of one obligation: the kernel's result where there is one, else the provers'.

    The kernel's word is final for an obligation that names a theorem; the provers are asked only
    where Coq was not.
    """
    started = time.monotonic()
    if kernel is not None:
        status, by, kind, reason = str(kernel.status), "coq", kernel.kind, kernel.reason
        seconds = kernel.seconds
    else:
        verdict = decide_claim(claim_of(obligation.statement, obligation.hypotheses), budget)
        status, by, kind, reason = verdict.status, verdict.by, reached(verdict), verdict.reason
        seconds = time.monotonic() - started
    return Discharged(
        obligation.id, lemma.id, status, by, kind if status == "proved" else "-",
        obligation.kind.value, seconds, str(obligation.statement), reason)


def decide_claim(claim: Claim, budget: float) -> Verdict:
    """The portfolio's verdict on a claim."""
    from majorant.proofs.provers.portfolio import decide

    return decide(claim, budget)


def reached(verdict: Verdict) -> str:
    """The kind of truth that a prover establishes: exact algebra or ball arithmetic."""
    return Kind.ALGEBRA.value if verdict.by in {"algebra", "exact", "sturm", "z3"} \
        else Kind.INTERVAL.value
