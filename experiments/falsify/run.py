"""The demonstration: many models, every bound, and planted faults; resumes where it stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.experiments.falsify.figure import draw
from majorant.experiments.falsify.measure import measure
from majorant.experiments.falsify.report import markdown, summary
from majorant.experiments.falsify.settings import preset_settings
from majorant.experiments.one_thread import one_thread

Progress = Callable[[int, int | None, str], None]


@one_thread()
def run_falsify(out_dir: str | Path, *, preset: str = "full", seed: int = 0,
                progress: Progress | None = None) -> dict[str, Any]:
    """Train the models of a preset, bound and measure each; `violations` is empty if all hold.

    Writes `records.jsonl` (a line a finished model), `report.json`, `report.md` and, with
    matplotlib, `gap.png`. Raises `UnusableInput` for an unknown preset or a folder that holds
    another run.
    """
    settings, folder = preset_settings(preset), Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    cases = settings.cases(seed)
    _claim(folder / "run.json", {"settings": settings.json(), "seed": seed,
                                 "cases": [case.json() for case in cases]})
    file = folder / "records.jsonl"
    done = _finished(file)
    for index, case in enumerate(cases):
        if progress:
            progress(index, len(cases), case.id)
        if case.id in done:
            continue
        begun = time.monotonic()
        record = measure(case, test_sequences=settings.test_sequences, delta=settings.delta)
        record["seconds"] = time.monotonic() - begun
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(record, allow_nan=False) + "\n")
        done[case.id] = record
    if progress:
        progress(len(cases), len(cases), "report")
    records = [done[case.id] for case in cases]
    report = {**summary(records), "seed": seed, "preset": preset, "settings": settings.json(),
              "seconds": sum(record["seconds"] for record in records)}
    figure = draw(records, folder / "gap.png")
    text = json.dumps(report, indent=2, allow_nan=False)
    (folder / "report.json").write_text(text + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(report, figure), encoding="utf-8")
    return report


def _claim(record: Path, identity: dict[str, Any]) -> None:
    """Make the folder this run's, or check that it already is."""
    if record.exists():
        if json.loads(record.read_text(encoding="utf-8")) != json.loads(json.dumps(identity)):
            raise UnusableInput(f"{record}: this folder holds a run with another preset or seed; "
                                "use another folder")
        return
    record.write_text(json.dumps(identity) + "\n", encoding="utf-8")


def _finished(file: Path) -> dict[str, dict[str, Any]]:
    """Records by id. A last line cut short by an interruption is removed and measured again."""
    if not file.exists():
        return {}
    text = file.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole, encoding="utf-8")
    return {record["id"]: record for record in map(json.loads, whole.splitlines())}
