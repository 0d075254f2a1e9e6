"""Tables for people: numbers aligned, titles whole, the largest norms named."""

from __future__ import annotations

import pytest
from command_lines import run

from majorant.cli.output import emit_table


def test_numbers_are_right_aligned_under_a_whole_title(capsys: pytest.CaptureFixture[str]) -> None:
    title = "A title that is longer than the narrow table below it"
    emit_table(title, ["x", "y"], [["a", "10^176.68"], ["b", 3], ["c", "[0.1, 0.2]"]])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == title
    ends = {len(line.rstrip()) for line in lines[1:5]}
    assert len(ends) == 1, lines


def test_the_largest_norms_are_named() -> None:
    code, out, _ = run("evaluate", "demo", "--block", "normalized", "--bound", "parameter-count")
    assert code == 0
    text = " ".join(out.split())
    assert "Largest spectral norms: blocks.0.heads.2.QK 33.78, " in text
    assert "(--json has all 156)" in text
    assert "delta = 0.05" in text
