"""The design rules that a machine can check: imports, sizes, names, no paths of a machine."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("derivation", "numerics", "proofs", "experiments", "cli")
# What each folder may import of ours.
ALLOWED = {
    "derivation": {"derivation"},
    "numerics": {"derivation", "numerics"},
    "proofs": {"derivation", "numerics", "proofs"},
    "experiments": {"derivation", "numerics", "proofs", "experiments"},
    "cli": set(FOLDERS),
}
# Of numerics, the proofs may know the lowering and the rings; the checker only their ball parts.
PROOFS_FROM_NUMERICS = ("majorant.numerics.lowering", "majorant.numerics.rings")
CHECKER_FROM_NUMERICS = ("majorant.numerics.lowering.balls", "majorant.numerics.rings.ball")
DERIVATION_MAY_USE = {"sympy", "majorant"}


def tracked(*patterns: str) -> list[Path]:
    """Files that git tracks or would track; every file in an unpacked archive."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\n")
    return [ROOT / name for name in listed if name and (ROOT / name).exists()]


def imports(path: Path) -> list[tuple[int, str]]:
    """Modules that a file imports, with line numbers (`from a.b import c` gives a.b and a.b.c)."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            found.append((node.lineno, node.module or ""))
    return found


SOURCES = [p for p in tracked("*.py") if p.relative_to(ROOT).parts[0] in FOLDERS]


def test_there_are_sources() -> None:
    assert len(SOURCES) > 40


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_point_down(folder: str) -> None:
    wrong = []
    for path in SOURCES:
        if path.relative_to(ROOT).parts[0] != folder:
            continue
        for line, module in imports(path):
            if module.split(".")[0] in FOLDERS:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: import majorant.{module} instead")
            parts = module.split(".")
            if parts[0] == "majorant" and len(parts) > 1 and parts[1] not in ALLOWED[folder]:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {folder} may not know {module}")
    assert not wrong, "\n".join(wrong)


def test_derivation_knows_sympy_only() -> None:
    import sys

    stdlib = sys.stdlib_module_names
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {module}"
        for path in SOURCES if path.relative_to(ROOT).parts[0] == "derivation"
        for line, module in imports(path)
        if module.split(".")[0] not in DERIVATION_MAY_USE and module.split(".")[0] not in stdlib
    ]
    assert not wrong, "\n".join(wrong)


def test_proofs_know_only_the_lowering_of_numerics() -> None:
    wrong = []
    for path in SOURCES:
        parts = path.relative_to(ROOT).parts
        if parts[0] != "proofs":
            continue
        allowed = CHECKER_FROM_NUMERICS if parts[-1] == "checker.py" else PROOFS_FROM_NUMERICS
        wrong += [
            f"{path.relative_to(ROOT)}:{line}: {module}"
            for line, module in imports(path)
            if module.startswith("majorant.numerics") and not module.startswith(allowed)
        ]
    assert not wrong, "\n".join(wrong)


def test_files_are_short_and_well_named() -> None:
    wrong = []
    for path in tracked("*.py"):
        lines = len(path.read_text().splitlines())
        if lines > 400:
            wrong.append(f"{path.relative_to(ROOT)}: {lines} lines, at most 400")
        if path.stem in {"utils", "helpers", "misc", "common"}:
            wrong.append(f"{path.relative_to(ROOT)}: a name that says nothing")
    assert not wrong, "\n".join(wrong)


def test_no_paths_of_a_machine_and_no_registry_hosts() -> None:
    pattern = re.compile(
        r"(/(?:work|tmp/plan|root)/\w|\bpypi\.(?:org|python)|files\.pythonhosted|registry\.npmjs|"
        r"deb\.debian|download\.pytorch)"
    )
    text = [p for p in tracked() if p.suffix not in {".png", ".parquet", ".safetensors"}]
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in text if path != Path(__file__).resolve()
        for number, line in enumerate(path.read_text(errors="ignore").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_public_function_is_documented() -> None:
    wrong = []
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
            public = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
            if public and ast.get_docstring(node) is None:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}")
    assert not wrong, "no docstring:\n" + "\n".join(wrong)
