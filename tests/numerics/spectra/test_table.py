"""The table of spectra: others open it, changes are refused, an interrupted run resumes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import load_file, save_file

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints import open_model
from majorant.numerics.spectra import SpectrumSet, read_spectra, spectra, write_spectra


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of three blocks, width 16, four heads, without configuration."""
    generator = torch.Generator().manual_seed(0)
    tensors = {}
    for l in range(3):
        base = f"encoder.layer.{l}."
        for stem, shape in {
            "attention.self.query": (16, 16),
            "attention.self.key": (16, 16),
            "attention.self.value": (16, 16),
            "attention.output.dense": (16, 16),
            "attention.output.LayerNorm": (16,),
            "intermediate.dense": (24, 16),
            "output.dense": (16, 24),
            "output.LayerNorm": (16,),
        }.items():
            tensors[f"{base}{stem}.weight"] = torch.randn(shape, generator=generator)
    path = tmp_path_factory.mktemp("checkpoint") / "model.safetensors"
    save_file(tensors, path)
    return path


def same(a: SpectrumSet, b: SpectrumSet) -> bool:
    return a.content_hash() == b.content_hash() and a.origin == b.origin


@pytest.mark.parametrize("verified", [False, True])
def test_round_trip(checkpoint: Path, tmp_path: Path, verified: bool) -> None:
    out = tmp_path / "s.parquet"
    found = spectra(checkpoint, out, heads=4, verified=verified)
    assert same(read_spectra(out), found)
    assert same(spectra(out), found)  # a spectra file is a source
    assert [p.name for p in tmp_path.iterdir()] == ["s.parquet"]  # nothing half is left
    assert found.origin.digest == open_model(checkpoint, heads=4).source.digest()
    assert read_spectra(out).verified == verified


