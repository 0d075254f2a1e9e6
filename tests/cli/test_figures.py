"""The scaling figure: every factor, models named, families apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from majorant.cli.figures.scaling import CURVES, families, scaling_figure

ROWS = [
    {"checkpoint": f"models/{name}", "family": family, "width": width, "layers": 2,
     **{f"log10_{curve}": float(width + at) for at, curve in enumerate(CURVES)}}
    for name, family, width in (("c", "bert", 9), ("a", "bert", 3), ("b", "llama", 5))]
ROWS[1] |= {"log10_envelope": float("-inf")}
ROWS[2] |= {"log10_B_norm": None}


def test_only_models_of_one_family_are_joined() -> None:
    assert families(ROWS, "width", "published") == [
        [(3, 5.0, "a"), (9, 11.0, "c")], [(5, 7.0, "b")]]
    assert families(ROWS, "width", "B_norm") == [[(3, 3.0, "a"), (9, 9.0, "c")]]
    assert families(ROWS, "width", "envelope") == [[(9, 13.0, "c")], [(5, 9.0, "b")]]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_figure_is_drawn_and_names_every_curve(count: int, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = scaling_figure(ROWS[:count], tmp_path / "scaling.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [path]
    assert set(CURVES) == {"B_norm", "B_spectrum", "published", "schatten", "envelope"}
