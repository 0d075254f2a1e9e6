"""`majorant derivatives`: bounds on derivatives of every order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from majorant.cli.destination import require_folder
from majorant.cli.options import Json
from majorant.cli.output import Bar, emit_json, emit_table, emit_text, power_of_ten
from majorant.cli.run import verb


@verb
def derivatives(
    checkpoint: Annotated[str | None, typer.Argument(
        help="Folder, file, hub id, or demo; leave out for an activation alone.")] = None,
    activation: Annotated[str | None, typer.Option(
        help="gelu, gelu_tanh, silu, tanh, sigmoid, softplus, quick_gelu, mish, relu.")] = None,
    order: Annotated[int, typer.Option(help="Highest order.", min=1)] = 4,
    radius: Annotated[float | None, typer.Option(
        help="Norm bound of the rows that enter the first block.")] = None,
    compare: Annotated[str | None, typer.Option(
        "--compare", help="Activations side by side, for example gelu,silu,tanh,relu.")] = None,
    closed_form: Annotated[bool, typer.Option(
        "--closed-form", help="Also the formulas of orders 1 to 3, text and LaTeX.")] = False,
    exponents: Annotated[bool, typer.Option(
        "--exponents", help="Also the powers of heads, width, depth, norms in D_1..D_3.")] = False,
    plot: Annotated[Path | None, typer.Option(
        "--plot", help="Write the bounds against the order here.")] = None,
    json_: Json = False,
) -> int:
    """Bounds D_1..D_S of an activation or of a whole network; for a network, of the real block.

    For a network, D_k bounds the operator norm of the k-th derivative, and every partial
    derivative of that order.

    Example: majorant derivatives demo --compare gelu,silu,tanh --order 4 --plot out
    """
    from majorant.cli.derivative_tables import (
        describe_comparison,
        describe_exponents,
        describe_forms,
        names_of,
    )
    from majorant.numerics.derivatives import derivatives as compute
    from majorant.numerics.derivatives.compare import comparison

    if plot is not None:
        require_folder(plot)
    with Bar("derivatives", quiet=json_) as bar:
        found: dict[str, Any] = (
            compute(checkpoint, order, activation, radius, bar.update) if compare is None else
            comparison(checkpoint, names_of(compare, activation), order, radius, bar.update))
    subject = found.get("source") or found["activation"]
    rows = found.get("comparison") or [found]
    if closed_form:
        from majorant.derivation.blocks.closed_forms import closed_forms

        found["closed_form"] = closed_forms()
    if exponents:
        from majorant.numerics.derivatives.exponents import exponent_rows

        found["exponents"] = {kind: exponent_rows(kind) for kind in ("post", "pre")}
    if plot is not None:
        from majorant.cli.figures.derivatives import derivative_figure

        name = "activations" if checkpoint is None and compare is not None else subject
        found["figures"] = [str(derivative_figure(rows, name, plot / "derivatives.png"))]
    if json_:
        emit_json(found)
        return 0
    if compare is not None:
        describe_comparison(found)
    else:
        describe(found, subject)
    if closed_form:
        describe_forms(found["closed_form"])
    if exponents:
        describe_exponents(found["exponents"])
    for path in found.get("figures", []):
        emit_text(f"figure: {path}")
    return 0


def describe(found: dict[str, Any], subject: str) -> None:
    """The bounds of one activation or network, for a person."""
    emit_text(f"{subject}: {found['about']}.", "")
    located = any("at" in row for row in found["orders"])
    rows = [[row["k"], shown(row, "lower"), shown(row, "upper"),
             *([row.get("at") or ""] if located else [])] for row in found["orders"]]
    emit_table("", ["k", "at least", "at most", *(["attained at"] if located else [])], rows)
    for line in found.get("assumptions", []):
        emit_text(f"  assumes: {line}")
    if "source" in found:
        emit_text("Both columns enclose the value of the bound, not the true derivative.",
                  "Next: --compare gelu,silu,tanh compares activations on the same weights.")


def shown(row: dict[str, float | None], key: str) -> str:
    """One end as text; its decimal logarithm where a float cannot hold it."""
    value = row[key]
    return f"{value:.15g}" if value is not None else power_of_ten(row.get(f"log10_{key}"))
