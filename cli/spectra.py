"""`majorant spectra`: the singular values of every matrix of a checkpoint, as a table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from majorant.cli.destination import require_file
from majorant.cli.options import Checkpoint, Heads, Json, KvHeads
from majorant.cli.output import Bar, emit_json, emit_table, emit_text
from majorant.cli.run import verb
from majorant.derivation.errors import UnusableInput


@verb
def spectra(
    checkpoint: Checkpoint,
    out: Annotated[Path, typer.Option("-o", "--out", help="Parquet file to write.")],
    device: Annotated[str, typer.Option(help="Where unverified values are computed.")] = "cpu",
    verified: Annotated[bool, typer.Option(
        "--verified", help="Prove an error bound for every singular value.")] = False,
    resume: Annotated[bool, typer.Option(
        "--resume", help="Take over the blocks of an interrupted run.")] = False,
    heads: Heads = None,
    kv_heads: KvHeads = None,
    json_: Json = False,
) -> int:
    """Write the spectra of a checkpoint to a Parquet file, one row per matrix.

    Example: majorant spectra demo -o demo.parquet --verified
    """
    from majorant.numerics.spectra import spectra as compute
    from majorant.numerics.spectra.compute import parts_of

    if out.suffix != ".parquet":
        raise UnusableInput(f"{out}: expected a file name that ends in .parquet")
    require_file(out)
    started = time.perf_counter()
    try:
        with Bar("spectra", quiet=json_) as bar:
            found = compute(checkpoint, out, device=device, verified=verified, resume=resume,
                            progress=bar.update, heads=heads, kv_heads=kv_heads)
    except KeyboardInterrupt:
        if (parts := parts_of(out)).exists():
            raise KeyboardInterrupt(f"stopped by the user; the finished blocks are kept in {parts} "
                                    "and the same command with --resume takes them over") from None
        raise
    seconds = time.perf_counter() - started
    origin = found.origin
    if json_:
        emit_json({
            "matrices": len(found),
            "skipped": [{"name": s.name, "shape": list(s.shape), "reason": s.reason}
                        for s in origin.skipped],
            "tied": [list(t.names) for t in origin.tied],
            "seconds": seconds, "verified": found.verified, "file": str(out),
            "hash": found.content_hash(),
        })
        return 0
    kind = "verified " if found.verified else ""
    emit_text(
        f"Wrote {len(found)} {kind}spectra of {origin.label} to {out} in {seconds:.1f} s.", "")
    roles: dict[str, list[float]] = {}
    for spectrum in found:
        roles.setdefault(spectrum.role, []).append(spectrum.spectral_norm)
    emit_table("", ["role", "matrices", "smallest norm", "largest norm"],
               [[role, len(norms), min(norms), max(norms)] for role, norms in roles.items()])
    emit_text(f"{len(origin.skipped)} tensors were not used; --json lists each with the reason.",
              "Next: majorant evaluate " + str(out))
    return 0
