"""`majorant symbols`: the catalogue."""

from __future__ import annotations

from majorant.cli.options import Json
from majorant.cli.output import emit_json, emit_table, emit_text
from majorant.cli.run import verb


@verb
def symbols(
    json_: Json = False,
) -> int:
    """List every symbol of the formulas with its domain, unit and meaning.

    Example: majorant symbols
    """
    from majorant.derivation.symbols import symbol_catalogue

    entries = list(symbol_catalogue().values())
    if json_:
        emit_json({"symbols": [
            {"name": e.name, "domain": e.domain, "unit": e.unit, "meaning": e.meaning,
             "latex": e.latex or e.name} for e in entries]})
        return 0
    emit_text(f"{len(entries)} symbols; families are written name[index].", "")
    emit_table("", ["symbol", "domain", "unit", "meaning"],
               [[e.name, e.domain, e.unit, e.meaning] for e in entries])
    return 0
