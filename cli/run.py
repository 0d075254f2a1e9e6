"""Exit codes and error reporting, the same for every verb.

0 done, 1 the answer is negative, 2 unusable input or usage, 3 undecided, 70 our own fault,
130 interrupted.
"""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

import typer

from majorant.cli.output import emit_json
from majorant.derivation.errors import MajorantError

DONE, NEGATIVE, UNUSABLE, UNDECIDED, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 70, 130


def verb(body: Callable[..., int | None]) -> Callable[..., None]:
    """Wrap the body of a verb: its return value is the exit code, user errors become exit 2.

    >>> @verb
    ... def refuse() -> int:
    ...     raise MajorantError("p: expected 0 <= p <= 2")
    >>> try:
    ...     refuse()
    ... except typer.Exit as stop:
    ...     print(stop.exit_code)
    2
    """

    @functools.wraps(body)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        as_json = bool(kwargs.get("json_", False))
        try:
            code = body(*args, **kwargs)
        except MajorantError as error:
            _complain("error", str(error), as_json)
            raise typer.Exit(UNUSABLE) from None
        except (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError) as error:
            name = getattr(error, "filename", None) or error
            _complain("error", f"{name}: {error.strerror or error}", as_json)
            raise typer.Exit(UNUSABLE) from None
        except KeyboardInterrupt as stop:
            text = str(stop) or "stopped by the user; no output file is half-written"
            _complain("interrupted", text, as_json)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # the reader (`| head`) has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(DONE) from None
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            text = (f"{type(error).__name__}: {error}. This is a fault of majorant, not of your "
                    "input; please report it with the lines above.")
            _complain("unexpected error", text, as_json)
            raise typer.Exit(OUR_FAULT) from None
        raise typer.Exit(code or DONE)

    return wrapped


def _complain(kind: str, text: str, as_json: bool) -> None:
    print(f"majorant: {kind}: {text}", file=sys.stderr)
    if as_json:
        emit_json({"error": text})
