"""`majorant verify`: the proof obligations of the shipped lemmas, and the ledger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from majorant.cli.destination import require_folder
from majorant.cli.options import Json
from majorant.cli.output import Bar, emit_json, emit_table, emit_text
from majorant.cli.run import UNDECIDED, verb
from majorant.derivation.errors import UnusableInput

if TYPE_CHECKING:
    from majorant.proofs.ledger.verify import Ledger


@verb
def verify(
    ids: Annotated[list[str] | None, typer.Argument(
        help="Lemma or obligation ids; all without any. What they use is included.")] = None,
    kernel: Annotated[bool, typer.Option(
        "--kernel", help="Only the obligations that Coq's kernel proves, by Coq alone.")] = False,
    budget: Annotated[float, typer.Option(
        help="Seconds per obligation.", min=0.1, max=3600)] = 20.0,
    docs: Annotated[Path | None, typer.Option(
        help="Write theorem-map.md and claims.md into this folder (all lemmas only).")] = None,
    json_: Json = False,
) -> int:
    """Discharge the proof obligations of the shipped lemmas and print the ledger.

    Exit codes: 0 all proved, 1 some refuted, 3 some undecided (or --kernel without Coq).

    Example: majorant verify U3 C8 --kernel
    """
    from majorant.proofs.ledger import verify as run

    if docs is not None:
        require_folder(docs, "--docs")
        if ids or kernel:
            raise UnusableInput("--docs describes all lemmas: leave out the ids and --kernel")
    with Bar("verify", quiet=json_) as bar:
        ledger = run(list(ids or []), kernel=kernel, budget=budget, progress=bar.update)
    code = ledger.exit_code
    if docs is not None:
        write_docs(docs, ledger)
    if kernel and not ledger.obligations:
        code = UNDECIDED
    if json_:
        emit_json(ledger.to_json())
        return code
    counts = {s: ledger.count(s) for s in ("proved", "refuted", "unknown")}
    emit_text(f"{counts['proved']} obligations proved, {counts['refuted']} refuted, "
              f"{counts['unknown']} undecided.", "")
    emit_table("", ["id", "status", "kind", "prover", "s", "statement"],
               [[o.id, o.status, o.kind, o.by, f"{o.seconds:.1f}", o.statement[:48]]
                for o in ledger.obligations])
    for o in ledger.obligations:
        if o.status != "proved":
            emit_text(f"{o.id}: {o.status}. {o.reason}", f"  {o.statement}")
    return code


def write_docs(folder: Path, ledger: Ledger) -> None:
    """Write the generated pages."""
    from majorant.proofs.ledger.pages import write_pages
    from majorant.proofs.ledger.shipped import shipped_lemmas

    write_pages(folder, shipped_lemmas(), ledger.obligations)
