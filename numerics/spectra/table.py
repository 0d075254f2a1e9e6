"""Spectra as a Parquet file: one row per matrix, for pandas, polars or DuckDB as well."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.model import Dimensions, Skipped, Tied
from majorant.numerics.spectra.collection import Origin, SpectrumSet
from majorant.numerics.spectra.spectrum import ROLES, Spectrum
from majorant.numerics.whole_file import whole_file

SCHEMA_VERSION = 1

_KEY = b"majorant.spectra"
_SCHEMA = pa.schema(
    [
        ("name", pa.string()),
        ("layer", pa.int32()),
        ("head", pa.int32()),
        ("role", pa.string()),
        ("rows", pa.int64()),
        ("columns", pa.int64()),
        ("singular_values", pa.list_(pa.float64())),
        ("frobenius", pa.float64()),
        ("norm_21", pa.float64()),
        ("verified", pa.bool_()),
        ("relative", pa.float64()),
        ("absolute", pa.float64()),
        ("radius", pa.float64()),
        ("method", pa.string()),
        ("tensors", pa.list_(pa.string())),
    ]
)


def write_spectra(spectra: SpectrumSet, path: str | Path) -> Path:
    """Write a table with its origin, schema version and content hash; complete or not at all.

    The file appears under its name only when it is whole (temporary file, then rename).
    """
    path = Path(path)
    rows = [_row(spectrum) for spectrum in spectra]
    table = pa.Table.from_pylist(rows, schema=_SCHEMA)
    header = {
        "version": SCHEMA_VERSION,
        "content_hash": spectra.content_hash(),
        "origin": asdict(spectra.origin),
    }
    table = table.replace_schema_metadata({_KEY: json.dumps(header).encode()})
    try:
        with whole_file(path) as part:
            pq.write_table(table, part, compression="zstd")
    except OSError as error:
        raise UnusableInput(f"{path}: cannot be written ({error}).") from error
    return path


def read_spectra(path: str | Path) -> SpectrumSet:
    """Read a table that `write_spectra` wrote.

    Raises `UnusableInput` if it is not one, has another schema version, or if its numbers do not
    have the hash that was stored with them.
    """
    path = Path(path)
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(
            f"{path}: not a Parquet file ({str(error).splitlines()[0]})."
        ) from error
    stored = (table.schema.metadata or {}).get(_KEY)
    if stored is None:
        raise UnusableInput(
            f"{path}: a Parquet file, but not of spectra. Write one with `majorant spectra`."
        )
    try:
        return _checked(table, json.loads(stored), path)
    except UnusableInput:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnusableInput(
            f"{path}: the description of the table is damaged ({error!r}). Compute the spectra "
            "again from the checkpoint."
        ) from error


def _checked(table: pa.Table, header: dict[str, Any], path: Path) -> SpectrumSet:
    """The rows of a table whose version, columns and hash are those of its header."""
    if header["version"] != SCHEMA_VERSION:
        raise UnusableInput(
            f"{path}: spectra of schema version {header['version']}, expected {SCHEMA_VERSION}. "
            "Compute them again from the checkpoint."
        )
    if not table.schema.equals(_SCHEMA, check_metadata=False):
        raise UnusableInput(f"{path}: columns {table.schema.names}, expected {_SCHEMA.names}.")
    spectra = SpectrumSet(
        tuple(_spectrum(row) for row in table.to_pylist()), _origin(header["origin"])
    )
    if spectra.content_hash() != header["content_hash"]:
        raise UnusableInput(
            f"{path}: the numbers differ from the hash stored with them; the file was changed. "
            "Compute the spectra again from the checkpoint."
        )
    return spectra


def _row(s: Spectrum) -> dict[str, Any]:
    def number(x: float) -> float | None:
        return None if x != x else x

    return {
        "name": s.name,
        "layer": s.layer,
        "head": s.head,
        "role": s.role,
        "rows": s.shape[0],
        "columns": s.shape[1],
        "singular_values": s.singular_values,
        "frobenius": s.frobenius,
        "norm_21": s.norm_21,
        "verified": s.verified,
        "relative": number(s.relative),
        "absolute": number(s.absolute),
        "radius": number(s.radius),
        "method": s.method,
        "tensors": list(s.tensors),
    }


def _spectrum(row: dict[str, Any]) -> Spectrum:
    role = next((r for r in ROLES if r == row["role"]), None)
    if role is None:
        raise UnusableInput(
            f"{row['name']}: unknown role {row['role']!r}; expected one of {ROLES}."
        )
    nan = float("nan")
    return Spectrum(
        name=row["name"],
        layer=row["layer"],
        head=row["head"],
        role=role,
        shape=(row["rows"], row["columns"]),
        singular_values=np.array(row["singular_values"], dtype=np.float64),
        frobenius=row["frobenius"],
        norm_21=row["norm_21"],
        method=row["method"],
        tensors=tuple(row["tensors"]),
        verified=row["verified"],
        relative=nan if row["relative"] is None else row["relative"],
        absolute=nan if row["absolute"] is None else row["absolute"],
    )


def _origin(stored: dict[str, Any]) -> Origin:
    fields = dict(stored)
    fields["dimensions"] = Dimensions(**fields["dimensions"])
    fields["assumptions"] = tuple(fields["assumptions"])
    fields["skipped"] = tuple(
        Skipped(**{**s, "shape": tuple(s["shape"])}) for s in fields["skipped"]
    )
    fields["tied"] = tuple(Tied(tuple(t["names"])) for t in fields["tied"])
    return Origin(**fields)
