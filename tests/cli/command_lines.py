"""Run one command line in this process, as the tests of every verb do."""

from __future__ import annotations

import json
import re
from typing import Any

from typer.testing import CliRunner

from majorant.cli.app import build

APP = build()


def run(*args: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of one command line, in this process."""
    done = CliRunner().invoke(APP, list(args))
    return done.exit_code, done.stdout, done.stderr


def run_json(*args: str, code: int = 0) -> dict[str, Any]:
    """The one JSON object that a command prints; checks the exit code and that it is finite."""
    exit_code, out, err = run(*args, "--json")
    assert exit_code == code, err
    lines = [line for line in out.splitlines() if line]
    assert len(lines) == 1, "one object on stdout"
    assert not re.search(r"\b(NaN|Infinity)\b", out)
    found: dict[str, Any] = json.loads(out)
    return found
