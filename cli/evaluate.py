"""`majorant evaluate`: what is known about one model, from proxies to verified bounds."""

from __future__ import annotations

import math
import time
from typing import Annotated, Any

import typer

from majorant.cli.bound_tables import at_most, bound_table, sample_size, state
from majorant.cli.options import (
    Checkpoint,
    Heads,
    InputRadius,
    Json,
    KvHeads,
    Reference,
    SeqLen,
    TrainTables,
)
from majorant.cli.output import Bar, emit_json, emit_table, emit_text, power_of_ten
from majorant.cli.run import verb
from majorant.cli.statement import NETWORKS
from majorant.derivation.rounding import rounded_up


@verb
def evaluate(
    checkpoint: Checkpoint,
    block: Annotated[str, typer.Option(
        help="faithful: the real block; normalized: the twin without residuals and LayerNorm.",
    )] = "faithful",
    reference: Reference = None,
    n: Annotated[int | None, typer.Option("-n", help="Independent training sequences.")] = None,
    seq_len: SeqLen = None,
    delta: Annotated[float, typer.Option(help="Failure probability.")] = 0.05,
    margin_error: Annotated[float | None, typer.Option(
        help="Fraction of training examples with margin at most --margin.")] = None,
    margin: Annotated[float | None, typer.Option(help="Margin, in units of the logits.")] = None,
    bound: Annotated[list[str] | None, typer.Option(
        help="Bounds to compute; may be repeated. Default: all.")] = None,
    variances: Annotated[str | None, typer.Option(
        help="Measured LayerNorm variances (a file of `majorant measure`): G7.")] = None,
    train_tables: TrainTables = False,
    heads: Heads = None,
    kv_heads: KvHeads = None,
    input_radius: InputRadius = None,
    json_: Json = False,
) -> int:
    """Proxies, leading factors and bounds of a model, with verified intervals.

    Without -n: proxies, leading factors and n_star, the sample size at which each bound falls
    below 1/2.

    Example: majorant evaluate demo -n 1000000 --block normalized
    """
    from majorant.cli.bounds import evaluate_bounds, validate_request
    from majorant.cli.factor_report import factor_report
    from majorant.numerics.checkpoints import Given, resolve
    from majorant.numerics.spectra import spectra as compute

    started = time.perf_counter()
    validate_request(block=block, n=n, seq_len=seq_len, delta=delta, margin_error=margin_error,
                     margin=margin, bounds=bound)
    given = Given(heads, kv_heads, input_radius)
    with Bar("spectra", quiet=json_) as bar:
        if resolve(checkpoint).kind == "spectra":
            found = compute(checkpoint)
        else:
            model = given.open(checkpoint, None if reference is None else given.open(reference))
            found = compute(model, verified=True, progress=bar.update)
    report = factor_report(found)
    with Bar("bounds", quiet=json_) as bar:
        bounds = evaluate_bounds(checkpoint, block=block, reference=reference, n=n, seq_len=seq_len,
                                 delta=delta, margin_error=margin_error, margin=margin,
                                 bounds=bound, spectra=found, variances=variances,
                                 tables=train_tables, given=given, progress=bar.update)
    payload = {**report, "block": block, "network": NETWORKS[block], **bounds,
               "seconds": time.perf_counter() - started}
    if json_:
        emit_json(payload)
        return 0
    describe(payload)
    return 0


