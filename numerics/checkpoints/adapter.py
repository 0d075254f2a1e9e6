"""LoRA adapters in PEFT's format, read as factors over a base checkpoint."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.pickled_store import PickledStore
from majorant.numerics.checkpoints.safetensors_store import SafetensorsStore
from majorant.numerics.checkpoints.source import Source
from majorant.numerics.checkpoints.store import Entry, Store
from majorant.numerics.checkpoints.usable import as_float64

# Adapters of these kinds are differences to a base that the initialization has changed.
_CHANGED_BASE = ("pissa", "olora", "corda", "loftq")
_REFUSED = ("use_dora", "layer_replication", "use_bdlora", "arrow_config")
_LORA = re.compile(r"(?P<module>.+)\.lora_(?P<side>[AB])(\.default)?\.weight")
_WRAP = re.compile(r"^base_model\.model\.|\.modules_to_save(\.default)?(?=\.)|\.base_layer(?=\.)")


@dataclass(frozen=True)
class LowRank:
    """A change `left @ right^T` of one weight, row-vector orientation, `(in, r)` and `(out, r)`.

    The scale is inside `right`; `scale_error` bounds the relative rounding of that product.
    """

    left: torch.Tensor
    right: torch.Tensor
    scale_error: float = 2.0**-51


class AdapterStore:
    """A base store with an adapter's changes: the same names, `W + scale * B A` where adapted.

    `low_rank(name)` gives the change as factors, so that its rank is exact. Whole tensors that
    the adapter saves (a classifier) replace the base's. Raises `UnusableInput` for adapters that
    are not plain LoRA, that do not fit the base, or that hold tensors without a meaning here.
    """

    def __init__(self, source: Source, base: Store) -> None:
        config = source.json("adapter_config.json")
        if not isinstance(config, dict):
            raise UnusableInput(f"{source.label}: adapter_config.json is not a JSON object.")
        _require_plain_lora(config, source.label)
        self.base = base
        self._config = config
        self._label = source.label
        self._files: Store = (
            SafetensorsStore(source.files)
            if source.files[0].suffix == ".safetensors"
            else PickledStore(source.files)
        )
        self._sides: dict[str, dict[str, str]] = {}
        self._whole: dict[str, str] = {}
        self._entries = dict(base.entries())
        for stored in self._files.entries():
            self._place(stored)
        for name, sides in self._sides.items():
            self._check_pair(name, sides)
        if not self._sides and not self._whole:
            raise UnusableInput(f"{source.label}: the adapter holds no tensor.")

    def entries(self) -> Mapping[str, Entry]:
        """The base's headers, and those of whole tensors that the adapter brings."""
        return self._entries

    def read(self, name: str) -> torch.Tensor:
        """The adapted tensor, in the orientation of the base; float64 where it was adapted."""
        if name in self._whole:
            return self._files.read(self._whole[name])
        raw = self.base.read(name)
        change = self.low_rank(name)
        if change is None:
            return raw
        entry = self._entries[name]
        wide = as_float64(name, raw, entry.file)
        moved = change.left @ change.right.T
        return wide + (moved if self._in_first(name) else moved.T)

    def sample(self, name: str) -> bytes:
        """Bytes that equal tensors share."""
        if name in self._whole:
            return self._files.sample(self._whole[name])
        return self.base.sample(name) + (name.encode() if name in self._sides else b"")

    def moved(self, name: str) -> bool:
        """Whether the adapter changes this tensor."""
        return name in self._sides or name in self._whole

    def low_rank(self, name: str) -> LowRank | None:
        """The change of an adapted weight as factors, or `None` if it is not adapted so."""
        sides = self._sides.get(name)
        if sides is None:
            return None
        a, b = (
            as_float64(sides[s], self._files.read(sides[s]), self._files.entries()[sides[s]].file)
            for s in "AB"
        )
        return LowRank(a.T, b * self._scale(sides["A"], a.shape[0]))

    def _place(self, stored: str) -> None:
        match = _LORA.fullmatch(stored)
        plain = _WRAP.sub("", match["module"] + ".weight" if match else stored)
        name = self._base_name(plain)
        if match:
            if name is None:
                raise UnusableInput(
                    f"{self._label}: adapts {plain}, which the reference does not have. The "
                    "adapter belongs to another base model."
                )
            self._sides.setdefault(name, {})[match["side"]] = stored
            return
        if ".lora_" in stored:
            raise UnusableInput(
                f"{self._label}: {stored} is no factor of a plain LoRA update of a weight; "
                "expected lora_A.weight and lora_B.weight only. Merge the adapter and give the "
                "merged checkpoint."
            )
        target = name or plain
        entry = self._files.entries()[stored]
        before = self._entries.get(target)
        if before is not None and before.shape != entry.shape:
            raise UnusableInput(
                f"{self._label}: {stored} has shape {entry.shape}, the reference's {target} "
                f"{before.shape}."
            )
        self._whole[target] = stored
        self._entries[target] = Entry(target, entry.dtype, entry.shape, entry.file)

    def _base_name(self, plain: str) -> str | None:
        """The base's name of a module: it may carry more or fewer wrapping words in front."""
        names = self.base.entries()
        if plain in names:
            return plain
        found = [n for n in names if plain.endswith("." + n) or n.endswith("." + plain)]
        if len(found) > 1:
            raise UnusableInput(f"{self._label}: {plain} could be any of {', '.join(found)}.")
        return found[0] if found else None

    def _check_pair(self, name: str, sides: dict[str, str]) -> None:
        if set(sides) != {"A", "B"}:
            raise UnusableInput(
                f"{self._label}: {next(iter(sides.values()))} has no partner; a LoRA update needs "
                "lora_A and lora_B."
            )
        headers = self._files.entries()
        a, b = headers[sides["A"]].shape, headers[sides["B"]].shape
        shape = self._entries[name].shape
        if len(a) != 2 or len(b) != 2 or len(shape) != 2 or a[0] != b[1]:
            raise UnusableInput(
                f"{self._label}: lora_A {a} and lora_B {b} are not the factors of a matrix."
            )
        if sorted((a[1], b[0])) != sorted(shape):
            raise UnusableInput(
                f"{self._label}: the update of {name} has shape {(b[0], a[1])}, the reference's "
                f"weight {shape}. The adapter belongs to another base model."
            )

    def _in_first(self, name: str) -> bool:
        """Whether the base stores `(in, out)`: by the shapes, by the flag where it is square."""
        sides = self._sides[name]
        headers = self._files.entries()
        update = headers[sides["B"]].shape[0], headers[sides["A"]].shape[1]
        if update[0] == update[1]:
            return bool(self._config.get("fan_in_fan_out"))
        return update != self._entries[name].shape

    def _scale(self, stored: str, rank: int) -> float:
        config = self._config
        module = _WRAP.sub("", stored).rsplit(".lora_", 1)[0]
        alpha = config.get("lora_alpha", rank)
        for pattern, value in (config.get("alpha_pattern") or {}).items():
            if re.fullmatch(rf"(.*\.)?({pattern})", module):
                alpha = value
                break
        return float(alpha) / (math.sqrt(rank) if config.get("use_rslora") else rank)


def _require_plain_lora(config: dict[str, Any], label: str) -> None:
    kind = config.get("peft_type")
    if kind != "LORA":
        raise UnusableInput(f"{label}: an adapter of type {kind}; expected LORA.")
    for key in _REFUSED:
        if config.get(key):
            raise UnusableInput(
                f"{label}: adapter_config.json sets {key}; expected plain LoRA, W + scale B A. "
                "Merge the adapter and give the merged checkpoint."
            )
    start = str(config.get("init_lora_weights", "")).lower()
    if start.startswith(_CHANGED_BASE):
        raise UnusableInput(
            f"{label}: initialized with {start}, which changes the base weights: the factors are "
            "not the difference to the reference. Convert the adapter to plain LoRA first."
        )
