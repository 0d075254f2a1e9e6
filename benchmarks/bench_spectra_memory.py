"""Peak memory of `spectra` on a sharded checkpoint, against its largest tensor in float64.

    python benchmarks/bench_spectra_memory.py [--gigabytes 2] [--width 1024] [--verified] [--json]

Writes a random checkpoint of that many GiB (float32, shards of 256 MiB, an index), then measures
in a fresh process: resident memory after the imports and one small matrix (the interpreter, the
libraries and their thread buffers), and the peak after all spectra. The ratio is

    (peak - before) / (largest tensor in float64),

which must stay below 4 for any size of the checkpoint. Mapped file pages count as resident, as
the kernel counts them.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from random_block import random_block
from safetensors.torch import save_file
from threads import with_threads

_CHILD = """
import resource, sys, torch
from majorant.numerics.checkpoints import open_model
from majorant.numerics.spectra import dense_spectrum, factored_spectra, iterate_spectra
verified = sys.argv[3] == "True"
small = torch.randn(64, 96, dtype=torch.float64)
dense_spectrum(small, verified=verified)
factored_spectra(small[None], small[None], verified=verified)
def resident():
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return int(lines["VmRSS"].split()[0]) * 1024, int(lines["VmHWM"].split()[0]) * 1024
model = open_model(sys.argv[1], heads=int(sys.argv[2]))
before, _ = resident()
count = sum(1 for _ in iterate_spectra(model, verified=verified))
print(count, before, resident()[1])
"""


def write_shards(folder: Path, gigabytes: float, width: int) -> tuple[int, int, int]:
    """A BERT-like checkpoint in shards; returns blocks, bytes written and the largest tensor."""
    generator = torch.Generator().manual_seed(0)
    per_block = 4 * width * width * 12
    blocks = max(1, round(gigabytes * 2**30 / per_block))
    shard: dict[str, torch.Tensor] = {}
    where: dict[str, str] = {}
    size = total = count = 0

    def flush() -> None:
        nonlocal shard, size, count
        if shard:
            name = f"model-{count + 1:05d}.safetensors"
            save_file(shard, folder / name)
            where.update(dict.fromkeys(shard, name))
            shard, size, count = {}, 0, count + 1

    for l in range(blocks):
        for name, tensor in random_block(l, width, generator):
            shard[name] = tensor
            size += tensor.numel() * 4
            total += tensor.numel() * 4
            if size > 2**28:
                flush()
    flush()
    index = {"metadata": {"total_size": total}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return blocks, total, 4 * width * width


def measure(folder: Path, heads: int, verified: bool, threads: int) -> tuple[int, int, int]:
    """Matrices, resident bytes before and peak bytes after, of a fresh process."""
    command = [sys.executable, "-c", _CHILD, str(folder), str(heads), str(verified)]
    done = subprocess.run(command, env=with_threads(threads), capture_output=True, text=True,
                          check=True)
    count, before, peak = (int(x) for x in done.stdout.split())
    return count, before, peak


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--heads", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--verified", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        blocks, total, largest = write_shards(Path(folder), args.gigabytes, args.width)
        count, before, peak = measure(Path(folder), args.heads, args.verified, args.threads)
    result = {
        "threads": args.threads,
        "checkpoint MiB": total // 2**20,
        "blocks": blocks,
        "matrices": count,
        "verified": args.verified,
        "largest tensor in float64, MiB": largest * 8 // 2**20,
        "before, MiB": before // 2**20,
        "peak, MiB": peak // 2**20,
        "(peak - before) / largest": round((peak - before) / (largest * 8), 2),
    }
    print(json.dumps(result, indent=None if args.json else 1))


if __name__ == "__main__":
    main()
