"""The weight files of a folder, in order: one file, an index with its shards, or bare shards."""

import json
import re
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


def _indexed(index: Path) -> tuple[Path, ...]:
    try:
        mapping = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
        names = sorted(set(mapping.values()))
    except (json.JSONDecodeError, KeyError, AttributeError, TypeError) as error:
        raise UnusableInput(
            f"{index}: expected a JSON object with a 'weight_map' from tensor to file ({error})."
        ) from error
    missing = [name for name in names if not (index.parent / name).is_file()]
    if missing:
        tensors = sum(1 for file in mapping.values() if file in missing)
        raise UnusableInput(
            f"{index}: the shards {', '.join(missing)} are missing ({tensors} tensors in them). "
            "Download them again."
        )
    return tuple(index.parent / name for name in names)
