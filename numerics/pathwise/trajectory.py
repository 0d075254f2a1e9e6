"""An observed trajectory: read from a file, and held against what was declared of the chain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from majorant.derivation.errors import UnusableInput
from majorant.numerics.pathwise.chain import Chain, check_states


def largest_distance(states: NDArray[np.float64]) -> float:
    """The largest Euclidean distance of two rows, exactly (up to the rounding of one distance).

    Far rows first: once twice the radius of the next one is below the best, nothing is left.

    >>> largest_distance(np.array([[0.0, 0.0], [0.3, 0.4], [0.1, 0.0]]))
    0.5
    """
    centre = (states.min(axis=0) + states.max(axis=0)) / 2
    radius = np.linalg.norm(states - centre, axis=1)
    order = np.argsort(-radius)
    states, radius = states[order], radius[order]
    best = 0.0
    for position, row in enumerate(states):
        if 2 * radius[position] <= best:
            break
        reachable = np.searchsorted(-radius, radius[position] - best, side="right")
        distances = np.linalg.norm(states[position:max(int(reachable), position + 1)] - row, axis=1)
        best = max(best, float(distances.max()))
    return best


def read_trajectory(path: Path) -> NDArray[np.float64]:
    """Rows of numbers from a `.npy` file or from text with commas or blanks.

    Raises `UnusableInput` for a missing or unreadable file, another shape, NaN and infinities.
    """
    try:
        states = (np.load(path, allow_pickle=False) if path.suffix == ".npy" else np.loadtxt(
            path, delimiter="," if path.suffix == ".csv" else None, ndmin=2))
    except (OSError, ValueError, EOFError) as error:
        raise UnusableInput(f"{path}: not a readable trajectory ({error}); expected a .npy array "
                            "or a text file with one state a row") from None
    if states.ndim != 2 or not states.size or not np.issubdtype(states.dtype, np.number) or (
            np.iscomplexobj(states)):
        raise UnusableInput(f"{path}: has shape {states.shape} and type {states.dtype}; expected "
                            "real numbers, one row a time, one column a coordinate")
    states = np.asarray(states, dtype=np.float64)
    bad = int((~np.isfinite(states)).sum())
    if bad:
        raise UnusableInput(f"{path}: {bad} entries are NaN or infinite")
    return states


def check_trajectory(path: Path, chain: Chain, steps: int) -> None:
    """Refuse a declaration that the first `steps` states of the file contradict.

    Raises `UnusableInput` for a file that is shorter than `steps`, has another dimension, leaves
    the unit cube, or exceeds the declared diameter. Nothing else of the chain can be checked on
    one trajectory.
    """
    states = read_trajectory(path)
    if states.shape[1] != chain.dimension:
        raise UnusableInput(f"{path}: states have {states.shape[1]} coordinates, the chain was "
                            f"declared with dim={chain.dimension}")
    if len(states) < steps:
        raise UnusableInput(f"{path}: the trajectory has {len(states)} states, fewer than "
                            f"n={steps}; give -n {len(states)} or a longer trajectory")
    states = states[:steps]
    check_states(chain, float(states.min()), float(states.max()), largest_distance(states))
