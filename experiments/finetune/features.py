"""What the frozen part of the encoder computes, cached on disk in resumable pieces.

Nothing below the last block's second feed-forward matrix is trained, so it is a fixed function of
the text. For each token the cache holds `base`, the input of the last LayerNorm with the shipped
weights, and `code = activations @ U`, the image of the feed-forward activations under the seeded
factor `U` of the update `U V`. The fine-tuned network's last LayerNorm then sees `base + code V`,
exactly, for every `V`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.declared import seeded_factor
from majorant.numerics.whole_file import whole_file

PIECE = 4096
MAX_TOKENS = 32


@dataclass(frozen=True)
class Piece:
    """Features of consecutive texts: tokens are concatenated, `offsets` delimits the texts.

    Shapes: `base` (tokens, N), `code` (tokens, rank), `offsets` (texts + 1,).
    """

    base: np.ndarray
    code: np.ndarray
    offsets: np.ndarray


class Encoder:
    """The frozen encoder; `features` maps texts to pieces of the cache."""

    def __init__(self, folder: Path, rank: int, seed: int) -> None:
        try:
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise UnusableInput(
                "the finetune experiment needs transformers: pip install 'majorant[experiments]'"
            ) from error
        self.tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        self.model = AutoModel.from_pretrained(str(folder), local_files_only=True).eval()
        width = self.model.config.intermediate_size
        self.factor = torch.from_numpy(seeded_factor(width, rank, seed)).to(torch.float32)
        self._seen: dict[str, torch.Tensor] = {}
        last = self.model.encoder.layer[-1]
        last.output.LayerNorm.register_forward_pre_hook(self._keep("base"))
        last.output.dense.register_forward_pre_hook(self._keep("activations"))

    def _keep(self, name: str) -> Callable[[object, tuple[torch.Tensor, ...]], None]:
        def hook(module: object, inputs: tuple[torch.Tensor, ...]) -> None:
            self._seen[name] = inputs[0]
        return hook

    @torch.no_grad()
    def features(self, texts: Sequence[str], batch: int = 64) -> Piece:
        """Features of `texts`, in order; batches are formed by length to save padding."""
        ids = self.tokenizer(list(texts), truncation=True, max_length=MAX_TOKENS)["input_ids"]
        order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
        base: list[np.ndarray | None] = [None] * len(ids)
        code: list[np.ndarray | None] = [None] * len(ids)
        for start in range(0, len(order), batch):
            chosen = order[start:start + batch]
            longest = max(len(ids[index]) for index in chosen)
            tokens = torch.zeros(len(chosen), longest, dtype=torch.long)
            mask = torch.zeros(len(chosen), longest, dtype=torch.long)
            for row, index in enumerate(chosen):
                tokens[row, :len(ids[index])] = torch.tensor(ids[index])
                mask[row, :len(ids[index])] = 1
            self.model(input_ids=tokens, attention_mask=mask)
            projected = self._seen["activations"] @ self.factor
            for row, index in enumerate(chosen):
                base[index] = self._seen["base"][row, :len(ids[index])].numpy().copy()
                code[index] = projected[row, :len(ids[index])].numpy().copy()
        offsets = np.cumsum([0] + [len(item) for item in ids])
        return Piece(np.concatenate([x for x in base if x is not None]),
                     np.concatenate([x for x in code if x is not None]), offsets)


def _write(path: Path, piece: Piece) -> None:
    with whole_file(path) as part, part.open("wb") as stream:
        np.savez(stream, base=piece.base, code=piece.code, offsets=piece.offsets)


def read_piece(path: Path) -> Piece:
    """One cached piece."""
    with np.load(path) as stored:
        return Piece(stored["base"], stored["code"], stored["offsets"])


def texts_in(path: Path) -> int:
    """Number of texts of a cached piece; reads its offsets only."""
    with np.load(path) as stored:
        return len(stored["offsets"]) - 1


def cache_features(texts: Sequence[str], folder: Path, encoder: Callable[[], Encoder], key: str,
                   progress: Callable[[int, int], None] | None = None) -> list[Path]:
    """Compute the features that `folder` does not hold yet and return the pieces in order.

    `key` describes all that the features depend on; a folder made with another key is refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    marker = folder / "key.json"
    if marker.exists() and json.loads(marker.read_text())["key"] != key:
        raise UnusableInput(
            f"{folder}: holds features of another pool or model; choose an empty folder")
    marker.write_text(json.dumps({"key": key}))
    paths = [folder / f"piece-{start:08d}.npz" for start in range(0, len(texts), PIECE)]
    model: Encoder | None = None
    for number, path in enumerate(paths):
        if not path.exists():
            model = model or encoder()
            _write(path, model.features(texts[number * PIECE:(number + 1) * PIECE]))
        if progress:
            progress(min((number + 1) * PIECE, len(texts)), len(texts))
    return paths
