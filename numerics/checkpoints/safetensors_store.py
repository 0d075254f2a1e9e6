"""Reads safetensors files one tensor at a time; no file stays open between two reads."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.store import Entry, row_bytes

_DTYPES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "I64": "int64",
    "I32": "int32",
    "I16": "int16",
    "I8": "int8",
    "U8": "uint8",
    "BOOL": "bool",
    "C64": "complex64",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
}


class SafetensorsStore:
    """Tensors of one or several safetensors files, by name.

    A mapped file keeps every page that was touched resident, so each read opens the file anew,
    and closes it with the tensor: peak memory is that of one tensor. Raises `UnusableInput` for a
    damaged
    file or a name that two shards hold.
    """

    def __init__(self, files: tuple[Path, ...]) -> None:
        self._paths: dict[str, Path] = {}
        self._entries: dict[str, Entry] = {}
        for path in files:
            try:
                with safe_open(path, framework="pt", device="cpu") as handle:
                    for name in sorted(handle.keys()):
                        self._add(name, path, handle.get_slice(name))
            except (SafetensorError, OSError) as error:
                raise UnusableInput(
                    f"{path.name}: not a complete safetensors file ({error}). Download it again."
                ) from error

    def _add(self, name: str, path: Path, header: object) -> None:
        if name in self._entries:
            raise UnusableInput(
                f"{name}: stored twice, in {self._paths[name].name} and {path.name}; expected "
                "each tensor in one shard. Name the file that counts."
            )
        code = str(header.get_dtype())  # type: ignore[attr-defined]
        shape = tuple(int(extent) for extent in header.get_shape())  # type: ignore[attr-defined]
        self._paths[name] = path
        self._entries[name] = Entry(name, _DTYPES.get(code, code), shape, path.name)

    def entries(self) -> Mapping[str, Entry]:
        """Every tensor's header, by its name."""
        return self._entries

    def read(self, name: str) -> torch.Tensor:
        """The tensor, as stored."""
        path = self._paths[name]
        try:
            with safe_open(path, framework="pt", device="cpu") as handle:
                tensor: torch.Tensor = handle.get_tensor(name)
                return tensor
        except (SafetensorError, OSError) as error:
            raise UnusableInput(
                f"{name} in {path.name}: could not be read ({error}). Download the file again."
            ) from error

    def sample(self, name: str) -> bytes:
        """The bytes of the first, middle and last row of a matrix."""
        rows = self._entries[name].shape[0]
        with safe_open(self._paths[name], framework="pt", device="cpu") as handle:
            part = handle.get_slice(name)
            return b"".join(row_bytes(part[i : i + 1]) for i in (0, rows // 2, rows - 1))
