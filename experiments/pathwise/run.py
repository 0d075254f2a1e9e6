"""The one-trajectory demonstration: push networks, compare with the guarantee; resumes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.experiments.one_thread import one_thread
from majorant.experiments.pathwise.curves import curves
from majorant.experiments.pathwise.deviation import largest_deviation
from majorant.experiments.pathwise.report import summary
from majorant.experiments.pathwise.settings import Case, preset_settings
from majorant.numerics.pathwise.block import parse_block
from majorant.numerics.whole_file import whole_file

Progress = Callable[[int, int | None, str], None]


@one_thread()
def run_pathwise(out_dir: str | Path, *, preset: str = "full", seed: int = 0,
                 progress: Progress | None = None) -> dict[str, Any]:
    """Largest deviation found in every case, beside what the guarantee allows; the curves.

    Writes `records.json` (resumed from) and `report.json`. `violations` is empty if every found
    deviation, less three standard errors, is below the guarantee.
    Raises `UnusableInput` for an unknown preset or a folder that holds another run.
    """
    settings, folder = preset_settings(preset), Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    cases = settings.cases(seed)
    file = folder / "records.json"
    planned = [case.json() for case in cases]
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {
        "cases": planned, "done": []}
    if kept["cases"] != planned:
        raise UnusableInput(f"{file}: this folder holds a run with another preset or seed; use "
                            "another folder")
    done = kept["done"]
    for index, case in enumerate(cases):
        if progress:
            progress(index, len(cases), f"rho {case.rho}, {case.shape}, n {case.steps}")
        if index >= len(done):
            done.append(measure(case, settings.ascents, settings.iterations))
            text = json.dumps(kept, allow_nan=False)
            with whole_file(file) as part:
                part.write_text(text + "\n", encoding="utf-8")
    if progress:
        progress(len(cases), len(cases), "curves")
    report = {**summary(done), "curves": curves(), "seed": seed, "preset": preset}
    report["n_star"] = report["curves"]["n_star"]
    (folder / "report.json").write_text(
        json.dumps(report, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return report


def measure(case: Case, ascents: int, iterations: int) -> dict[str, Any]:
    """The case with the deviation found, its standard error, and what is allowed."""
    result = largest_deviation(
        parse_block(case.shape), case.contraction, case.steps, seed=case.seed, ascents=ascents,
        iterations=iterations, start=case.start, noise=case.noise)
    return {**case.json(), "found": result.found, "standard_error": result.standard_error,
            "allowed": result.allowed, "route": result.route, "ratio": result.ratio}
