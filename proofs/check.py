"""The logic of `majorant check`: claims from text or from a TOML file, one verdict each."""

from __future__ import annotations

import importlib
import time
from dataclasses import replace
from pathlib import Path

from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.parser import parse_claims
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

    The verdict repeats the claim in the user's own words; its links are as they were understood.
    A chain such as `0 <= f <= 1` is decided link by link within the one budget (seconds).

    Raises `ClaimSyntaxError`, which points at the character.

    >>> check_text("0 <= x*(1-x) <= 1/4", "x in [0, 1]").status
    'proved'
    >>> check_text("1 - x <= exp(-x)").status
    'proved'
    >>> check_text("x/x = 1").reason
    'x/x is undefined somewhere: add a hypothesis that gives x != 0'
    """
    links = parse_claims(claim, given)
    if len(links) == 1:
        return replace(_decided(links[0], budget_s, kernel), claim=" ".join(claim.split()))
    verdicts: list[Verdict] = []
    for number, link in enumerate(links):
        share = (budget_s - sum(v.seconds for v in verdicts)) / (len(links) - number)
        verdicts.append(_decided(link, max(share, 0.1), kernel))
        if verdicts[-1].status == "refuted":
            break
    return joined(verdicts, claim)


def _decided(claim: Claim, budget_s: float, kernel: bool) -> Verdict:
    verdict = decide(claim, budget_s)
    return with_kernel(claim, verdict, budget_s) if kernel else verdict


def joined(verdicts: list[Verdict], claim: str) -> Verdict:
    """The verdict on a chain: proved if all its links are, refuted if one is."""
    seconds = sum(v.seconds for v in verdicts)
    for status in ("refuted", "unknown"):
        for verdict in verdicts:
            if verdict.status == status:
                where = f"the link {verdict.claim}"
                reason = f"{where}: {verdict.reason}" if verdict.reason else where
                return replace(verdict, seconds=seconds, claim=claim, reason=reason)
    return Verdict(
        "proved",
        by=", ".join(dict.fromkeys(v.by for v in verdicts)),
        seconds=seconds,
        certificate=tuple(
            line for v in verdicts for line in (v.claim, *("  " + c for c in v.certificate))
        ),
        claim=claim,
        script="\n".join(v.script for v in verdicts if v.script),
    )


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
