"""Tensors of one BERT-like block with random weights, by their stored names."""

from collections.abc import Iterator

import torch


def random_block(l: int, width: int, generator: torch.Generator) -> Iterator[
        tuple[str, torch.Tensor]]:
    """Names and float32 values of block `l`; feed-forward of four widths."""
    shapes: dict[str, tuple[int, ...]] = {
        "attention.self.query": (width, width),
        "attention.self.key": (width, width),
        "attention.self.value": (width, width),
        "attention.output.dense": (width, width),
        "attention.output.LayerNorm": (width,),
        "intermediate.dense": (4 * width, width),
        "output.dense": (width, 4 * width),
        "output.LayerNorm": (width,),
    }
    for stem, shape in shapes.items():
        noise = torch.randn(shape, generator=generator)
        yield f"encoder.layer.{l}.{stem}.weight", noise * 0.04
