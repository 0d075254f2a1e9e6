"""`majorant report`: everything about one model on one self-contained page."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from majorant.cli.destination import require_file
from majorant.cli.options import Checkpoint, Json
from majorant.cli.output import Bar, emit_json, emit_text, power_of_ten
from majorant.cli.run import verb
from majorant.numerics.whole_file import whole_file


@verb
def report(
    checkpoint: Checkpoint,
    out: Annotated[Path, typer.Option("-o", "--out", help="HTML file to write.")],
    block: Annotated[str, typer.Option(help="faithful or normalized.")] = "faithful",
    n: Annotated[int | None, typer.Option("-n", help="Independent training sequences.")] = None,
    delta: Annotated[float, typer.Option(help="Failure probability.")] = 0.05,
    json_: Json = False,
) -> int:
    """Write one HTML page with the bounds, their formulas (MathML), ledger and figures.

    Example: majorant report demo -o demo.html
    """
    from majorant.cli.bounds import evaluate_bounds, validate_request
    from majorant.cli.factor_report import factor_report
    from majorant.cli.statement import NETWORKS
    from majorant.numerics.checkpoints import resolve
    from majorant.numerics.spectra import spectra as compute

    validate_request(block=block, n=n, delta=delta)
    require_file(out)
    with Bar("spectra", quiet=json_) as bar:
        table = resolve(checkpoint).kind == "spectra"
        found = compute(checkpoint, verified=not table, progress=bar.update)
    payload = {**factor_report(found), "network": NETWORKS[block]}
    with Bar("bounds", quiet=json_) as bar:
        payload |= evaluate_bounds(checkpoint, block=block, n=n, delta=delta, spectra=found,
                                   progress=bar.update)
    with tempfile.TemporaryDirectory() as folder:
        text = compose(payload, figures(found, Path(folder)))
    with whole_file(out) as part:
        part.write_text(text, encoding="utf-8")
    if json_:
        emit_json({"file": str(out), "bytes": len(text.encode())})
    else:
        emit_text(f"Wrote {out} ({len(text.encode()) // 1024} KiB); it fetches nothing.")
    return 0


def figures(spectra: Any, folder: Path) -> list[tuple[Path, str]]:
    """The figures that the model allows, with captions; none without matplotlib."""
    from majorant.cli.figures import contribution_figure, decay_figure
    from majorant.derivation.errors import UnusableInput
    from majorant.numerics.proxies import log_sensitivities, reason_without
    from majorant.numerics.proxies.proxies import resolution

    try:
        found = [(decay_figure(spectra, folder / "decay.png"), "Spectral decay per role")]
    except UnusableInput:
        return []
    if reason_without(spectra) is None:
        path = contribution_figure(spectra, log_sensitivities(spectra), resolution(spectra),
                                   folder / "contribution.png")
        found.append((path, "Published contribution against the Schatten index"))
    return found


def compose(payload: dict[str, Any], images: list[tuple[Path, str]]) -> str:
    """The page of a report's data."""
    from majorant.cli import html_page as page
    from majorant.cli.bound_tables import at_most, sample_size, state
    from majorant.cli.evaluate import LABELS, headline
    from majorant.derivation import shipped
    from majorant.derivation.bound import Bound
    from majorant.derivation.lemma import LEMMAS
    from majorant.derivation.printing.mathml import mathml

    sizes = payload["architecture"]
    parts = [page.paragraph(headline(payload)), page.paragraph(payload["note"], note=True)]
    bounds = payload.get("bounds") or {}
    rows = []
    for name, b in bounds.items():
        worth = b.get("reason") or (state(b) if b.get("log10") is not None else "")
        rows.append([name, at_most(b), sample_size(b), worth, ", ".join(b.get("largest", [])[:3])])
    parts.append(page.section(
        f"Bounds for {payload['network']}",
        page.table(["bound", "at most", "n_star", "", "largest contributors"], rows),
        page.paragraph(f"delta = {payload['delta']}"),
        page.listing(payload.get("assumptions", []))))
    by_constants = payload.get("factors_by_constants") or {}
    if by_constants:
        cells = []
        for name, label in LABELS.items():
            values = [f[name]["log10"] if isinstance(f.get(name), dict) else f.get(f"{name}_log10")
                      for f in by_constants.values()]
            cells.append([label, *(power_of_ten(v) for v in values)])
        parts.append(page.section("Proxies and leading factors (not bounds)",
                                  page.table(["quantity", *by_constants], cells)))
    parts += [page.image(path, caption) for path, caption in images]
    formulas = []
    for name, b in bounds.items():
        item = shipped.find(name)
        if isinstance(item, Bound):
            ledger = [f"{id} ({LEMMAS[id].kind.value}): {LEMMAS[id].title}"
                      for id in b.get("ledger", []) if id in LEMMAS]
            formulas.append(page.folded(f"{name}: {item.title}", mathml(item.expression),
                                        page.listing(ledger)))
    parts.append(page.section("Formulas and what they stand on", *formulas))
    norms = payload["norms"]
    parts.append(page.section(
        "Spectral norms", page.paragraph(norms["consequence"]),
        page.folded("every matrix", page.table(
            ["matrix", "norm"], [[k, f"{v:.6g}"] for k, v in norms["all"].items()]))))
    title = (f"{payload['checkpoint']}: {sizes['family']}, {sizes['layers']} blocks, width "
             f"{sizes['width']}")
    return page.page(title, *parts)
