"""The tables of `majorant derivatives` beside the bounds: comparison, formulas, exponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from majorant.cli.output import emit_table, emit_text, power_of_ten
from majorant.derivation.errors import UnusableInput


def names_of(compare: str, activation: str | None) -> list[str]:
    """The activations of `--compare`, in order, each once.

    >>> names_of("gelu, silu,gelu", None)
    ['gelu', 'silu']
    """
    if activation is not None:
        raise UnusableInput("--activation and --compare exclude each other: put the activation "
                            f"first in --compare, {activation},{compare}")
    return list(dict.fromkeys(filter(None, (name.strip() for name in compare.split(",")))))


def describe_comparison(found: Mapping[str, Any]) -> None:
    """Bounds of every activation side by side."""
    rows = found["comparison"]
    order = max(len(row["orders"]) for row in rows)
    emit_text(f"{found.get('source', 'activations')}: {found['about']}.", "")
    cells = []
    for row in rows:
        values = [f"{entry['upper']:.6g}" if entry["upper"] is not None
                  else power_of_ten(entry["log10_upper"]) for entry in row["orders"]]
        cells.append([row["activation"], *values, *["none"] * (order - len(values))])
    emit_table("", ["activation", *(f"D_{k} at most" for k in range(1, order + 1))], cells)
    for row in rows:
        if row["note"]:
            emit_text(f"  {row['note']}")
    for line in found["assumptions"]:
        emit_text(f"  assumes: {line}")


def describe_forms(rows: Sequence[Mapping[str, Any]]) -> None:
    """Formulas of orders 1 to 3, first as text, then as LaTeX."""
    emit_text("", "Closed forms, orders 1 to 3:")
    part = None
    for row in rows:
        if row["part"] != part:
            part = row["part"]
            emit_text("", f"{part} ({row['about']})")
        emit_text(f"  D_{row['k']} <= {row['text']}", f"    LaTeX: {row['latex']}")


def describe_exponents(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Powers of each quantity in the bounds, normalization after or before the layer."""
    for placement, rows in tables.items():
        emit_text("")
        emit_table(f"Powers in the bound, {placement}-norm block",
                   ["quantity", "D_1", "D_2", "D_3"],
                   [[row["quantity"], *row["exponents"]] for row in rows])
