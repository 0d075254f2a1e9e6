"""From the records of all models to a verdict: violations, planted faults, and the page."""

from __future__ import annotations

from typing import Any

GAP = 0.05
USEFUL = 0.5
SIGMAS = 3


def summary(records: list[dict[str, Any]]) -> dict[str, Any]:
    """What the records say. `violations` is empty when theory and experiment agree.

    It names every measured error above a bound (beyond `SIGMAS` deviations of the test sample),
    and also a run that could not have shown anything: a planted fault that was not caught, or too
    few models that overfit (gap at least `GAP`) under a bound below `USEFUL`.
    """
    violations = [
        f"{record['id']}: test error {row['test_error']:.4f} above {name}, {row['value']:.4f}"
        for record in records for name, row in record["bounds"].items() if _exceeds(row, "value")]
    missed = [r["id"] for r in records if not r["price_left_out"]["caught"]]
    violations += [f"{name}: the price left out was not refused" for name in missed]
    table = _table(records)
    caught = sum(row["tenth_caught"] for row in table.values())
    if not table.get("occam", {}).get("tenth_caught"):
        violations.append("occam: a complexity term divided by 10 was not caught by any model")
    telling = [r for r in records if any(
        row["value"] is not None and row["gap"] >= GAP and row["value"] < USEFUL
        for row in r["bounds"].values())]
    if 3 * len(telling) < len(records):
        violations.append(f"only {len(telling)} of {len(records)} models have a gap of {GAP} and "
                          f"a bound below {USEFUL}: too few to test anything")
    occam = [r for r in records if r["bounds"]["occam"]["gap"] >= GAP
             and r["bounds"]["occam"]["value"] < USEFUL]
    closest = min(records, key=lambda r: float(r["bounds"]["occam"]["value"]) - r["test_error"])
    comparisons = sum(row["models"] for row in table.values())
    exceeded = sum(row["violations"] for row in table.values())
    return {
        "headline": f"{exceeded} of {comparisons} bounds exceeded over {len(records)} models; "
                    f"{len(telling)} have a gap of at least {GAP} and a bound below {USEFUL}; "
                    f"planted faults caught: price left out {len(records) - len(missed)} of "
                    f"{len(records)}, a tenth of the complexity {caught} of {comparisons}",
        "bound": closest["bounds"]["occam"]["value"], "test_error": closest["test_error"],
        "n": closest["case"]["n"], "n_star": closest["n_star"], "closest": closest["id"],
        "violations": violations, "models": len(records), "telling_models": len(telling),
        "telling_models_occam": len(occam), "comparisons": comparisons,
        "price_left_out_caught": len(records) - len(missed), "tenth_caught": caught,
        "largest_gap": max(r["gap"] for r in records), "table": table,
    }


def _exceeds(row: dict[str, Any], key: str) -> bool:
    """Whether the measured test error is above the number, beyond what its sample explains."""
    return row[key] is not None and bool(row["test_error"] - SIGMAS * row["sigma"] > row[key])


def _table(records: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys(name for r in records for name in r["bounds"]):
        rows = [r["bounds"][name] for r in records if name in r["bounds"]]
        values = sorted(r["log10"] for r in rows)
        found[name] = {
            "models": len(rows), "violations": sum(_exceeds(row, "value") for row in rows),
            "tenth_caught": sum(_exceeds(row, "tenth") for row in rows),
            "useful": sum(row["value"] is not None and row["value"] < USEFUL for row in rows),
            "median_log10": values[len(values) // 2],
            "largest_gap": max(row["gap"] for row in rows)}
    return found


def markdown(report: dict[str, Any], figure: bool) -> str:
    """The report as Markdown."""
    lines = [
        "# Attempt to falsify the bounds", "", report["headline"] + ".", "",
        f"| bound | models | exceeded | below {USEFUL} | median | largest gap "
        "| caught at a tenth |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(f"| {name} | {row['models']} | {row['violations']} | {row['useful']} | "
          f"{10 ** row['median_log10']:.3g} | {row['largest_gap']:.3f} | {row['tenth_caught']} |"
          for name, row in report["table"].items()), "",
        f"Closest: {report['closest']}, occam {report['bound']:.4f}, measured "
        f"{report['test_error']:.4f}.", "",
        "`compressed` (G6) bounds the network whose readout is reduced to signs; its gap is that "
        "network's own. A bound at or above 1/2 is vacuous. The last column counts models whose "
        "test error refutes a bound with a tenth of its complexity term: 0 means that the bound "
        "is so loose that this experiment would not notice.", "",
        "## Violations", "", *([f"* {line}" for line in report["violations"]] or ["None."]), ""]
    return "\n".join(lines + (["![bound against gap](gap.png)", ""] if figure else []))
