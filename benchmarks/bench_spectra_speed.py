"""Spectra of a BERT-base-size checkpoint: by factors against the plain dense route, one run.

    python benchmarks/bench_spectra_speed.py [--threads 2] [--blocks 12] [--width 768] [--json]

Writes a random checkpoint (width 768, 12 heads, feed-forward 3072), then measures

* ours: open, read, all spectra, Frobenius norms and column-norm sums;
* ours, verified: the same with proved ends;
* dense: open the file, form each N x N product in float64, `torch.linalg.svdvals`, the same
  norms; feed-forward matrices in the faster of the two orientations.

The dense route costs the same for every block, so it is run on `--dense-blocks` of them and
scaled up (the output says so). Wall clock and CPU time are printed, and the ratio of each: on a
machine with other work the CPU ratio with one thread is the fairer one.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file

from majorant.numerics.checkpoints import open_model
from majorant.numerics.spectra import iterate_spectra


def write_checkpoint(folder: Path, blocks: int, width: int) -> Path:
    """A BERT-like checkpoint with random float32 weights."""
    generator = torch.Generator().manual_seed(0)
    tensors = {}
    for l in range(blocks):
        base = f"encoder.layer.{l}."
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
            tensors[f"{base}{stem}.weight"] = noise * 0.04
    path = folder / "model.safetensors"
    save_file(tensors, path)
    return path


def dense_route(path: Path, blocks: int, width: int, heads: int) -> list[Any]:
    """What a reviewer would write: plain torch, float64, products formed, no factors."""
    d = width // heads
    out = []

    def norms(w: torch.Tensor) -> tuple[torch.Tensor, float, float]:
        columns = torch.linalg.vector_norm(w, dim=0)
        values = torch.linalg.svdvals(w if w.shape[0] >= w.shape[1] else w.T)
        return values, float(columns.sum()), float(torch.linalg.vector_norm(columns))

    with safe_open(path, framework="pt") as handle:

        def read(l: int, stem: str) -> torch.Tensor:
            return handle.get_tensor(f"encoder.layer.{l}.{stem}.weight").double()

        for l in range(blocks):
            q, k = read(l, "attention.self.query"), read(l, "attention.self.key")
            v, o = read(l, "attention.self.value"), read(l, "attention.output.dense")
            for h in range(heads):
                part = slice(h * d, (h + 1) * d)
                out.append(norms(q[part].T @ k[part]))
                out.append(norms(v[part].T @ o[:, part].T))
            out.append(norms(read(l, "intermediate.dense").T))
            out.append(norms(read(l, "output.dense").T))
    return out


def clock(run: Callable[[], Any]) -> tuple[float, float]:
    """Wall and CPU seconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def fix_threads(threads: int) -> None:
    """Every library to the same number of threads: numpy's reads it when it is loaded."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    if any(os.environ.get(name) != str(threads) for name in names):
        environment = {**os.environ, **dict.fromkeys(names, str(threads))}
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)
    torch.set_num_threads(threads)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--dense-blocks", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    fix_threads(args.threads)
    with tempfile.TemporaryDirectory() as folder:
        path = write_checkpoint(Path(folder), args.blocks, args.width)

        def ours(verified: bool) -> None:
            model = open_model(path, heads=args.heads)
            for _ in iterate_spectra(model, verified=verified):
                pass

        few = min(args.dense_blocks, args.blocks)
        scale = args.blocks / few
        # The two routes in turn, so that a load on the machine meets both; the best of each.
        best: dict[str, tuple[float, float]] = {}
        for _ in range(2):
            for name, run, factor in (
                ("ours", lambda: ours(False), 1.0),
                ("dense", lambda: dense_route(path, few, args.width, args.heads), scale),
                ("ours, verified", lambda: ours(True), 1.0),
            ):
                wall, cpu = (t * factor for t in clock(run))
                old = best.get(name, (wall, cpu))
                best[name] = min(wall, old[0]), min(cpu, old[1])
    result = {
        "threads": args.threads,
        "blocks": args.blocks,
        "width": args.width,
        "dense_blocks_measured": few,
        **{f"{name}: wall s": round(t[0], 3) for name, t in best.items()},
        **{f"{name}: cpu s": round(t[1], 3) for name, t in best.items()},
        "dense / ours (wall)": round(best["dense"][0] / best["ours"][0], 2),
        "dense / ours (cpu)": round(best["dense"][1] / best["ours"][1], 2),
        "verified / ours (wall)": round(best["ours, verified"][0] / best["ours"][0], 2),
        "verified / ours (cpu)": round(best["ours, verified"][1] / best["ours"][1], 2),
    }
    print(json.dumps(result, indent=None if args.json else 1))


if __name__ == "__main__":
    main()
