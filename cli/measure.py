"""`majorant measure`: LayerNorm's real variances on the training examples (G7)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from majorant.cli.destination import require_file
from majorant.cli.options import Checkpoint, Heads, Json, KvHeads
from majorant.cli.output import Bar, emit_json, emit_table, emit_text
from majorant.cli.run import verb


@verb
def measure(
    checkpoint: Checkpoint,
    sample: Annotated[Path, typer.Argument(
        help="ALL training sequences as token ids: .json (lists), .txt (a line each), .npy, or "
             ".npz with input_ids and attention_mask.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="JSON file to write.")],
    quantile: Annotated[float, typer.Option(
        help="Share of the sequences that may lie below each threshold and count as errors.")] = 0,
    labels: Annotated[Path | None, typer.Option(
        help="Class numbers, one a sequence: count margins too (needs a classifier).")] = None,
    margin: Annotated[float | None, typer.Option(
        help="With --labels: the margin, in units of the logits.")] = None,
    reference: Annotated[str | None, typer.Option(
        help="Base checkpoint, where the checkpoint is an adapter.")] = None,
    train_tables: Annotated[bool, typer.Option(
        "--train-tables", help="Measure the embeddings' normalization too, for bounds that "
                               "count the tables as trained.")] = False,
    heads: Heads = None,
    kv_heads: KvHeads = None,
    json_: Json = False,
) -> int:
    """Measure the variances inside LayerNorm on the training sequences, for --variances.

    LayerNorm's epsilon is a poor floor; a threshold that the data respect is a better one. Each
    example below a threshold counts as an error, and the bound pays for the choice of thresholds.

    Example: majorant measure demo train.txt -o variances.json
    """
    from majorant.numerics.checkpoints import Given
    from majorant.numerics.networks.measure import measure as run
    from majorant.numerics.networks.sample import read_labels, read_sample

    require_file(out)
    sequences = read_sample(sample)
    classes = None if labels is None else read_labels(labels, len(sequences))
    given = Given(heads, kv_heads)
    base = None if reference is None else given.open(reference)
    model = given.open(checkpoint, base)
    with Bar("forward pass", quiet=json_) as bar:
        found = run(model, sequences, quantile=quantile, labels=classes, margin=margin,
                    tables=train_tables, base=base, progress=bar.update)
    found.write(out)
    if json_:
        emit_json({"file": str(out), "n": found.n, "below": found.below, "bad": found.bad,
                   "margin": found.margin, "radius": found.radius,
                   "first_below": list(found.first_below),
                   "thresholds": dict(found.thresholds), "arithmetic": found.arithmetic,
                   "quantiles": {name: list(q) for name, q in found.quantiles.items()}})
        return 0
    emit_table("Least variance of each sequence, by normalization",
               ["normalization", "threshold", "least", "1 %", "10 %", "median"],
               [[name, value, *found.quantiles[name]] for name, value in found.thresholds.items()])
    emit_text(f"{found.below} of {found.n} sequences lie below a threshold and count as errors"
              + (f" (numbers {', '.join(map(str, found.first_below[:10]))}"
                 f"{', ...' if found.below > 10 else ''})." if found.below else "."))
    if found.radius is not None:
        emit_text(f"Rows of the last activation times the declared fixed factor count as errors "
                  f"where they are longer than {found.radius:g}.")
    if found.bad is not None:
        emit_text(f"{found.bad} count as errors by their variance or by a margin of at most "
                  f"{found.margin:g}.")
    emit_text(f"Arithmetic: {found.arithmetic}.", f"Wrote {out}.",
              f"Next: majorant evaluate {checkpoint} -n {found.n} --variances {out}"
              + ("" if reference is None else f" --reference {reference}"))
    return 0
