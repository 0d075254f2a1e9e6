"""The same number of threads for every library."""

import os
import sys

import torch

NAMES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def with_threads(threads: int) -> dict[str, str]:
    """The environment of a process whose libraries use so many threads."""
    return {**os.environ, **dict.fromkeys(NAMES, str(threads))}


def fix_threads(threads: int) -> None:
    """Use so many threads; starts this program again, since numpy reads it when it is loaded."""
    if any(os.environ.get(name) != str(threads) for name in NAMES):
        os.execve(sys.executable, [sys.executable, *sys.argv], with_threads(threads))
    torch.set_num_threads(threads)
