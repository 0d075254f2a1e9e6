"""The Coq development: its files, their order, and a compiled copy in the user's cache."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from majorant.proofs.kernel.cache import cache_root, digest
from majorant.proofs.kernel.coqc import compile_file, coq_version, find_coqc, first_error

SOURCES = Path(__file__).resolve().parent.parent / "coq"
JOBS = 2
_REQUIRE = re.compile(r"From\s+Majorant\s+Require\s+(?:Import\s+|Export\s+)?([\w\s]+?)\.\s")


@dataclass(frozen=True)
class Compiled:
    """A folder of compiled modules; `failed` maps each other module to the reason."""

    folder: Path
    modules: frozenset[str]
    failed: dict[str, str]
    seconds: float


def sources() -> dict[str, str]:
    """Text of every module of the development, by name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(SOURCES.glob("*.v"))}


def dependencies(text: str) -> tuple[str, ...]:
    """Modules of the development that a file requires.

    >>> dependencies("From Majorant Require Import Sums Powers.\\nOpen Scope R_scope.")
    ('Sums', 'Powers')
    """
    return tuple(name for group in _REQUIRE.findall(text) for name in group.split())


@lru_cache(maxsize=4)
def _key(coqc: str, root: str, stamp: tuple[tuple[str, int], ...]) -> str:
    texts = sources()
    return digest([coq_version(coqc), *(part for item in texts.items() for part in item)])


def development_key(coqc: str) -> str:
    """Hash of Coq's version and of all sources: the name of the compiled copy."""
    stamp = tuple((p.name, p.stat().st_mtime_ns) for p in sorted(SOURCES.glob("*.v")))
    return _key(coqc, str(SOURCES), stamp)


def compile_development(budget: float = 600.0) -> Compiled:
    """The compiled development, from the cache or built there (two jobs, `budget` seconds).

    A module that needs a library which is not installed fails alone, with those that use it.
    Raises `FileNotFoundError` if `coqc` is not on PATH.
    """
    coqc = find_coqc()
    if coqc is None:
        raise FileNotFoundError("coqc")
    target = cache_root() / "coq" / development_key(coqc)
    if (target / "complete").exists():
        return _read(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"{target.name}.", dir=target.parent))
    try:
        started = time.monotonic()
        failed = _build(coqc, work, budget)
        seconds = time.monotonic() - started
        lasting = not any("time budget" in reason for reason in failed.values())
        lines = [f"{seconds:.1f}", *(f"{name}\t{why}" for name, why in sorted(failed.items()))]
        (work / "complete").write_text("\n".join(lines), encoding="utf-8")
        if not lasting:
            (work / "partial").touch()
        return _install(work, target, lasting)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _install(work: Path, target: Path, lasting: bool) -> Compiled:
    """Move a finished build to its place; another process may have been faster."""
    if not lasting:
        target = target.with_name(target.name + f".partial-{os.getpid()}")
        shutil.rmtree(target, ignore_errors=True)
    try:
        work.rename(target)
    except OSError:
        if not (target / "complete").exists():
            raise
    return _read(target)


def _read(folder: Path) -> Compiled:
    seconds, *lines = (folder / "complete").read_text(encoding="utf-8").splitlines()
    failed = dict(line.split("\t", 1) for line in lines if line)
    modules = frozenset(path.stem for path in folder.glob("*.vo")) - set(failed)
    return Compiled(folder, modules, failed, float(seconds))


def _build(coqc: str, work: Path, budget: float) -> dict[str, str]:
    """Compile all modules into `work`, two at a time; returns the failures."""
    texts = sources()
    for name, text in texts.items():
        (work / f"{name}.v").write_text(text, encoding="utf-8")
    deadline = time.monotonic() + budget
    done: dict[str, Future[str]] = {}

    def one(name: str) -> str:
        for needed in dependencies(texts[name]):
            reason = done[needed].result()
            if reason:
                return f"needs {needed}, which did not compile"
        left = deadline - time.monotonic()
        if left <= 0:
            return "time budget spent"
        run = compile_file(coqc, work / f"{name}.v", work, left)
        if run.timed_out:
            return "time budget spent"
        return "" if run.accepted else (first_error(run.errors) or "refused without a message")

    with ThreadPoolExecutor(JOBS) as pool:
        for name in build_order(texts):
            done[name] = pool.submit(one, name)
        results = {name: future.result() for name, future in done.items()}
    return {name: reason for name, reason in results.items() if reason}


def build_order(texts: dict[str, str]) -> list[str]:
    """Module names, each after those that it requires.

    >>> build_order({"B": "From Majorant Require Import A.\\n", "A": ""})
    ['A', 'B']
    """
    order: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ValueError(f"the Coq modules {' -> '.join((*path, name))} require each other")
        for needed in dependencies(texts[name]):
            visit(needed, (*path, name))
        if name not in order:
            order.append(name)

    for name in sorted(texts):
        visit(name, ())
    return order
