"""`majorant check`: decide an inequality that the user states, or a file of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from majorant.cli.options import Json
from majorant.cli.output import emit_json, emit_table, emit_text
from majorant.cli.run import DONE, NEGATIVE, UNDECIDED, verb

if TYPE_CHECKING:
    from majorant.proofs.claims.verdict import Verdict


def list_code(statuses: list[str]) -> int:
    """Exit code of a list: 1 if any is refuted, else 3 if any is undecided, else 0.

    >>> list_code(["proved", "unknown"]), list_code(["unknown", "refuted"]), list_code(["proved"])
    (3, 1, 0)
    """
    if "refuted" in statuses:
        return NEGATIVE
    return UNDECIDED if "unknown" in statuses else DONE


def _explain(verdict: Verdict) -> None:
    headline = {"proved": "Proved", "refuted": "Refuted", "unknown": "Undecided"}[verdict.status]
    by = f" by {verdict.by}" if verdict.by else ""
    emit_text(f"{headline}{by} in {verdict.seconds:.2f} s:  {verdict.claim}")
    if verdict.witness is not None:
        point = ", ".join(f"{name} = {value}" for name, value in verdict.witness.point.items())
        emit_text(f"  at {point or 'every point'}", f"  left  {verdict.witness.left}",
                  f"  right {verdict.witness.right}", f"  blame {verdict.witness.blame}")
    for line in verdict.certificate:
        emit_text(f"  {line}")
    if verdict.reason:
        emit_text(f"  {verdict.reason}")
    for note in verdict.notes:
        emit_text(f"  note: {note}")
    if verdict.script:
        emit_text("", verdict.script)


@verb
def check(
    claim: Annotated[str, typer.Argument(
        help="A claim such as \"log(1+x) <= x\", or a TOML file of claims.")],
    given: Annotated[list[str] | None, typer.Option(
        "--given", help="Hypotheses, separated by commas; may be repeated.")] = None,
    kernel: Annotated[bool, typer.Option(
        "--kernel", help="Ask for a Coq proof and print the script.")] = False,
    budget: Annotated[float, typer.Option(
        "--budget", help="Seconds per claim.", min=0.1, max=3600)] = 10.0,
    json_: Json = False,
) -> int:
    """Decide LHS <= RHS (or <, >=, >, =) under hypotheses: proved, refuted with a witness, unknown.

    Free symbols are real, decimal literals exact; chains (0 <= f <= 1) are decided link by link.
    The text is parsed by majorant's own parser; no Python is evaluated.

    Example: majorant check "log(1+x) <= x" --given "x > -1"
    """
    from majorant.proofs.check import check_file, check_text

    if claim.endswith(".toml"):
        verdicts = check_file(Path(claim), budget_s=budget, kernel=kernel)
        code = list_code([v.status for v in verdicts])
        counts = {s: sum(v.status == s for v in verdicts)
                  for s in ("proved", "refuted", "unknown")}
        if json_:
            emit_json({"claims": [v.to_json() for v in verdicts], **counts})
            return code
        emit_text(", ".join(f"{count} {status}" for status, count in counts.items()) + ".", "")
        emit_table("", ["status", "by", "seconds", "claim"],
                   [[v.status, v.by, f"{v.seconds:.2f}", v.claim] for v in verdicts])
        for verdict in verdicts:
            if verdict.status != "proved":
                _explain(verdict)
        return code
    verdict = check_text(claim, list(given or []), budget_s=budget, kernel=kernel)
    if json_:
        emit_json(verdict.to_json())
    else:
        _explain(verdict)
    return verdict.exit_code