def test_pandas_polars_and_duckdb_open_it(checkpoint: Path, tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    out = tmp_path / "s.parquet"
    found = spectra(checkpoint, out, heads=4)
    frame = pandas.read_parquet(out)
    assert list(frame["name"]) == list(found.names)
    lazy = polars.read_parquet(out)
    assert lazy["singular_values"].to_list()[0] == found.spectra[0].singular_values.tolist()
    rows = duckdb.sql(
        f"select role, max(singular_values[1]) as top from '{out}' group by role order by role"
    ).fetchall()
    assert rows == sorted((r, float(found.spectral_norms(r).max())) for r in
                          ("QK", "V", "M_in", "M_out"))  # fmt: skip


def test_a_changed_number_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.parquet"
    spectra(checkpoint, out, heads=4, verified=True)
    table = pq.read_table(out)
    for column in ("frobenius", "norm_21", "relative", "absolute"):
        numbers = table[column].to_pylist()
        numbers[3] = float(np.nextafter(numbers[3], 0))
        index = table.schema.get_field_index(column)
        changed = table.set_column(index, table.schema.field(column), [numbers])
        pq.write_table(changed.replace_schema_metadata(table.schema.metadata), out)
        with pytest.raises(UnusableInput, match="hash"):
            read_spectra(out)
    rows = table["singular_values"].to_pylist()
    rows[0][-1] *= 2
    index = table.schema.get_field_index("singular_values")
    changed = table.set_column(index, table.schema.field("singular_values"), [rows])
    pq.write_table(changed.replace_schema_metadata(table.schema.metadata), out)
    with pytest.raises(UnusableInput, match="hash"):
        spectra(out)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(b"not parquet at all")
    with pytest.raises(UnusableInput, match="not a Parquet file"):
        spectra(path)
    import pyarrow as pa

    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(UnusableInput, match="not of spectra"):
        spectra(path)


def test_another_schema_version_is_refused(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from majorant.numerics.spectra import table

    out = tmp_path / "s.parquet"
    monkeypatch.setattr(table, "SCHEMA_VERSION", 99)
    spectra(checkpoint, out, heads=4)
    monkeypatch.undo()
    with pytest.raises(UnusableInput, match="schema version 99"):
        read_spectra(out)


def test_unverified_numbers_do_not_pass_for_verified(checkpoint: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.parquet"
    spectra(checkpoint, out, heads=4)
    with pytest.raises(UnusableInput, match="not verified"):
        spectra(out, verified=True)


class Interrupted(Exception):
    pass


def stop_after(blocks: int) -> Callable[[int, int, str], None]:
    def progress(done: int, total: int, name: str) -> None:
        assert 0 < done <= total == 3 * 10
        if name == f"blocks.{blocks - 1}":
            raise Interrupted

    return progress


def blocks_computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    from majorant.numerics.spectra import compute

    seen: list[int] = []
    true = compute.block_spectra

    def watched(block: Any, **kw: Any) -> Any:
        seen.append(block.index)
        return true(block, **kw)

    monkeypatch.setattr(compute, "block_spectra", watched)
    return seen


def test_an_interrupted_run_resumes(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "s.parquet"
    with pytest.raises(Interrupted):
        spectra(checkpoint, out, heads=4, progress=stop_after(2))
    assert not out.exists()
    seen = blocks_computed(monkeypatch)
    resumed = spectra(checkpoint, out, heads=4, resume=True)
    assert seen == [2]
    assert same(resumed, spectra(checkpoint, tmp_path / "t.parquet", heads=4))
    assert same(read_spectra(out), resumed)


def test_a_damaged_block_is_computed_again(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "s.parquet"
    with pytest.raises(Interrupted):
        spectra(checkpoint, out, heads=4, progress=stop_after(2))
    part = tmp_path / "s.parquet.parts" / "block-0001.parquet"
    part.write_bytes(part.read_bytes()[:200])
    seen = blocks_computed(monkeypatch)
    spectra(checkpoint, out, heads=4, resume=True)
    assert seen == [1, 2]


def test_a_checkpoint_without_a_table_leaves_nothing(checkpoint: Path, tmp_path: Path) -> None:
    tensors = load_file(checkpoint)
    last = next(name for name in sorted(tensors, reverse=True) if name.endswith(".weight")
                and tensors[name].dim() == 2 and ".2." in name)
    tensors[last][0, 0] = float("nan")
    save_file(tensors, tmp_path / "nan.safetensors")
    with pytest.raises(UnusableInput, match=last):
        spectra(tmp_path / "nan.safetensors", tmp_path / "s.parquet", heads=4)
    assert [p.name for p in tmp_path.iterdir()] == ["nan.safetensors"]


@pytest.mark.parametrize("what", ["weights", "verified", "no resume"])
def test_leftovers_of_another_run_are_not_taken_over(
    what: str, checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "s.parquet"
    with pytest.raises(Interrupted):
        spectra(checkpoint, out, heads=4, progress=stop_after(2))
    source = checkpoint
    if what == "weights":
        source = tmp_path / "other.safetensors"
        save_file({k: v * 1.5 for k, v in load_file(checkpoint).items()}, source)
    seen = blocks_computed(monkeypatch)
    spectra(source, out, heads=4, resume=what != "no resume", verified=what == "verified")
    assert seen == [0, 1, 2]


def test_a_folder_that_does_not_exist_is_named(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="does not exist"):
        spectra(checkpoint, tmp_path / "no" / "s.parquet", heads=4)


def test_arrays(checkpoint: Path) -> None:
    found = spectra(checkpoint, heads=4, verified=True)
    values, mask = found.padded()
    assert values.shape == mask.shape == (30, 16)
    assert [int(row.sum()) for row in mask[:9]] == [4] * 8 + [16]
    assert not values[~mask].any()
    upper, _ = found.padded("QK", upper=True)
    assert bool((upper >= found.padded("QK")[0]).all())
    assert found.spectral_norms("QK").shape == (3, 4)
    assert found.norms_21("M_in").shape == (3, 1)
    assert found.of("V", layer=1)[2].name == "blocks.1.heads.2.V"
    with pytest.raises(UnusableInput, match="no such spectrum"):
        found["blocks.9.M_in"]
    with pytest.raises(UnusableInput, match="no matrices of role M_gate"):
        found.spectral_norms("M_gate")


def test_writing_twice_gives_the_same_numbers(checkpoint: Path, tmp_path: Path) -> None:
    found = spectra(checkpoint, heads=4)
    write_spectra(found, tmp_path / "a.parquet")
    write_spectra(read_spectra(tmp_path / "a.parquet"), tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
