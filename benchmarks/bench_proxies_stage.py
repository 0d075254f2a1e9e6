"""The proxies stage of `evaluate` on a BERT-base-size checkpoint against the plain dense route.

    python benchmarks/bench_proxies_stage.py [--threads 2] [--blocks 12] [--width 768] [--json]

Writes a random checkpoint (12 heads, feed-forward of four widths, a token table), then measures

* ours: open, read, all spectra with norms, proxies and leading factors for three head constants;
* ours, verified: the same with proved ends of the singular values;
* dense: read the file, form each N x N product in float64, `torch.linalg.svdvals` (matrices that
  are not square in the faster orientation), the same norms, then `B_spectrum` and `B_norm` for one
  head constant with NumPy loops over matrices and indices.

Both must find the same proxies to 1e-9. The first call of ours, which also builds the kernels, is
shown apart. Wall clock and CPU time are printed, the best of two rounds in turn.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from random_block import random_block
from safetensors import safe_open
from safetensors.torch import save_file
from threads import fix_threads

from majorant.cli.factor_report import factor_report
from majorant.numerics.checkpoints import open_model
from majorant.numerics.spectra import SpectrumSet, spectra


def write_checkpoint(folder: Path, blocks: int, width: int) -> Path:
    """A BERT-like checkpoint with random float32 weights."""
    generator = torch.Generator().manual_seed(0)
    tensors = {"embeddings.word_embeddings.weight": torch.zeros(40 * width, width)}
    for l in range(blocks):
        tensors |= dict(random_block(l, width, generator))
    path = folder / "model.safetensors"
    save_file(tensors, path)
    return path


def dense_spectra(path: Path, blocks: int, heads: int) -> list[list[Any]]:
    """Per block: singular values, column-norm sum of each head's products and of the matrices."""

    def norms(w: torch.Tensor, rank: int) -> tuple[Any, float]:
        columns = torch.linalg.vector_norm(w, dim=0)
        values = torch.linalg.svdvals(w if w.shape[0] >= w.shape[1] else w.T)
        return values[:rank].numpy(), float(columns.sum())

    table = []
    with safe_open(path, framework="pt") as handle:

        def read(l: int, stem: str) -> torch.Tensor:
            return handle.get_tensor(f"encoder.layer.{l}.{stem}.weight").double()

        for l in range(blocks):
            q, k = read(l, "attention.self.query"), read(l, "attention.self.key")
            v, o = read(l, "attention.self.value"), read(l, "attention.output.dense")
            d = q.shape[0] // heads
            parts = [slice(h * d, (h + 1) * d) for h in range(heads)]
            table.append([
                [norms(q[part].T @ k[part], d) for part in parts],
                [norms(v[part].T @ o[:, part].T, d) for part in parts],
                norms(read(l, "intermediate.dense").T, q.shape[0]),
                norms(read(l, "output.dense").T, q.shape[0])])
    return table


def numpy_proxies(table: list[list[Any]], width: int) -> tuple[float, float]:
    """`B_spectrum` and `B_norm` with the published constants, in plain loops."""
    blocks = len(table)
    m = int(np.ceil(blocks + np.log(width)))
    log_alpha, total, xi = 0.0, np.sqrt(blocks), 1.0
    for qk, v, (w_in, in21), (w_out, out21) in reversed(table):
        alpha, c_in, c_out = np.exp(log_alpha), w_in[0], w_out[0]
        both = c_in * c_out
        matrices = [(w_out, 1.0), (w_in, c_out)]
        norms = (c_out * in21) ** (2 / 3) + out21 ** (2 / 3)
        for (a, a21), (b, b21) in zip(qk, v, strict=True):
            matrices += [(a, 2 * b[0] * both), (b, both)]
            norms += (both * b[0] * a21) ** (2 / 3) + (both * b21) ** (2 / 3)
        for sigma, gamma in matrices:
            kappa, best = gamma * alpha * blocks, np.inf
            for step in range(2 * m + 1):
                p = step / m
                schatten = np.sum(sigma**p)
                best = min(best, schatten ** (1 / (p + 2)) * kappa ** (p / (p + 2))
                           * width ** ((p + 1) / (p + 2)))
            total += best
        xi += alpha ** (2 / 3) * norms
        log_alpha += np.log(1.13 * both * sum(
            b[0] * (1 + 4 * a[0]) for (a, _), (b, _) in zip(qk, v, strict=True)))
    return float(total), float(xi**1.5)


def clock(run: Callable[[], Any]) -> tuple[float, float]:
    """Wall and CPU seconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    fix_threads(args.threads)
    with tempfile.TemporaryDirectory() as folder:
        path = write_checkpoint(Path(folder), args.blocks, args.width)
        proxies: dict[str, tuple[float, float]] = {}

        def ours(verified: bool) -> None:
            found: SpectrumSet = spectra(open_model(path, heads=args.heads), verified=verified)
            report = factor_report(found)["proxies"]
            proxies["ours"] = report["B_spectrum"], report["B_norm"]

        def dense() -> None:
            table = dense_spectra(path, args.blocks, args.heads)
            proxies["dense"] = numpy_proxies(table, args.width)

        first = clock(lambda: ours(False))
        # The routes in turn, so that a load on the machine meets all; the best of each.
        best: dict[str, tuple[float, float]] = {}
        for _ in range(2):
            for name, run in (("ours", lambda: ours(False)), ("dense", dense),
                              ("ours, verified", lambda: ours(True))):
                wall, cpu = clock(run)
                old = best.get(name, (wall, cpu))
                best[name] = min(wall, old[0]), min(cpu, old[1])
    result = {
        "threads": args.threads,
        "blocks": args.blocks,
        "width": args.width,
        "same proxies": bool(np.allclose(proxies["ours"], proxies["dense"], rtol=1e-9, atol=0)),
        **{f"{name}: wall s": round(t[0], 3) for name, t in best.items()},
        **{f"{name}: cpu s": round(t[1], 3) for name, t in best.items()},
        "dense / ours (wall)": round(best["dense"][0] / best["ours"][0], 2),
        "dense / first call of ours (wall)": round(best["dense"][0] / first[0], 2),
        "dense / ours (cpu)": round(best["dense"][1] / best["ours"][1], 2),
        "dense / ours, verified (wall)": round(
            best["dense"][0] / best["ours, verified"][0], 2),
    }
    print(json.dumps(result, indent=None if args.json else 1))


if __name__ == "__main__":
    main()
