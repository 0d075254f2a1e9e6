"""Blocks of one network have the same parts: a bias that only one of them lacks was lost."""

from dataclasses import fields

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.layers import Norm
from majorant.numerics.checkpoints.model import Block
from majorant.numerics.checkpoints.view import View


def optional_parts(block: Block) -> dict[str, View | None]:
    """Every vector and matrix that an architecture may leave out, by its place in the block."""
    found: dict[str, View | None] = {}
    for place in ("attention", "attention_norm", "feed_forward", "feed_forward_norm"):
        part = getattr(block, place)
        for entry in fields(part):
            value = getattr(part, entry.name)
            if isinstance(value, Norm):
                found[f"{place}.{entry.name}"] = value.gain_view
                found[f"{place}.{entry.name}.bias"] = value.bias_view
            elif entry.name.endswith(("_view", "_norm")):
                found[f"{place}.{entry.name}"] = value
    return found


def require_alike(blocks: tuple[Block, ...], bases: list[str], where: str) -> None:
    """Raise `UnusableInput` where some blocks have a part and others lack it; names the tensor.

    `bases` is what precedes the names of each block (`Assembly.block_base`).
    """
    parts = [optional_parts(block) for block in blocks]
    for place in parts[0]:
        have = [k for k, found in enumerate(parts) if found[place] is not None]
        if not have or len(have) == len(blocks):
            continue
        lacking = next(k for k in range(len(blocks)) if k not in have)
        view = parts[have[0]][place]
        assert view is not None
        raise UnusableInput(
            f"{where}: {bases[lacking]}{view.name.removeprefix(bases[have[0]])} is missing, while "
            f"{view.name} is there; expected the same parts in every block. The checkpoint is "
            "incomplete."
        )
