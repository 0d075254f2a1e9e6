"""Memory does not grow with the checkpoint: one tensor is resident at a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

_CHILD = """
import sys
from majorant.numerics.checkpoints import open_model
from majorant.numerics.spectra import iterate_spectra
model = open_model(sys.argv[1], heads=8)
assert sum(1 for _ in iterate_spectra(model)) == 18 * len(model.blocks)
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def write(path: Path, blocks: int, width: int = 512) -> Path:
    tensors = {}
    generator = torch.Generator().manual_seed(0)
    for l in range(blocks):
        for stem, shape in {
            "attention.self.query": (width, width),
            "attention.self.key": (width, width),
            "attention.self.value": (width, width),
            "attention.output.dense": (width, width),
            "attention.output.LayerNorm": (width,),
            "intermediate.dense": (4 * width, width),
            "output.dense": (width, 4 * width),
            "output.LayerNorm": (width,),
        }.items():
            name = f"encoder.layer.{l}.{stem}.weight"
            tensors[name] = torch.randn(shape, generator=generator)
    save_file(tensors, path)
    return path


def peak_bytes(path: Path) -> int:
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(path)],
        # A fixed threshold: what is freed goes back, so that the peak is not the allocator's.
        env={**os.environ, **dict.fromkeys(names, "1"), "MALLOC_MMAP_THRESHOLD_": "1000000"},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout) * 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's /proc")
def test_weightwatcher_266_memory_does_not_grow_over_a_file(tmp_path: Path) -> None:
    few = write(tmp_path / "few.safetensors", 2)
    many = write(tmp_path / "many.safetensors", 12)
    largest = 4 * 512 * 512 * 8
    grown = many.stat().st_size - few.stat().st_size
    assert grown > 15 * largest / 2  # had everything stayed resident
    assert peak_bytes(many) - peak_bytes(few) < 0.75 * largest
