"""`majorant experiment`: the demonstrations, each one command."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from majorant.cli.destination import require_folder
from majorant.cli.options import Json
from majorant.cli.output import Bar, emit_json, emit_table, emit_text
from majorant.cli.run import DONE, NEGATIVE, verb
from majorant.derivation.errors import UnusableInput

NAMES = ("normalized", "finetune", "falsify", "pathwise")


def _runner(name: str) -> Callable[..., dict[str, Any]]:
    if name not in NAMES:
        raise UnusableInput(f"experiment {name!r}: expected one of {', '.join(NAMES)}")
    module = importlib.import_module(f"majorant.experiments.{name}")
    runner: Callable[..., dict[str, Any]] = getattr(module, f"run_{name}")
    return runner


@verb
def experiment(
    name: Annotated[str, typer.Argument(help="normalized, finetune, falsify or pathwise.")],
    out: Annotated[Path | None, typer.Option(
        "-o", "--out", help="Folder for the report, the certificate and resumable state.")] = None,
    preset: Annotated[str, typer.Option(
        help="full, or quick: a small run of a minute or so.")] = "full",
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 0,
    json_: Json = False,
) -> int:
    """Train, certify and compare with the measured test error. Resumes where it stopped.

    Exit code 1 when a measured error exceeds its bound.

    Example: majorant experiment normalized -o out/normalized
    """
    folder = out or Path("out") / name
    runner = _runner(name)
    require_folder(folder, "-o")
    with Bar(name, quiet=json_) as bar:
        report = runner(folder, preset=preset, seed=seed, progress=bar.update)
    violated = bool(report.get("violations"))
    if json_:
        emit_json(report)
        return NEGATIVE if violated else DONE
    emit_text(str(report.get("headline", "")), "")
    rows = [[key, value] for key, value in report.items()
            if isinstance(value, int | float | str | bool) and key != "headline"]
    emit_table("", ["quantity", "value"], rows)
    emit_text(f"The report and the certificates are in {folder}.")
    return NEGATIVE if violated else DONE
