"""From what a user types to files on disk: folder, file, hub id, `demo`, spectra table."""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.demo import demo_folder
from majorant.numerics.checkpoints.hub import hub_folder
from majorant.numerics.checkpoints.shards import PICKLED, weight_files

Kind = Literal["safetensors", "pickled", "spectra", "adapter"]

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.\-]*(/[A-Za-z0-9][\w.\-]*)?")


@dataclass(frozen=True)
class Source:
    """Files that were found: `label` is what the user wrote, `files` hold the tensors.

    `kind` is `safetensors` or `pickled` for a checkpoint, `spectra` for a Parquet table of
    spectra, `adapter` for a LoRA adapter in PEFT's format.
    """

    label: str
    kind: Kind
    folder: Path
    files: tuple[Path, ...]

    def json(self, name: str) -> dict[str, Any] | list[Any] | None:
        """A JSON file beside the weights, or `None`; `UnusableInput` if it does not parse."""
        return read_json(self.folder / name)

    def digest(self) -> str:
        """SHA-256 over the bytes of the weight files and the configurations, in hexadecimal.

        It does not depend on where the files lie. Reads everything once, in pieces of 1 MiB.
        """
        total = hashlib.sha256()
        names = ("config.json", "adapter_config.json", "majorant.json")
        configs = [self.folder / name for name in names if (self.folder / name).is_file()]
        for path in (*self.files, *configs):
            total.update(path.name.encode() + b"\0")
            with path.open("rb") as handle:
                total.update(hashlib.file_digest(handle, "sha256").digest())
        return total.hexdigest()


def weights_digest(source: Source, reference: Source | None = None) -> str:
    """`Source.digest`; an adapter's weights are those of its base too, so both are named."""
    own = source.digest()
    if source.kind != "adapter" or reference is None:
        return own
    return f"{own}+{reference.digest()}"


def read_json(path: Path) -> Any:
    """The parsed file, or `None` if it does not exist; `UnusableInput` if it is not JSON."""
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UnusableInput(
            f"{path}: expected JSON, but it does not parse ({error}). Restore the file."
        ) from error


def resolve(source: str | Path) -> Source:
    """Find the files that `source` names; nothing is read but headers of names.

    `source` is a folder in the Hugging Face layout, one `.safetensors`, `.bin`, `.pt` or `.pth`
    file, a spectra `.parquet` file, a hub id (`owner/name`; the offline cache first), or `demo`.
    Raises `UnusableInput` if nothing is found, or a shard that the index names is missing.

    >>> resolve("no/such/folder/here")
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.UnusableInput: no/such/folder/here: not a file or folder, and not \
a hub id (owner/name). Give a checkpoint folder, a .safetensors, .bin, .pt or .parquet file, a \
hub id, or demo.
    """
    label = str(source)
    if not label.strip():
        raise UnusableInput("checkpoint: got an empty name; give a folder, a file, a hub id, or "
                            "demo.")
    path = Path(source).expanduser()
    if label == "demo" and not path.exists():
        return _folder(label, demo_folder())
    if path.is_dir():
        return _folder(label, path)
    if path.is_file():
        return _file(label, path)
    if _HUB_ID.fullmatch(label) and path.suffix not in {*PICKLED, ".safetensors", ".parquet"}:
        return _folder(label, hub_folder(label))
    raise UnusableInput(
        f"{label}: not a file or folder, and not a hub id (owner/name). Give a checkpoint folder, "
        "a .safetensors, .bin, .pt or .parquet file, a hub id, or demo."
    )


def _folder(label: str, folder: Path) -> Source:
    if (folder / "adapter_config.json").is_file():
        for name in ("adapter_model.safetensors", "adapter_model.bin"):
            if (folder / name).is_file():
                return Source(label, "adapter", folder, (folder / name,))
        raise UnusableInput(
            f"{folder}: has adapter_config.json, but no adapter_model.safetensors or "
            "adapter_model.bin. Save the adapter again."
        )
    files = weight_files(folder)
    if not files and (folder / "0_Transformer").is_dir():
        return _folder(label, folder / "0_Transformer")
    if not files:
        seen = ", ".join(sorted(p.name for p in folder.iterdir())[:12]) or "nothing"
        raise UnusableInput(
            f"{folder}: no weights in this folder; expected model.safetensors, "
            f"pytorch_model.bin, or shards with an index. It holds: {seen}."
        )
    kind: Kind = "safetensors" if files[0].suffix == ".safetensors" else "pickled"
    return Source(label, kind, folder, files)


def _file(label: str, path: Path) -> Source:
    if path.suffix == ".parquet":
        return Source(label, "spectra", path.parent, (path,))
    if path.suffix == ".safetensors":
        return Source(label, "safetensors", path.parent, (path,))
    if path.suffix in PICKLED:
        return Source(label, "pickled", path.parent, (path,))
    raise UnusableInput(
        f"{path}: unknown kind of file '{path.suffix}'; expected .safetensors, .bin, .pt, .pth, "
        ".ckpt or .parquet. Convert the checkpoint first (GGUF and GPTQ files hold codes)."
    )
