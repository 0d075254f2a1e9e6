"""Reads `.bin` and `.pt` files: weights only, never any code, mapped where the format allows."""

import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.store import Entry, row_bytes
from majorant.numerics.checkpoints.usable import dtype_name


class PickledStore:
    """Tensors of one or several torch files, by name, always loaded onto the CPU.

    Nested dictionaries are flattened: `{"state_dict": {"a": t}}` gives `state_dict.a`. Files in
    torch's zip format are mapped and opened anew for each read; the legacy format cannot be
    mapped, so such a file is held in memory whole. Raises `UnusableInput` for a damaged file or
    one that holds more than weights.
    """

    def __init__(self, files: tuple[Path, ...]) -> None:
        self._paths: dict[str, Path] = {}
        self._entries: dict[str, Entry] = {}
        self._samples: dict[str, bytes] = {}
        self._legacy: dict[Path, dict[str, torch.Tensor]] = {}
        for path in files:
            mapped, content = _load(path)
            if not mapped:
                self._legacy[path] = dict(_tensors(content, ""))
            for name, tensor in _tensors(content, ""):
                if name in self._entries:
                    raise UnusableInput(
                        f"{name}: stored twice, in {self._paths[name].name} and {path.name}; "
                        "expected each tensor in one shard."
                    )
                self._paths[name] = path
                shape = tuple(tensor.shape)
                self._entries[name] = Entry(name, dtype_name(tensor.dtype), shape, path.name)
                if tensor.layout == torch.strided and not tensor.is_quantized:
                    self._samples[name] = _sample(tensor)

    def entries(self) -> Mapping[str, Entry]:
        """Every tensor's header, by its full name."""
        return self._entries

    def read(self, name: str) -> torch.Tensor:
        """The tensor, as stored, on the CPU."""
        path = self._paths[name]
        if path in self._legacy:
            return self._legacy[path][name]
        for found, tensor in _tensors(_load(path)[1], ""):
            if found == name:
                return tensor
        raise UnusableInput(
            f"{name} in {self._paths[name].name}: the file changed while it was being read."
        )

    def sample(self, name: str) -> bytes:
        """The bytes of the first, middle and last row of a matrix."""
        return self._samples.get(name, name.encode())


def _sample(tensor: torch.Tensor) -> bytes:
    rows = tensor.shape[0] if tensor.dim() else 0
    if not rows:
        return b""
    return b"".join(row_bytes(tensor[i : i + 1]) for i in (0, rows // 2, rows - 1))


def _load(path: Path) -> tuple[bool, object]:
    """Whether the file could be mapped, and its content."""
    try:
        return True, torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    except Exception as error:  # bytes that are no pickle can raise anything
        if "mmap can only be used" not in str(error):
            raise _unusable(path, error) from error
    try:
        return False, torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: Exception) -> UnusableInput:
    # torch's own messages advise to run the file's code; ours say what is the matter.
    if isinstance(error, pickle.UnpicklingError) and "global" in str(error).lower():
        return UnusableInput(
            f"{path.name}: holds objects that need code to be run, and such files are never "
            "opened; expected weights only. Save model.state_dict(), or use safetensors."
        )
    return UnusableInput(
        f"{path.name}: not a complete torch file ({type(error).__name__}): the file is damaged, "
        "cut off or of another kind. Save model.state_dict() again, or use safetensors."
    )


def _tensors(value: object, prefix: str) -> Iterator[tuple[str, torch.Tensor]]:
    if isinstance(value, torch.Tensor):
        yield prefix or "tensor", value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if isinstance(key, str):
                yield from _tensors(inner, f"{prefix}.{key}" if prefix else key)
