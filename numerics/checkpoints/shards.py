"""The weight files of a folder, in order: one file, an index with its shards, or bare shards."""

import json
import re
from collections.abc import Container
from pathlib import Path

from majorant.derivation.errors import UnusableInput

PICKLED = {".bin", ".pt", ".pth", ".ckpt"}

_INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_SINGLES = ("model.safetensors", "pytorch_model.bin", "model.pt", "pytorch_model.pt")
_SHARD = re.compile(r"(?P<stem>.+)-(?P<index>\d+)-of-(?P<count>\d+)\.(safetensors|bin)")


def weight_files(folder: Path) -> tuple[Path, ...]:
    """Every file of `folder` that holds tensors of the model; empty if there are none.

    safetensors is preferred to pickles where both are complete copies. Raises `UnusableInput` if
    an index names a shard that is missing, or numbered shards are not all there.
    """
    for single, index in zip(_SINGLES[:2], _INDEXES, strict=True):
        if (folder / single).is_file():
            return (folder / single,)
        if (folder / index).is_file():
            return _indexed(folder / index)
    for suffix in ("safetensors", "bin"):
        shards = [
            (match, path)
            for path in sorted(folder.glob(f"*.{suffix}"))
            if (match := _SHARD.fullmatch(path.name))
        ]
        if shards:
            count = int(shards[0][0]["count"])
            found = {int(match["index"]) for match, _ in shards}
            missing = sorted(set(range(1, count + 1)) - found)
            if missing:
                raise UnusableInput(
                    f"{folder}: shards {missing} of {count} are missing; expected all of "
                    f"{shards[0][0]['stem']}-*-of-{shards[0][0]['count']}. Download them again."
                )
            return tuple(path for _, path in shards)
    for pattern in ("*.safetensors", "*.bin", "*.pt", "*.pth"):
        candidates = [p for p in sorted(folder.glob(pattern)) if p.name != "training_args.bin"]
        if len(candidates) == 1:
            return (candidates[0],)
        if len(candidates) > 1:
            names = ", ".join(path.name for path in candidates)
            raise UnusableInput(
                f"{folder}: several weight files and no index ({names}). Name one of them."
            )
    return ()


def require_indexed(folder: Path, files: tuple[Path, ...], names: Container[str]) -> None:
    """Raise `UnusableInput` if the index that lists `files` lists a tensor that none of them has.

    `names` are the tensors of these files.
    """
    for index in _INDEXES:
        if not (folder / index).is_file():
            continue
        mapping = _weight_map(folder / index)
        if {folder / file for file in mapping.values()} != set(files):
            continue
        absent = [name for name in mapping if name not in names]
        if absent:
            raise UnusableInput(
                f"{folder / index}: lists {absent[0]} in {mapping[absent[0]]}, which does not "
                f"hold it ({len(absent)} such tensors). The shards are incomplete, or the index "
                "belongs to another checkpoint."
            )


def _weight_map(index: Path) -> dict[str, str]:
    expected = "expected a JSON object with a 'weight_map' from tensor to file"
    try:
        mapping = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnusableInput(f"{index}: {expected} ({error}).") from error
    if not isinstance(mapping, dict) or not mapping:
        raise UnusableInput(f"{index}: {expected}.")
    for name, file in mapping.items():
        if not isinstance(file, str):
            raise UnusableInput(f"{index}: {expected}; {name} has {file!r}.")
        if Path(file).is_absolute() or ".." in Path(file).parts:
            raise UnusableInput(
                f"{index}: {name} is said to lie in {file!r}, outside the folder; expected the "
                "name of a file beside the index."
            )
    return mapping


def _indexed(index: Path) -> tuple[Path, ...]:
    mapping = _weight_map(index)
    names = sorted(set(mapping.values()))
    missing = [name for name in names if not (index.parent / name).is_file()]
    if missing:
        tensors = sum(1 for file in mapping.values() if file in missing)
        raise UnusableInput(
            f"{index}: the shards {', '.join(missing)} are missing ({tensors} tensors in them). "
            "Download them again."
        )
    return tuple(index.parent / name for name in names)
