"""ruff and mypy are part of the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_ruff_is_clean() -> None:
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "."], cwd=ROOT,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_mypy_is_clean() -> None:
    packages = ["derivation", "numerics", "proofs", "experiments", "cli"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *[x for p in packages for x in ("-p", f"majorant.{p}")]],
        cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
