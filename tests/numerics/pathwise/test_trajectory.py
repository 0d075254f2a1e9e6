"""An observed trajectory is held against the declared chain; distances are exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from majorant.derivation.errors import UnusableInput
from majorant.numerics.pathwise import parse_chain
from majorant.numerics.pathwise.trajectory import (
    check_trajectory,
    largest_distance,
    read_trajectory,
)

CHAIN = parse_chain("rho=0.5,diameter=1,dim=2")


@given(arrays.arrays(np.float64, st.tuples(st.integers(1, 40), st.integers(1, 3)),
                     elements=st.floats(0, 1)))
@settings(max_examples=60, deadline=None)
def test_the_pruned_search_finds_the_farthest_pair(states: np.ndarray) -> None:
    every = max(float(np.linalg.norm(states - row, axis=1).max()) for row in states)
    assert largest_distance(states) == every


@pytest.mark.parametrize(("states", "steps", "message"), [
    ([[0.0, 0.0], [0.9, 0.9]], 2, "distance 1.27.*declare at least 1.27"),
    ([[0.0, 0.0], [0.1, 0.1]], 3, "2 states, fewer than n=3; give -n 2"),
    ([[0.0, 0.0], [2.0, 0.1]], 2, r"scaled to \[0, 1\]"),
    ([[0.0], [0.1]], 2, "1 coordinates.*dim=2"),
    ([[0.0, np.nan], [0.1, 0.1]], 2, "1 entries are NaN"),
])
def test_contradictions_are_refused(tmp_path: Path, states: list[list[float]], steps: int,
                                    message: str) -> None:
    path = tmp_path / "states.npy"
    np.save(path, np.array(states))
    with pytest.raises(UnusableInput, match=message):
        check_trajectory(path, CHAIN, steps)


def test_text_is_read_as_numbers_and_other_files_are_refused(tmp_path: Path) -> None:
    states = np.array([[0.25, 0.5], [0.75, 0.125]])
    for name, delimiter in (("a.csv", ","), ("a.txt", " ")):
        np.savetxt(tmp_path / name, states, delimiter=delimiter)
        assert (read_trajectory(tmp_path / name) == states).all()
    check_trajectory(tmp_path / "a.csv", CHAIN, 2)
    (tmp_path / "b.csv").write_text("one,two\n")
    for name in ("b.csv", "missing.npy"):
        with pytest.raises(UnusableInput, match="not a readable trajectory"):
            read_trajectory(tmp_path / name)
    np.save(tmp_path / "c.npy", np.zeros(3))
    with pytest.raises(UnusableInput, match="shape"):
        read_trajectory(tmp_path / "c.npy")
