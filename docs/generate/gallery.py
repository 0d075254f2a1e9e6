"""Writes docs/gallery: one page a bound, formula beside code beside number on the demo model.

Usage: python docs/generate/gallery.py [FOLDER]. The numbers are in gallery/numbers.json, written
by `majorant evaluate demo --json` for both blocks; formulas come from the derivation.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from majorant.derivation import shipped
from majorant.derivation.bound import Bound
from majorant.derivation.printing import latex
from majorant.derivation.rounding import rounded_up

DOCS = Path(__file__).resolve().parents[1]
LONGEST = 4000


def cell(value: str) -> str:
    """Text that survives a Markdown table."""
    return value.replace("|", r"\|").replace("\n", " ")


def numbers_of(name: str, numbers: dict[str, Any]) -> list[str]:
    """Lines about the bound on the demo model."""
    rows = []
    for block, found in numbers["blocks"].items():
        entry = found.get(name)
        if entry:
            star = entry["n_star"] or f"10^{entry['log10_n_star']:.1f}"
            shown = rounded_up(star, 3) if isinstance(star, int | float) else star
            rows.append(f"| {block} | {shown} | {', '.join(entry['largest'][:3])} |")
    for key, value in numbers["factors"].get(name, {}).items():
        rows.append(f"| {key} | {value} | |")
    if not rows:
        return []
    return ["## On the demo model", "", "| block or constant | n* or value | contributors |",
            "| --- | --- | --- |", *rows, ""]


def page(bound: Bound, numbers: dict[str, Any]) -> str:
    """The page of one bound."""
    lines = [f"# {bound.title}", "", f"`majorant derive {bound.name}`", ""]
    if bound.status == "proxy":
        lines += ["!!! warning \"Not a bound\"", "    A proxy for a leading factor: constants, "
                  "logarithms and 1/sqrt(n) are left out.", ""]
    formula = bound.latex()
    lines += ["## Formula", ""]
    lines += ["\\[", formula, "\\]", ""] if len(formula) < LONGEST else [
        "Too long for one line; see the code below.", ""]
    if bound.hypotheses:
        lines += ["Hypotheses: " + ", ".join(rf"\({latex(h)}\)" for h in bound.hypotheses) + ".",
                  ""]
    lines += numbers_of(bound.name, numbers)
    lines += ["## Code", "", "```python", bound.python().rstrip(), "```", ""]
    if bound.factors:
        lines += ["## Which lemma gave which factor", "", "| lemma | factor |", "| --- | --- |"]
        lines += [f"| {row['lemma']} {cell(row['title'])} | `{cell(row['factor'])[:300]}` |"
                  for row in bound.explain()]
        lines.append("")
    lines += ["## Symbols", "", "| symbol | meaning | domain | direction |",
              "| --- | --- | --- | --- |"]
    directions = bound.monotonicity()
    lines += [f"| {cell(row['name'])} | {cell(row['meaning'])} | {cell(row['domain'])} | "
              f"{directions[row['name']].direction} |" for row in bound.symbol_table()]
    lines.append("")
    if bound.ledger:
        lines += ["## Stands on", "", ", ".join(bound.ledger) + ". See [claims](../claims.md).", ""]
    if bound.assumptions:
        lines += ["## Assumptions", "", *[f"* {line}" for line in bound.assumptions], ""]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """File name -> text for the whole gallery, the index included."""
    numbers = json.loads((DOCS / "gallery" / "numbers.json").read_text(encoding="utf-8"))
    shipped.load()
    found = {}
    index = ["# Gallery", "", "One page a bound or proxy: formula, code, number on the demo model.",
             "", "| name | title | kind |", "| --- | --- | --- |"]
    for bound in shipped.shipped_bounds():
        file = f"{bound.name}.md"
        found[file] = page(bound, numbers)
        index.append(f"| [{bound.name}]({file}) | {cell(bound.title)} | {bound.status} |")
    found["index.md"] = "\n".join([*index, ""])
    return found


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in pages().items():
        (folder / name).write_text(content, encoding="utf-8")
    print(f"{len(pages())} pages in {folder.name}")


if __name__ == "__main__":
    main()
