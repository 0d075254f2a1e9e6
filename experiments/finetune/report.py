"""The saved report of the fine-tuning demonstration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from majorant.derivation.rounding import rounded_up


def write_report(folder: Path, report: dict[str, Any]) -> None:
    """Write `report.json` and `report.md` into `folder`."""
    text = json.dumps(report, indent=2, allow_nan=False)
    (folder / "report.json").write_text(text + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(report), encoding="utf-8")


def markdown(report: dict[str, Any]) -> str:
    """The report as Markdown."""
    bits = " and ".join(str(b) for b in report["compressed_bits"])
    return "\n".join([
        "# A certified fine-tune of a real sentence encoder", "",
        report["headline"], "",
        "| network | certified error | measured test error | stands on |",
        "| --- | --- | --- | --- |",
        f"| as trained | {rounded_up(report['bound'], 4)} | {report['test_error']:.4f} | "
        f"G5 with G7: {report['entropy']:.0f} nats, {report['bad_texts']:,} texts not good at "
        f"margin {report['margin']:.3g} |",
        f"| quantized to {bits} bits | {rounded_up(report['compressed_bound'], 4)} | "
        f"{report['compressed_test_error']:.4f} | G6: a code of {report['code_nats']:.0f} nats |",
        "",
        f"n = {report['n']:,} training texts, {report['test_texts']:,} test texts; n* = "
        f"{report['n_star']:,} for the certificate as trained. The update of the last feed-forward "
        f"matrix has rank {report['rank']} (one factor fixed by a seed) and norm "
        f"{report['update_norm']:.3g}.", "",
        "## What it assumes", "", *[f"* {line}" for line in report["assumptions"]], "",
    ])
