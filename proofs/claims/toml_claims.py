"""Lists of claims in a TOML file: `[[claim]]` tables with `claim`, `given` and free keys."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from majorant.derivation.errors import UnusableInput

MAX_BYTES = 2_000_000


def read_claims(path: str | Path) -> list[dict[str, Any]]:
    """The tables of a claim file, each with the keys `claim` (text) and `given` (list of text).

    Other keys are kept. Raises `UnusableInput` that names the file and the faulty table.
    """
    file = Path(path)
    try:
        size = file.stat().st_size
        if size > MAX_BYTES:
            raise UnusableInput(f"{file}: {size} bytes, at most {MAX_BYTES} are read")
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnusableInput(f"{file}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnusableInput(f"{file}: not a TOML file ({error})") from None
    tables = data.get("claim")
    if not isinstance(tables, list) or not tables:
        raise UnusableInput(
            f"{file}: expected [[claim]] tables with a key `claim`, "
            f"found the keys {sorted(data) or 'none'}"
        )
    return [_table(file, number, table) for number, table in enumerate(tables, 1)]


def _table(file: Path, number: int, table: Any) -> dict[str, Any]:
    where = f"{file}: claim {number}"
    if not isinstance(table, dict) or not isinstance(table.get("claim"), str):
        raise UnusableInput(f"{where}: expected a key `claim` with the text of the claim")
    given = table.get("given", "")
    if isinstance(given, str):
        given = [given] if given.strip() else []
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise UnusableInput(f"{where}: `given` must be text or a list of texts")
    return {**table, "given": given}
