"""The saved report of a run: numbers as JSON, and a page of Markdown that a person reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from majorant.derivation.rounding import rounded_up


def write_report(folder: Path, result: dict[str, Any]) -> None:
    """Write `report.json` and `report.md` into `folder`."""
    text = json.dumps(result, indent=2, allow_nan=False)
    (folder / "report.json").write_text(text + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(result), encoding="utf-8")


def markdown(result: dict[str, Any]) -> str:
    """The report as Markdown."""
    settings, margin = result["settings"], result["margin"]
    task = settings["task"]
    holds = result["test_error"] <= result["bound"]
    verdict = "vacuous (not below 1/2)" if result["vacuous"] else "non-vacuous"
    lines = [
        "# A certified Transformer of the normalized family",
        "",
        f"Two-hop recall, {task['keys']} keys, {task['length']} cards; at least "
        f"2^{result['log2_inputs']:.0f} different inputs. {settings['blocks']} blocks, "
        f"{settings['heads']} heads, width {task['width']}, trained on {result['n']:,} sequences.",
        "",
        f"**Certified: error at most {rounded_up(result['bound'], 4)}** with probability at least "
        f"{1 - float(settings['delta']):g} over the sample ({verdict}).",
        f"**Measured: {result['test_error']:.5f}** on {result['test_sequences']:,} fresh sequences "
        f"({'below' if holds else 'ABOVE'} the bound).",
        "",
        "| quantity | value |",
        "| --- | --- |",
        f"| margin error on the sample, at margin {margin['margin']:.4g} | "
        f"{margin['errors']} of {result['n']} |",
        f"| entropy of the cover, with the prices of all choices | {result['entropy']:.1f} nats |",
        f"| of which prices | {result['price']:.1f} nats |",
        f"| `n_star`: least n with the bound below 1/2 at zero margin error | "
        f"{result['n_star']:,} |",
        f"| error of logistic regression on the bag of tokens | {result['linear_error']:.4f} |",
        f"| error with uniform attention (all blocks) | {result['uniform_error']:.4f} |",
        f"| seconds, all stages (of one core's time) | {result['seconds']:.0f} "
        f"({result['cpu_seconds']:.0f}) |",
        "",
        "## All bounds on the same network, at the same margin",
        "",
        "| bound | value | log10 | n_star |",
        "| --- | --- | --- | --- |",
        *(f"| {name} | {_number(other['value'])} | {_number(other['log10'])} | "
          f"{_star(other)} |" for name, other in result["bounds"].items()),
        "",
        "`published` is the form of Sakai and Imaizumi 2026 with its constants written out "
        "(docs/theory, chapters 2 and 4), chained by G2; every value was checked in balls.",
        "",
        "## Matrices",
        "",
        "| matrix | rank | spectral norm | entropy (nats) |",
        "| --- | --- | --- | --- |",
        *(f"| {m['id']} | {m['rank']} | {m['norm']:.4g} | {m['entropy']:.1f} |"
          for m in result["matrices"]),
        "",
        "## What it stands on",
        "",
        *(f"- {line}" for line in result["assumptions"]),
        "",
        f"Ledger: {', '.join(result['ledger'])}. The certificate is `certificate.json`; "
        "`majorant recheck certificate.json` derives the bound again from it.",
        "",
    ]
    return "\n".join(lines)


def _star(row: dict[str, Any]) -> str:
    if row["n_star"] is not None:
        return f"{row['n_star']:,}"
    return "-" if row["log10_n_star"] is None else f"10^{row['log10_n_star']:.1f}"


def _number(value: float | int | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else rounded_up(value, 6)
