"""`majorant derivatives`: bounds on derivatives of every order."""

from __future__ import annotations

from typing import Annotated

import typer

from majorant.cli.output import Bar, emit_json, emit_table, emit_text, power_of_ten
from majorant.cli.run import verb


@verb
def derivatives(
    checkpoint: Annotated[str | None, typer.Argument(
        help="Folder, file, hub id, or demo; leave out for an activation alone.")] = None,
    activation: Annotated[str | None, typer.Option(
        help="gelu, gelu_tanh, silu, tanh, sigmoid, softplus, quick_gelu, relu.")] = None,
    order: Annotated[int, typer.Option(help="Highest order.", min=1)] = 4,
    radius: Annotated[float | None, typer.Option(
        help="Norm bound of the rows that enter the first block.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Bounds D_1..D_S of an activation or of a whole network; for a network, of the real block.

    For a network, D_k bounds the operator norm of the k-th derivative, and every partial
    derivative of that order.

    Example: majorant derivatives --activation gelu --order 8
    """
    from majorant.numerics.derivatives import derivatives as compute

    with Bar("derivatives", quiet=json_) as bar:
        found = compute(checkpoint, order, activation, radius, bar.update)
    if json_:
        emit_json(found)
        return 0
    subject = found.get("source") or found["activation"]
    emit_text(f"{subject}: {found['about']}.", "")
    located = any("at" in row for row in found["orders"])
    rows = [[row["k"], shown(row, "lower"), shown(row, "upper"),
             *([row.get("at", "")] if located else [])] for row in found["orders"]]
    emit_table("", ["k", "at least", "at most", *(["attained at"] if located else [])], rows)
    for line in found.get("assumptions", []):
        emit_text(f"  assumes: {line}")
    if checkpoint is not None:
        emit_text("Both columns enclose the value of the bound, not the true derivative.",
                  "Next: --activation silu compares activations on the same weights.")
    return 0


def shown(row: dict[str, float | None], key: str) -> str:
    """One end as text; its decimal logarithm where a float cannot hold it."""
    value = row[key]
    return f"{value:.15g}" if value is not None else power_of_ten(row.get(f"log10_{key}"))
