"""Where output goes: looked at before anything is computed."""

from __future__ import annotations

import os
from pathlib import Path

from majorant.derivation.errors import UnusableInput


def require_file(path: Path, option: str = "-o") -> None:
    """Raise `UnusableInput` if a file cannot be written at `path`.

    >>> require_file(Path("."))
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.UnusableInput: -o: . is a folder; expected the name of a file
    """
    if path.is_dir():
        raise UnusableInput(f"{option}: {path} is a folder; expected the name of a file")
    if not path.parent.is_dir():
        raise UnusableInput(f"{option}: the folder {path.parent} does not exist; create it first")
    if not os.access(path.parent, os.W_OK):
        raise UnusableInput(f"{option}: no permission to write into the folder {path.parent}")


def require_folder(path: Path, option: str = "--plot") -> None:
    """Raise `UnusableInput` if files cannot be written below `path`; it need not exist yet."""
    for place in (path, *path.parents):
        if place.is_dir():
            if not os.access(place, os.W_OK):
                raise UnusableInput(f"{option}: no permission to write into the folder {place}")
            return
        if place.exists():
            raise UnusableInput(f"{option}: {place} is a file; expected a folder")
