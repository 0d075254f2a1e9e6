"""Token sequences of a user's own sample, and their labels, from plain files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from majorant.derivation.errors import UnusableInput

_FORMS = ("expected a .json file with a list of lists of token ids, a .txt file with the ids of "
          "one sequence on each line, an .npy array (sequences x tokens) of integers, or an .npz "
          "file with input_ids and attention_mask")


def read_sample(path: str | Path) -> list[Tensor]:
    """The sequences of a file, padding removed: one-dimensional int64 tensors.

    Raises `UnusableInput` for other files, entries that are not non-negative integers, and empty
    sequences, which it names by their number (from 0).
    """
    file = Path(path)
    if not file.is_file():
        raise UnusableInput(f"{file}: no such file; {_FORMS}")
    rows = _rows(file)
    if len(rows) == 0:
        raise UnusableInput(f"{file}: holds no sequence")
    return [_ids(row, f"{file}: sequence {number}") for number, row in enumerate(rows)]


def read_labels(path: str | Path, count: int) -> Tensor:
    """One class number (from 0) a sequence: a .json list, an .npy vector, or a .txt line each."""
    file = Path(path)
    if not file.is_file():
        raise UnusableInput(f"{file}: no such file; expected one class number a sequence, as a "
                            ".json list, an .npy vector or the lines of a .txt file")
    rows = _rows(file)
    flat = [row[0] if isinstance(row, list) and len(row) == 1 else row for row in rows]
    labels = _ids(flat, f"{file}: labels")
    if len(labels) != count:
        raise UnusableInput(f"{file}: {len(labels)} labels for {count} sequences")
    return labels


def _rows(file: Path) -> Any:
    try:
        if file.suffix == ".json":
            found = json.loads(file.read_text(encoding="utf-8"))
            if not isinstance(found, list):
                raise UnusableInput(f"{file}: {_FORMS}")
            return found
        if file.suffix == ".txt":
            lines = file.read_text(encoding="utf-8").splitlines()
            return [[int(word) for word in line.split()] for line in lines]
        if file.suffix in (".npy", ".npz"):
            return _arrays(file)
    except (ValueError, OSError, RecursionError) as error:
        raise UnusableInput(f"{file}: cannot be read ({error}); {_FORMS}") from None
    raise UnusableInput(f"{file}: {_FORMS}")


def _arrays(file: Path) -> Any:
    found = np.load(file, allow_pickle=False)
    if file.suffix == ".npy":
        return list(found) if found.ndim == 2 else found.tolist()
    if missing := {"input_ids", "attention_mask"} - set(found.files):
        raise UnusableInput(f"{file}: has no {sorted(missing)[0]}; {_FORMS}")
    ids, mask = found["input_ids"], found["attention_mask"]
    if ids.ndim != 2 or ids.shape != mask.shape:
        raise UnusableInput(f"{file}: input_ids of shape {ids.shape}, attention_mask of shape "
                            f"{mask.shape}; expected one matrix shape")
    return [row[kept != 0] for row, kept in zip(ids, mask, strict=True)]


def _ids(row: Any, where: str) -> Tensor:
    try:
        values = np.asarray(row)
    except ValueError:
        values = np.asarray(None)
    if values.ndim != 1 or values.dtype.kind not in "iu":
        raise UnusableInput(f"{where}: expected a list of whole numbers, at least one")
    if values.size == 0 or values.min() < 0:
        raise UnusableInput(f"{where}: expected non-negative whole numbers, at least one")
    return torch.from_numpy(values.astype(np.int64))
