"""`majorant compare`: factors side by side, on one or many models, with the paper's figures."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from majorant.cli.destination import require_folder
from majorant.cli.options import Heads, Json, KvHeads
from majorant.cli.output import Bar, emit_json, emit_table, emit_text, power_of_ten
from majorant.cli.run import verb

COLUMNS = ("B_spectrum", "B_norm", "published", "schatten", "envelope")


def row_of(report: dict[str, Any], constants: str) -> dict[str, Any]:
    """One row: the factors of one model with one head constant, as decimal logarithms."""
    factors = (report.get("factors_by_constants") or {}).get(constants) or {}
    row: dict[str, Any] = {
        "checkpoint": report["checkpoint"], "constants": constants,
        "family": report["architecture"]["family"],
        "layers": report["architecture"]["layers"], "width": report["architecture"]["width"],
        "log10_alpha": factors.get("alpha_first_log10"),
        "reason": report["proxies_reason"], "factors_reason": report.get("factors_reason"),
        "factors_note": report.get("factors_note")}
    for name in COLUMNS:
        value = factors.get(name)
        if isinstance(value, dict):
            row[f"log10_{name}"], row[name] = value["log10"], value["value"]
        else:
            row[f"log10_{name}"], row[name] = factors.get(f"{name}_log10"), value
    both = (row["log10_published"], row["log10_schatten"])
    if all(log is not None and math.isfinite(log) for log in both):
        row["log10_published_over_schatten"] = row["log10_published"] - row["log10_schatten"]
    return row


@verb
def compare(
    checkpoints: Annotated[list[str], typer.Argument(help="One or more checkpoints.")],
    plot: Annotated[Path | None, typer.Option("--plot", help="Write the figures here.")] = None,
    heads: Heads = None,
    kv_heads: KvHeads = None,
    json_: Json = False,
) -> int:
    """Published proxies, Schatten and envelope factors side by side; crude and sharp constants.

    With --plot DIR: spectral decay per role, contribution against p with the chosen index, and
    factors against width and depth.

    Example: majorant compare demo --plot out/demo
    """
    from majorant.cli.factor_report import CONSTANTS, PROXY_NOTE, factor_report
    from majorant.numerics.proxies import factor_log_sensitivities
    from majorant.numerics.proxies.proxies import resolution
    from majorant.numerics.spectra import spectra as compute

    if plot is not None:
        require_folder(plot)
    rows: list[dict[str, Any]] = []
    written: list[str] = []
    for checkpoint in checkpoints:
        with Bar(f"spectra {checkpoint}", quiet=json_) as bar:
            found = compute(checkpoint, progress=bar.update, heads=heads, kv_heads=kv_heads)
        report = factor_report(found)
        rows += [row_of(report, constants) for constants in CONSTANTS]
        if plot is not None:
            from majorant.cli.figures import contribution_figure, decay_figure

            stem = re.sub(r"[^A-Za-z0-9._-]+", "-", found.origin.label).strip("-") or "model"
            written.append(str(decay_figure(found, plot / f"{stem}-decay.png")))
            if report["factors"] is not None:
                written.append(str(contribution_figure(
                    found, factor_log_sensitivities(found), resolution(found),
                    plot / f"{stem}-contribution.png")))
    if plot is not None:
        from majorant.cli.figures import scaling_figure

        crude = [row for row in rows if row["constants"] == "crude"]
        written.append(str(scaling_figure(crude, plot / "scaling.png")))
    if json_:
        emit_json({"rows": rows, "figures": written, "note": PROXY_NOTE})
        return 0
    _describe(rows)
    emit_text(PROXY_NOTE)
    for path in written:
        emit_text(f"figure: {path}")
    return 0


def _describe(rows: list[dict[str, Any]]) -> None:
    from majorant.cli.factor_report import ZERO_NOTE

    crude = next((row for row in rows if row["log10_alpha"] is not None
                  and math.isfinite(row["log10_envelope"])), None)
    if crude is not None:
        sharp = next(row for row in rows if row["checkpoint"] == crude["checkpoint"]
                     and row["constants"] == "sharp")
        from majorant.derivation.comparison.envelope_factor import RADIUS

        # At index 0 the Schatten integral up to c is c times the factor.
        ratio = 10 ** (crude["log10_envelope"] - crude["log10_schatten"]) / float(RADIUS)
        emit_text(
            f"{crude['checkpoint']}: the sharp head constant lowers alpha_1 from "
            f"{power_of_ten(crude['log10_alpha'])} to {power_of_ten(sharp['log10_alpha'])}; the "
            f"envelope factor, an integral up to c = 1/4, is {ratio:.3g} times c times the "
            "Schatten factor.", "")
    emit_table("Factors (not bounds)", ["model", "constant", "alpha_1", *COLUMNS],
               [[row["checkpoint"], row["constants"], power_of_ten(row["log10_alpha"]),
                 *(power_of_ten(row[f"log10_{name}"]) for name in COLUMNS)] for row in rows])
    ratios = [f"{row['checkpoint']} ({row['constants']}) "
              f"{10 ** row['log10_published_over_schatten']:.4g}"
              for row in rows if "log10_published_over_schatten" in row]
    if ratios:
        emit_text(f"published/Schatten: {', '.join(ratios)}; for one matrix in closed form: "
                  "`majorant derive published_over_schatten`.")
    for key, what in (("reason", "a proxy"), ("factors_reason", "a factor")):
        for reason in dict.fromkeys(row[key] for row in rows if row[key]):
            emit_text(f"Where {what} is missing: {reason}.")
    for note in dict.fromkeys(row["factors_note"] for row in rows if row["factors_note"]):
        checkpoints = dict.fromkeys(r["checkpoint"] for r in rows if r["factors_note"] == note)
        emit_text(f"{', '.join(checkpoints)}: {note}")
    if any(row["log10_envelope"] == -math.inf for row in rows):
        emit_text(ZERO_NOTE)