def describe(payload: dict[str, Any]) -> None:
    """Print the report for a person: the answer first, then tables, then what to try next."""
    sizes = payload["architecture"]
    emit_text(f"{payload['checkpoint']}: {sizes['family']}, {sizes['layers']} blocks, width "
              f"{sizes['width']}, {sizes['heads']} heads, {payload['matrices']} matrices.")
    emit_text(headline(payload), "")
    emit_text(payload["note"])
    proxies(payload)
    chosen(payload)
    emit_text("Assumption report. " + payload["norms"]["consequence"])
    if largest := payload["norms"]["largest"]:
        emit_text("Largest spectral norms: " + ", ".join(
            f"{item['name']} {item['norm']:.4g}" for item in largest)
            + f" (--json has all {payload['matrices']}).")
    emit_text("")
    bound_table(payload)
    emit_text(f"Probabilities: 1 - delta with delta = {payload['delta']}.")
    for line in payload.get("assumptions", []):
        emit_text(f"  assumes: {line}")
    emit_text("", "Next: `majorant evaluate ... -n N` for a number at a sample size; --reference "
              "BASE for a fine-tune (matrices that did not move cost nothing); `majorant measure` "
              "and --variances for LayerNorm's real variances; `majorant derive occam` for the "
              "theorem; --json for every matrix and the full ledger.")


def headline(payload: dict[str, Any]) -> str:
    """One sentence with the answer."""
    bounds = payload.get("bounds") or {}
    best = payload.get("smallest")
    if best and state(best) == "useful":
        given = "" if payload.get("margin_error") is not None else (
            f", if no training example has a margin of {payload.get('margin', 1.0):g} or less "
            "(--margin-error was not given)")
        among = "" if best["of"] == 1 else (
            f": the smallest of {best['of']} bounds, each at delta/{best['of']}")
        return (f"By the `{best['bound']}` bound the error is at most "
                f"{rounded_up(best['upper'], 4)} with probability 1 - {payload['delta']} "
                f"({payload['network']}{among}){given}.")
    valued = any(b.get("log10") is not None for b in bounds.values())
    starred = {name: b["log10_n_star"] for name, b in bounds.items()
               if b.get("log10_n_star") is not None}
    start = "No bound was computed; see the reasons below."
    if best:
        size = "just below 1" if state(best) == "just below 1" else f"at most {at_most(best)}"
        start = f"No bound is below 1/2 at this n (the smallest, `{best['bound']}`: {size})"
    elif valued:
        start = "Every bound is vacuous at this n"
    if starred:
        name = min(starred, key=lambda key: starred[key])
        clean = ", with no training error," if payload.get("margin_error") else ""
        return ((f"{start}; the" if valued else "The")
                + f" earliest to become useful{clean} is `{name}`, "
                f"at n_star = {sample_size(bounds[name])} sequences ({payload['network']}).")
    return start if start.endswith(".") else f"{start} ({payload['network']})."


def proxies(payload: dict[str, Any]) -> None:
    """The table of proxies and leading factors, one column a head constant."""
    from majorant.cli.factor_report import ZERO_NOTE

    if not payload["proxies"]:
        emit_text(f"No proxies: {payload['proxies_reason']}.")
    by_constants = payload.get("factors_by_constants") or {}
    if not by_constants:
        emit_text(f"No leading factors: {payload['factors_reason']}.")
        return
    rows = []
    for name in ("alpha_first", "B_spectrum", "B_norm", "published", "schatten", "envelope"):
        cells = [found[name]["log10"] if isinstance(found.get(name), dict)
                 else found.get(f"{name}_log10") for found in by_constants.values()]
        if any(cell is not None for cell in cells):
            rows.append([LABELS[name], *(power_of_ten(cell) for cell in cells)])
    emit_table("", ["quantity (not a bound)", *by_constants], rows)
    if note := payload.get("factors_note"):
        emit_text(note)
    if by_constants["crude"]["envelope"]["log10"] == -math.inf:
        emit_text(ZERO_NOTE)


LABELS = {
    "alpha_first": "alpha of the first block", "B_spectrum": "B_spectrum, published proxy",
    "B_norm": "B_norm, published proxy", "published": "published leading factor",
    "schatten": "Schatten leading factor", "envelope": "envelope leading factor (c = 1/4)",
}


def chosen(payload: dict[str, Any]) -> None:
    """How often each Schatten index was chosen."""
    counts = payload.get("chosen_counts")
    if counts:
        emit_table("Chosen Schatten index (matrices per index)", ["role", "index: matrices"],
                   [[role, ", ".join(f"{index}: {count}" for index, count in c.items())]
                    for role, c in counts.items()])
