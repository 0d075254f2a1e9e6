"""The wheel holds every tracked module and works outside the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("derivation", "numerics", "proofs", "experiments", "cli")


def _tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS],
        cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\n") if name and (ROOT / name).exists()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the checkout, so that build/ stays as it is."""
    work = tmp_path_factory.mktemp("wheel")
    copy = work / "source"
    copy.mkdir()
    for name in ["pyproject.toml", "README.md", "LICENSE", *_tracked()]:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
         "-w", str(work), str(copy)], check=True, capture_output=True)
    return next(work.glob("*.whl"))


@pytest.mark.slow
def test_wheel_holds_every_tracked_file(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    missing = [name for name in _tracked() if f"majorant/{name}" not in inside]
    assert not missing, "add the subpackage or the data pattern to pyproject.toml: " + str(missing)


@pytest.mark.slow
def test_installed_wheel_imports_from_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)
    names = [
        "majorant." + name[:-3].replace("/", ".").removesuffix(".__init__")
        for name in _tracked() if name.endswith(".py")
    ]
    code = (
        f"import sys; sys.path.insert(0, {str(target)!r})\n"
        "import importlib, majorant\n"
        f"assert list(majorant.__path__)[0] == {str(target / 'majorant')!r}, majorant.__path__\n"
        # one namespace, and nothing of the checkout in it
        f"majorant.__path__ = [{str(target / 'majorant')!r}]\n"
        f"for name in {names!r}:\n"
        "    module = importlib.import_module(name)\n"
        f"    assert module.__file__.startswith({str(target)!r}), module.__file__\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
