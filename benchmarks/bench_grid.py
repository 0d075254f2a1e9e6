"""Grid of contributions: one batched kernel against a NumPy loop over matrices and indices.

BERT-base sizes: 312 matrices (12 blocks, 12 heads), 39 indices. Prints the ratio of medians in one
run with two threads (the NumPy loop uses one). Usage: python benchmarks/bench_grid.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from majorant.numerics.proxies import log_contributions

THREADS = 2
WIDTH, BLOCKS, HEADS, RESOLUTION = 768, 12, 12, 19


def spectra(rng: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray]:
    """Descending positive spectra of every matrix and the logarithms of the sensitivities."""
    ranks = [64] * (2 * HEADS * BLOCKS) + [768] * (2 * BLOCKS)
    found = [np.sort(rng.exponential(size=r) + 1e-3)[::-1].copy() for r in ranks]
    return found, rng.uniform(0, 60, size=len(found))


def numpy_loop(values: list[np.ndarray], log_kappa: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """What a reviewer would write: two loops, vectorized over singular values."""
    table = np.empty((len(values), len(grid)))
    for row, sigma in enumerate(values):
        kappa = np.exp(log_kappa[row])
        for column, p in enumerate(grid):
            schatten = np.sum(sigma**p)
            table[row, column] = (schatten ** (1 / (p + 2)) * kappa ** (p / (p + 2))
                                  * WIDTH ** ((p + 1) / (p + 2)))
    return table


def kernel(groups: list[tuple[torch.Tensor, torch.Tensor]], grid: torch.Tensor) -> torch.Tensor:
    """The lowered expression, one call a group of equal rank, in the log domain."""
    return torch.cat([log_contributions(v, k, WIDTH, grid) for v, k in groups])


def median(body: Callable[[], object], runs: int = 7) -> float:
    """Median seconds of `runs` calls after one warm-up."""
    body()
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        body()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def main() -> None:
    torch.set_num_threads(THREADS)
    values, log_kappa = spectra(np.random.default_rng(0))
    grid = np.arange(2 * RESOLUTION + 1) / RESOLUTION
    heads = 2 * HEADS * BLOCKS
    groups = [(torch.from_numpy(np.stack(part)), torch.from_numpy(logs)) for part, logs in
              ((values[:heads], log_kappa[:heads]), (values[heads:], log_kappa[heads:]))]
    indices = torch.from_numpy(grid)
    same = np.allclose(np.log(numpy_loop(values, log_kappa, grid)),
                       kernel(groups, indices).numpy(), rtol=1e-10)
    slow = median(lambda: numpy_loop(values, log_kappa, grid))
    fast = median(lambda: kernel(groups, indices))
    print(f"{len(values)} matrices x {len(grid)} indices, {THREADS} threads, equal results: {same}")
    print(f"NumPy loop {slow:.4f} s, kernel {fast:.4f} s, ratio {slow / fast:.1f}")


if __name__ == "__main__":
    main()
