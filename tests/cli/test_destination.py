"""Outputs: refused before anything is computed, nothing left behind, interruption says what stays.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from command_lines import run

from majorant.numerics.spectra import compute

WRITERS = {
    "certify": ["demo", "-n", "1000", "-o"],
    "report": ["demo", "-o"],
    "spectra": ["demo", "-o"],
    "measure": ["demo", "absent.txt", "-o"],
    "compare": ["demo", "--plot"],
    "derivatives": ["demo", "--plot"],
    "pathwise": ["--chain", "rho=0.5,diameter=1,dim=2", "-n", "9", "--block", "norm=1", "--plot"],
    "experiment": ["normalized", "-o"],
    "verify": ["--docs"],
}


@pytest.mark.parametrize("verb", sorted(WRITERS))
def test_an_impossible_output_is_refused_first(
        verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **more: object) -> None:
        raise AssertionError("something was computed")

    for place in ("spectra.compute.spectra", "spectra.spectra", "derivatives.derivatives",
                  "pathwise.guarantee.pathwise_guarantee"):
        monkeypatch.setattr(f"majorant.numerics.{place}", fail)
    file = tmp_path / "file"
    file.write_text("")
    code, _, err = run(verb, *WRITERS[verb], str(file / "below.parquet"))
    assert code == 2
    assert "below.parquet" not in err
    assert str(file) in err
    assert "absent" not in err
    assert sorted(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("verb", ["certify", "report", "spectra", "measure"])
def test_a_folder_is_not_a_file(verb: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder.parquet"
    folder.mkdir()
    code, _, err = run(verb, *WRITERS[verb], str(folder))
    assert code == 2
    assert "is a folder" in err
    assert list(tmp_path.iterdir()) == [folder]


def test_an_interrupted_table_says_what_it_keeps(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    true, seen = compute.block_spectra, []

    def stop(block: object, **more: object) -> object:
        seen.append(block)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return true(block, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(compute, "block_spectra", stop)
    code, _, err = run("spectra", "demo", "-o", str(tmp_path / "s.parquet"))
    assert code == 130
    assert "s.parquet.parts" in err
    assert "--resume" in err
    assert (tmp_path / "s.parquet.parts" / "block-0000.parquet").is_file()
