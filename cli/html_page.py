"""One self-contained HTML page: text, tables, MathML formulas, figures as embedded images."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from pathlib import Path

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}
td,th{padding:.25rem .75rem;border-bottom:1px solid #ddd;
text-align:left;vertical-align:top}th{border-bottom:2px solid #888}img{max-width:100%}
math{overflow-x:auto;display:block;margin:1rem 0}details{margin:.5rem 0}
.note{background:#fff8e1;padding:.5rem 1rem;border-left:4px solid #f0b400}
"""


def paragraph(text: str, note: bool = False) -> str:
    """A paragraph of plain text; `note` sets it off."""
    return f'<p class="{"note" if note else "text"}">{html.escape(text)}</p>'


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain text cells.

    >>> table(["a"], [["<1"]])
    '<table><tr><th>a</th></tr><tr><td>&lt;1</td></tr></table>'
    """
    head = "".join(f"<th>{html.escape(c)}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in row) + "</tr>"
                   for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def listing(items: Iterable[str]) -> str:
    """A list of plain text items."""
    return "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in items) + "</ul>"


def image(path: Path, caption: str) -> str:
    """A PNG embedded in the page."""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return (f'<figure><img alt="{html.escape(caption)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{html.escape(caption)}</figcaption></figure>")


def section(title: str, *parts: str) -> str:
    """A titled section of parts that are HTML already."""
    return f"<h2>{html.escape(title)}</h2>" + "".join(parts)


def folded(title: str, *parts: str) -> str:
    """Parts behind a line that opens on a click."""
    return f"<details><summary>{html.escape(title)}</summary>{''.join(parts)}</details>"


def page(title: str, *sections: str) -> str:
    """The whole document; nothing in it is fetched from a network."""
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>'
            f"{html.escape(title)}</title><style>{STYLE}</style></head><body><h1>"
            f"{html.escape(title)}</h1>{''.join(sections)}</body></html>\n")
