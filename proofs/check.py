"""The logic of `majorant check`: claims from text or from a TOML file, one verdict each."""

from __future__ import annotations

import importlib
import time
from pathlib import Path

from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.parser import parse_claim
from majorant.proofs.claims.toml_claims import read_claims
from majorant.proofs.claims.verdict import Verdict
from majorant.proofs.provers.portfolio import decide


def check_text(
    claim: str, given: str | list[str] = "", budget_s: float = 10.0, kernel: bool = False
) -> Verdict:
    """Decide a claim given as text.

    `given` is a comma-separated list of hypotheses or a list of texts. With `kernel`, a claim
    that was not refuted is also sent to Coq and the script is returned; without Coq, or if Coq
    does not prove it, the verdict is `unknown` and says so.

    Raises `ClaimSyntaxError`, which points at the character.

    >>> check_text("1 - x <= exp(-x)").status
    'proved'
    >>> check_text("x/x = 1").reason
    'x/x is undefined somewhere: add a hypothesis that gives x != 0'
    """
    parsed = parse_claim(claim, given)
    verdict = decide(parsed, budget_s)
    return with_kernel(parsed, verdict, budget_s) if kernel else verdict


def with_kernel(claim: Claim, verdict: Verdict, budget_s: float) -> Verdict:
    """The verdict of Coq on a claim that was not refuted and that is defined."""
    if verdict.status == "refuted" or verdict.by in ("vacuity", "definedness"):
        return verdict
    started = time.monotonic()
    try:
        kernel = importlib.import_module("majorant.proofs.kernel")
    except ImportError:
        return Verdict(
            "unknown",
            by="kernel",
            seconds=verdict.seconds,
            reason="the Coq part of the package is not installed",
            claim=verdict.claim,
            notes=(f"without the kernel: {verdict.status} by {verdict.by or 'nobody'}",),
        )
    result = kernel.kernel_prove(
        claim.lhs,
        claim.relation,
        claim.rhs,
        tuple(claim.hypotheses),
        claim.variables,
        budget_s,
    )
    seconds = verdict.seconds + time.monotonic() - started
    if result.status == "proved":
        return Verdict(
            "proved",
            by="kernel",
            seconds=seconds,
            certificate=("proved in Coq by the script", *verdict.certificate),
            claim=verdict.claim,
            script=result.script,
        )
    return Verdict(
        "unknown",
        by="kernel",
        seconds=seconds,
        reason=result.reason or "Coq did not prove it",
        claim=verdict.claim,
        script=result.script or "",
        notes=(f"without the kernel: {verdict.status} by {verdict.by or 'nobody'}",),
    )


def check_file(path: str | Path, budget_s: float = 10.0, kernel: bool = False) -> list[Verdict]:
    """Decide all `[[claim]]` tables of a TOML file (keys `claim`, `given`), in order.

    Raises `UnusableInput` for an unreadable file and `ClaimSyntaxError` for a faulty claim.
    """
    return [
        check_text(table["claim"], table["given"], budget_s, kernel)
        for table in read_claims(path)
    ]
