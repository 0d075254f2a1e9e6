"""What the command prints: one JSON object for programs, tables within 100 columns for people."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

WIDTH = 100
_NUMBER = r"[-+]?(\d[\d,]*\.?\d*(e[-+]?\d+)?|10\^-?\d+\.?\d*)"
_CELL = re.compile(rf"|-|{_NUMBER}|\[{_NUMBER}, {_NUMBER}\]")


def _console(stderr: bool = False) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, width=WIDTH, highlight=False, soft_wrap=False, stderr=stderr)


def finite(value: Any) -> Any:
    """`value` with every float that JSON cannot hold replaced by null, at any depth.

    >>> finite({"value": float("inf"), "log10": 400.5, "rows": (1, float("nan"))})
    {'value': None, 'log10': 400.5, 'rows': [1, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [finite(item) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return str(value)
    return number if math.isfinite(number) else None


def emit_json(payload: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout, with finite numbers only."""
    sys.stdout.write(json.dumps(finite(payload), allow_nan=False, ensure_ascii=False) + "\n")


def emit_text(*lines: str) -> None:
    """Print lines for a person, wrapped at 100 columns, without markup."""
    console = _console()
    for line in lines:
        console.print(line, markup=False)


def emit_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table under its title; columns whose cells are all numbers are right-aligned."""
    body = [[cell if isinstance(cell, str) else number(cell) for cell in row] for row in rows]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for position, name in enumerate(columns):
        right = bool(body) and all(_numeric(row[position]) for row in body)
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for row in body:
        table.add_row(*row)
    console = _console()
    if title:  # as text: a title of the table would be broken at the table's width
        console.print(title, markup=False)
    console.print(table, markup=False)
    console.print()


def _numeric(text: str) -> bool:
    """Whether a cell is a number, a power of ten, an interval, or empty.

    >>> [_numeric(x) for x in ("-1.5e-07", "10^176.68", "[0.1, 10^20.00]", "-", "block0", "1e")]
    [True, True, True, True, False, False]
    """
    return _CELL.fullmatch(text) is not None


def number(value: Any) -> str:
    """A number as people read it: six significant digits, integers whole, None as a dash.

    >>> number(20573.029732297553), number(28.5e27), number(None), number(156)
    ('20573', '2.85e+28', '-', '156')
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def power_of_ten(log10: float | None) -> str:
    """A positive number given by its decimal logarithm.

    >>> power_of_ten(2.0), power_of_ten(431.25), power_of_ten(None), power_of_ten(-math.inf)
    ('100', '10^431.25', '-', '0')
    """
    if log10 is None or math.isnan(log10):
        return "-"
    if log10 == -math.inf:
        return "0"
    if -4 < log10 < 15:
        return f"{10**log10:.6g}"
    return f"10^{log10:.2f}"


class Bar:
    """A progress bar on stderr; `update(done, total, text)` is what the layers below call.

    With `quiet`, or when stderr is not a terminal, nothing is drawn.
    """

    def __init__(self, text: str, quiet: bool = False) -> None:
        self._text = text
        console = _console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(bar_width=30), MofNCompleteColumn(),
            TimeElapsedColumn(), console=console, transient=True,
            disable=quiet or not sys.stderr.isatty())
        self._task = self._progress.add_task(text, total=None)

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._progress.stop()

    def update(self, done: int, total: int | None = None, text: str = "") -> None:
        """Move the bar to `done` of `total`."""
        self._progress.update(self._task, completed=done, total=total,
                              description=f"{self._text} {text}".strip()[:60])
