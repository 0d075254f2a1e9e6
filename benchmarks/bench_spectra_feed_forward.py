"""One feed-forward matrix: our route against every accurate route there is, in one run.

    python benchmarks/bench_spectra_feed_forward.py [--threads 2] [--width 768] [--json]

A random `width x 4 width` matrix in float64. Each route's values are compared with the SVD's;
only routes with relative error below 1e-9 count as accurate. Ours also computes the Frobenius
norm and the column norms and checks the sum of squares.
"""

import argparse
import json
import time
from collections.abc import Callable

import numpy as np
import torch
from threads import fix_threads

from majorant.numerics.spectra import dense_spectrum


def routes(w: torch.Tensor) -> dict[str, Callable[[], torch.Tensor]]:
    """Singular values of a wide matrix by each route, descending."""
    array = w.numpy()

    def gram() -> torch.Tensor:
        return torch.linalg.eigvalsh(w @ w.T).flip(0).sqrt()

    def gram_numpy() -> torch.Tensor:
        # numpy recognizes W W^T and forms one triangle only.
        return torch.from_numpy(np.sqrt(np.linalg.eigvalsh(array @ array.T)[::-1].copy()))

    def gram_mixed() -> torch.Tensor:
        return torch.linalg.eigvalsh(torch.from_numpy(array @ array.T)).flip(0).sqrt()

    def qr() -> torch.Tensor:
        return torch.linalg.svdvals(torch.linalg.qr(w.T, mode="r").R)

    return {
        "svdvals": lambda: torch.linalg.svdvals(w),
        "svdvals, transposed": lambda: torch.linalg.svdvals(w.T),
        "QR, svdvals": qr,
        "Gram, torch": gram,
        "Gram, numpy": gram_numpy,
        "Gram, numpy and torch": gram_mixed,
        "ours": lambda: torch.from_numpy(dense_spectrum(w).singular_values),
        "ours, verified": lambda: torch.from_numpy(
            dense_spectrum(w, verified=True).singular_values
        ),
    }


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    fix_threads(args.threads)
    generator = torch.Generator().manual_seed(0)
    w = torch.randn(args.width, 4 * args.width, generator=generator, dtype=torch.float64)
    truth = torch.linalg.svdvals(w.T)
    found = routes(w)
    wall = dict.fromkeys(found, float("inf"))
    cpu = dict.fromkeys(found, float("inf"))
    error = {}
    for _ in range(args.rounds):
        for name, run in found.items():
            t, p = time.perf_counter(), time.process_time()
            values = run()
            wall[name] = min(wall[name], time.perf_counter() - t)
            cpu[name] = min(cpu[name], time.process_time() - p)
            error[name] = float((values / truth - 1).abs().max())
    others = [n for n in found if not n.startswith("ours") and error[n] < 1e-9]
    fastest = min(others, key=wall.__getitem__)
    leanest = min(others, key=cpu.__getitem__)
    result = {
        "threads": args.threads,
        "shape": list(w.shape),
        "milliseconds": {n: round(1e3 * t, 2) for n, t in wall.items()},
        "cpu milliseconds": {n: round(1e3 * t, 2) for n, t in cpu.items()},
        "largest relative error": {n: float(f"{e:.1e}") for n, e in error.items()},
        "fastest accurate route": fastest,
        "ours / fastest (wall)": round(wall["ours"] / wall[fastest], 3),
        "ours / leanest (cpu)": round(cpu["ours"] / cpu[leanest], 3),
        "verified / ours (wall)": round(wall["ours, verified"] / wall["ours"], 3),
    }
    print(json.dumps(result, indent=None if args.json else 1))


if __name__ == "__main__":
    main()
