"""From the deviations of all cases to a verdict and a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SIGMAS = 3


def summary(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """`violations` names every deviation above its guarantee beyond `SIGMAS` standard errors.

    `bound` and `test_error` are guarantee and deviation of the tightest case; `rows` has one
    entry for each chain, shape and length, over starts and seeds.
    """
    violations = [
        f"rho {r['rho']}, {r['noise']}, start {r['start']:g}, {r['shape']}, n {r['steps']}: found "
        f"{r['found']:.4f}, allowed {r['allowed']:.4f}" for r in records
        if r["found"] - SIGMAS * r["standard_error"] > r["allowed"]]
    tightest = min(records, key=lambda r: float(r["ratio"]))
    rows = _rows(records)
    ratios = sorted(row["ratio"] for row in rows)
    seen = sum(r["found"] > SIGMAS * r["standard_error"] for r in records)
    return {
        "headline": f"{len(violations)} of {len(records)} largest deviations exceed the guarantee; "
                    f"allowed over found from {ratios[0]:.0f} to {ratios[-1]:.0f}",
        "bound": tightest["allowed"], "test_error": tightest["found"], "n": tightest["steps"],
        "tightest": tightest, "violations": violations, "trajectories": len(records),
        "visible": seen, "rows": rows}


def _rows(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in records:
        key = tuple(record[name] for name in ("rho", "noise", "shape", "steps"))
        groups.setdefault(key, []).append(record)
    rows = []
    for (rho, noise, shape, steps), group in groups.items():
        best = max(group, key=lambda r: float(r["found"]))
        rows.append({"rho": rho, "noise": noise, "shape": shape, "n": steps,
                     "trajectories": len(group), "found": best["found"],
                     "standard_error": best["standard_error"], "allowed": best["allowed"],
                     "route": best["route"], "ratio": best["ratio"]})
    return rows
