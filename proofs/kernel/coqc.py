"""Finding and running `coqc`."""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

MISSING = (
    "coqc is not on PATH: install Coq 8.16 or newer with Coquelicot and coq-interval"
    " (Debian: apt install coq libcoq-coquelicot libcoq-interval)"
)


@dataclass(frozen=True)
class Run:
    """One run of `coqc`: whether it accepted the file, its output, the time, or a time-out."""

    accepted: bool
    output: str
    errors: str
    seconds: float
    timed_out: bool = False


def find_coqc() -> str | None:
    """Path of `coqc`, or None."""
    return shutil.which("coqc")


@lru_cache(maxsize=8)
def coq_version(coqc: str) -> str:
    """What `coqc --version` prints: a part of every cache key."""
    return subprocess.run(
        [coqc, "--version"], capture_output=True, text=True, timeout=60, check=False
    ).stdout.strip()


def compile_file(
    coqc: str, file: Path, libraries: Path | None, budget: float, processor: float | None = None
) -> Run:
    """Compile `file`, with the compiled development in `libraries` known as `Majorant`.

    The whole process group ends when the budget (seconds) is spent, or, where the system can
    count it, when `processor` seconds of computing are: a busy machine then changes no answer.
    """
    command = [coqc, "-q"]
    if processor is not None and os.name == "posix":
        limit = str(math.ceil(processor))
        command = ["/bin/sh", "-c", 'ulimit -t "$0"; exec "$@"', limit, *command]
    if libraries is not None:
        command += ["-Q", str(libraries), "Majorant"]
    start = time.monotonic()
    with subprocess.Popen(
        [*command, file.name],
        cwd=file.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=max(budget, 0.1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Run(False, "", "", time.monotonic() - start, timed_out=True)
    seconds = time.monotonic() - start
    spent = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGXCPU)
    return Run(process.returncode == 0, output, errors, seconds, timed_out=spent)


def first_error(errors: str) -> str:
    """The message after `Error:`, on one line.

    >>> first_error('File "./a.v", line 3:\\nError: Unable to unify\\n  "x".\\n')
    'Unable to unify "x".'
    """
    _, found, message = errors.partition("Error:")
    return " ".join((message if found else errors).split())[:600]
