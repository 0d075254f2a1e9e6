"""`majorant derive`: a result in closed form, with hypotheses, ledger and directions."""

from __future__ import annotations

import difflib
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from majorant.cli.output import emit_json, emit_table, emit_text
from majorant.cli.run import verb
from majorant.derivation.errors import MajorantError, UnusableInput

if TYPE_CHECKING:
    from majorant.derivation.bound import Bound
    from majorant.derivation.lemma import Lemma


class Format(StrEnum):
    """Output formats."""

    text = "text"
    latex = "latex"
    python = "python"
    json = "json"


class BlockFamily(StrEnum):
    """Block families for which sensitivities are printed in closed form."""

    normalized = "normalized"
    faithful = "faithful"


def find(name: str) -> Bound | Lemma:
    """The lemma or bound called `name`; `UnusableInput` suggests near names otherwise."""
    from majorant.derivation import shipped

    try:
        return shipped.find(name)
    except MajorantError:
        everything = (*shipped.shipped_bounds(), *shipped.shipped_lemmas())
        known = [key for x in everything for key in (x.id, x.name)]
        titled = [x.name for x in everything if name.lower() in x.title.lower()][:5]
        near = titled or difflib.get_close_matches(name, known, n=5, cutoff=0.4)
        hint = f"; did you mean {', '.join(dict.fromkeys(near))}?" if near else ";"
        raise UnusableInput(
            f"{name!r}: no such result{hint} `majorant derive --list` prints all") from None


@verb
def derive(
    name: Annotated[str | None, typer.Argument(help="Name or id, such as occam or C3.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List all results.")] = False,
    block: Annotated[BlockFamily | None, typer.Option(
        help="Add the sensitivities of one block of this family in closed form.")] = None,
    format_: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
    json_: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False,
) -> int:
    """Print a lemma, a proxy or a bound in closed form.

    --format python prints a standalone function that needs only the standard library.

    Example: majorant derive occam --format latex
    """
    from majorant.derivation import shipped

    if list_ or name is None:
        return _list(json_ or format_ is Format.json)
    item = find(name) if block is None else _of_block(find(name), block)
    chosen = Format.json if json_ else format_
    if chosen is Format.json:
        payload = dict(shipped.as_json(item))
        for variable, row in _sampled(item).items():
            payload["monotonicity"][variable]["sampled"] = row
        if block is not None:
            payload |= zip(("block", "gated_block"), _block(block).values(), strict=False)
        emit_json(payload)
    elif chosen is Format.latex:
        emit_plain(item.latex() if block is None else rf"\[ {item.latex()} \]")
    elif chosen is Format.python:
        emit_plain(item.python())
    else:
        emit_plain(shipped.as_text(item))
        if sampled := _sampled_text(item):
            emit_plain(sampled)
    if block is not None and chosen is not Format.json:
        for title, rows in _block(block).items():
            emit_plain(_printed_block(title, rows, chosen))
    return 0


def _printed_block(title: str, rows: list[dict[str, str]], chosen: Format) -> str:
    """The closed forms of one block: text, LaTeX or Python that can be used as it is."""
    if chosen is Format.latex:
        return "\n".join(["", f"% {title}"] + [rf"\[ {row['latex']} \]" for row in rows])
    if chosen is Format.python:
        return "\n\n".join(["", f"# {title}", *(row["python"] for row in rows)]).rstrip()
    return "\n".join(["", title + ":"] + [f"  {row['name']} = {row['text']}" for row in rows])


def emit_plain(text: str) -> None:
    """Print text as it is: code and LaTeX must not be wrapped."""
    print(text)


def _of_block(item: Bound | Lemma, block: BlockFamily) -> Bound | Lemma:
    """A theorem with the ledger and the assumptions of this block family; others as they are."""
    from majorant.derivation.theorems.catalogue import THEOREMS, theorem

    return theorem(item.name, block.value) if item.name in THEOREMS else item


def _block(family: BlockFamily) -> dict[str, list[dict[str, str]]]:
    """Closed forms of one block, by what the block is."""
    from majorant.derivation.network.closed_form import block_closed_form

    titles = {"normalized": {"normalized": "One block of the normalized family, one head (more "
                             "heads add up: `majorant derive kappa-QK`)"},
              "faithful": {"faithful": "One block of the faithful family: post-norm, biases",
                           "gated": "One block of the faithful family: pre-norm, rotary, grouped "
                           "heads, gated, with a read-out"}}
    return {title: block_closed_form(name) for name, title in titles[family.value].items()}


def _sampled(item: Bound | Lemma) -> dict[str, dict[str, Any]]:
    """Certified comparisons where no direction could be derived; nothing for opaque formulas."""
    from majorant.numerics.lowering.confirm import sampled_directions

    derived = item.monotonicity()
    undecided = [x for x in item.arguments if derived[str(x)].direction == "unknown"]
    try:
        return sampled_directions(item.printed_formula, undecided, item.hypotheses)
    except MajorantError:
        return {}  # a formal series or a named quantity: there is nothing to evaluate


def _sampled_text(item: Bound | Lemma) -> str:
    """The same for a terminal: where the formula certainly rises, and where it falls."""
    lines = []
    for variable, row in _sampled(item).items():
        lines.append(f"  {variable}: {row['outcome']} at {row['ups'] + row['downs']} sampled steps")
        for key, verb_ in (("up", "rises"), ("down", "falls")):
            if row["outcome"] == "neither" and isinstance(row[key]["from"], int | float):
                at = ", ".join(f"{k} = {v:.4g}" for k, v in row[key]["at"].items()
                               if isinstance(v, int | float))
                lines.append(f"    {verb_} from {variable} = {row[key]['from']:.4g} to "
                             f"{row[key]['to']:.4g}" + (f" at {at}" if at else ""))
    return "\n".join(["Where no direction was derived (ball arithmetic)", *lines]) if lines else ""


def _list(as_json: bool) -> int:
    from majorant.derivation import shipped

    bounds = list(shipped.shipped_bounds())
    lemmas = sorted(shipped.shipped_lemmas(), key=lambda y: str(y.id))
    rows = [[b.name, "", b.status, b.title, b.computable] for b in bounds]
    rows += [[x.name, x.id, x.kind.value, x.title, x.computable] for x in lemmas]
    if as_json:
        emit_json({"results": [dict(zip(("name", "id", "kind", "title", "computable"), row,
                                        strict=True)) for row in rows]})
        return 0
    emit_text(f"{len(bounds)} bounds and proxies, {len(lemmas)} lemmas.", "")
    marked = [[*row[:3], row[3] + ("" if row[4] else " *")] for row in rows]
    emit_table("", ["name", "id", "kind", "title"], marked)
    emit_text("* about quantities of which only properties are known: nothing to compute, so "
              "--format python has no function for it.")
    return 0
