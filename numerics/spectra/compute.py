"""The spectra of a whole checkpoint, block by block, resumable."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.model import Model
from majorant.numerics.checkpoints.open import open_model
from majorant.numerics.checkpoints.source import Source, resolve
from majorant.numerics.spectra.block import block_spectra, count
from majorant.numerics.spectra.collection import Origin, SpectrumSet
from majorant.numerics.spectra.spectrum import Spectrum
from majorant.numerics.spectra.table import read_spectra, write_spectra

Progress = Callable[[int, int, str], None]


def spectra(
    source: str | Path | Source | Model,
    out: str | Path | None = None,
    *,
    device: str = "cpu",
    verified: bool = False,
    resume: bool = False,
    progress: Progress | None = None,
    heads: int | None = None,
    kv_heads: int | None = None,
) -> SpectrumSet:
    """Spectra of every matrix of a checkpoint (or read from a spectra file), in float64.

    With `out` the table is written there. Finished blocks are kept beside it until it is whole;
    `resume=True` takes them over if they were computed from the same bytes with the same
    `verified`. `device` is where unverified values are computed; verified ones always are on the
    CPU. `progress(done, total, name)` is called after each block.

    Raises `UnusableInput` as `open_model` does, and for a non-finite tensor.

    >>> found = spectra("demo")
    >>> len(found), round(found["blocks.0.M_in"].spectral_norm, 6)
    (156, 11.175888)
    """
    if isinstance(source, Model):
        model = source
    else:
        resolved = source if isinstance(source, Source) else resolve(source)
        if resolved.kind == "spectra":
            table = read_spectra(resolved.files[0])
            if verified and not table.verified:
                raise UnusableInput(
                    f"{resolved.label}: its singular values are not verified. Compute the table "
                    "again from the checkpoint with --verified."
                )
            return table if out is None else _copied(table, out)
        model = open_model(resolved, heads=heads, kv_heads=kv_heads)
    _require_device(device)
    total = sum(count(block) for block in model.blocks)
    found: list[Spectrum] = []
    digest = "" if out is None else model.source.digest()
    origin = Origin.of(model, digest)
    folder = None if out is None else _parts(Path(out), resume)
    for block in model.blocks:
        part = None if folder is None else folder / f"block-{block.index:04d}.parquet"
        rows = _kept(part, origin, verified)
        if rows is None:
            try:
                rows = tuple(block_spectra(block, device=device, verified=verified))
            except UnusableInput:
                if folder is not None:  # the checkpoint has no table: its blocks are of no use
                    shutil.rmtree(folder)
                raise
            if part is not None:
                write_spectra(SpectrumSet(rows, replace(origin, skipped=(), tied=())), part)
        found += rows
        if progress is not None:
            progress(len(found), total, f"blocks.{block.index}")
    result = SpectrumSet(tuple(found), origin)
    if out is not None and folder is not None:
        write_spectra(result, out)
        shutil.rmtree(folder)
    return result


def iterate_spectra(
    model: Model, *, device: str = "cpu", verified: bool = False
) -> Iterator[Spectrum]:
    """The spectra of a model one after the other, nothing kept."""
    for block in model.blocks:
        yield from block_spectra(block, device=device, verified=verified)


def _require_device(device: str) -> None:
    try:
        torch.zeros(1, dtype=torch.float64, device=device)
    except (RuntimeError, AssertionError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise UnusableInput(
            f"device {device!r}: cannot compute in float64 here ({reason}). Use cpu, or cuda on "
            "a machine that has it."
        ) from error


def _copied(table: SpectrumSet, out: str | Path) -> SpectrumSet:
    write_spectra(table, out)
    return table


def parts_of(out: Path) -> Path:
    """The folder of finished blocks that lies beside a table until it is whole."""
    return out.with_name(out.name + ".parts")


def _parts(out: Path, resume: bool) -> Path:
    if not out.parent.is_dir():
        raise UnusableInput(f"{out}: the folder {out.parent} does not exist.")
    folder = parts_of(out)
    if folder.exists() and not resume:
        shutil.rmtree(folder)
    folder.mkdir(exist_ok=True)
    return folder


def _kept(part: Path | None, origin: Origin, verified: bool) -> tuple[Spectrum, ...] | None:
    """A finished block of the same bytes; `None` where it is missing, of others, or damaged."""
    if part is None or not part.is_file():
        return None
    try:
        kept = read_spectra(part)
    except UnusableInput:
        return None
    same = (kept.origin.digest == origin.digest and kept.verified == verified
            and kept.origin.dimensions == origin.dimensions)
    return kept.spectra if same else None
