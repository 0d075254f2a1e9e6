"""The `majorant` command: one module a verb, imported when the verb is used."""

from __future__ import annotations

import importlib
import sys

import typer

# verb -> module; importing only the one that is asked for keeps `--help` and `symbols` fast.
VERBS = {
    "derive": "derive",
    "symbols": "symbols",
    "check": "check",
    "verify": "verify",
    "spectra": "spectra",
    "measure": "measure",
    "evaluate": "evaluate",
    "compare": "compare",
    "certify": "certify",
    "recheck": "certify",
    "experiment": "experiment",
    "derivatives": "derivatives",
    "pathwise": "pathwise",
    "report": "report",
}

SUMMARY = """Generalization bounds for Transformers: derive, prove, evaluate.

Every verb has --json and --help. Exit codes: 0 done, 1 negative answer, 2 unusable input or usage,
3 undecided, 70 a fault of majorant, 130 interrupted. Start with: majorant evaluate demo
"""


def build(verb: str | None = None) -> typer.Typer:
    """The Typer application with every verb, or with one only.

    >>> len(build("symbols").registered_commands)
    1
    """
    app = typer.Typer(help=SUMMARY, no_args_is_help=True, add_completion=False,
                      pretty_exceptions_enable=False, rich_markup_mode=None)

    @app.callback()
    def root() -> None:
        """Keep the verb's name on the command line even when only one is loaded."""

    app.info.help = SUMMARY
    root.__doc__ = SUMMARY
    wanted = [verb] if verb in VERBS else list(VERBS)
    for name in wanted:
        module = importlib.import_module(f"majorant.cli.{VERBS[name]}")
        # `\b` keeps the example in a verb's help on its own lines.
        app.command(name)(getattr(module, name))
    return app


def main() -> None:
    """Entry point of the `majorant` script."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    build(words[0] if words else None)(prog_name="majorant")


if __name__ == "__main__":
    main()
