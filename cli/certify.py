"""`majorant certify` and `majorant recheck`: write a certificate, check one from its file alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from majorant.cli.bound_tables import power_above, state
from majorant.cli.destination import require_file
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
from majorant.cli.output import Bar, emit_json, emit_text
from majorant.cli.run import NEGATIVE, verb
from majorant.cli.statement import failure
from majorant.derivation.errors import UnusableInput
from majorant.derivation.rounding import rounded_up
from majorant.numerics.whole_file import whole_file

if TYPE_CHECKING:
    from majorant.numerics.checkpoints import Given

_LARGEST_FILE = 1 << 30


@verb
def certify(
    checkpoint: Checkpoint,
    out: Annotated[Path, typer.Option("-o", "--out", help="JSON file to write.")],
    n: Annotated[int, typer.Option("-n", help="Independent training sequences.")],
    bound: Annotated[str, typer.Option(help="The bound to certify.")] = "occam",
    block: Annotated[str, typer.Option(help="faithful or normalized.")] = "faithful",
    reference: Reference = None,
    seq_len: SeqLen = None,
    delta: Annotated[str, typer.Option(help="Failure probability.")] = "0.05",
    errors: Annotated[int, typer.Option(
        help="Training examples whose margin is at most --margin (ties count).")] = 0,
    margin: Annotated[float | None, typer.Option(
        help="Margin, in units of the logits (1 if it is not given).")] = None,
    variances: Annotated[str | None, typer.Option(
        help="Measured LayerNorm variances (a file of `majorant measure`).")] = None,
    train_tables: TrainTables = False,
    heads: Heads = None,
    kv_heads: KvHeads = None,
    input_radius: InputRadius = None,
    json_: Json = False,
) -> int:
    """Write a certificate: everything that a checker needs to derive the bound again.

    Example: majorant certify demo -o cert.json -n 2000000000 --block normalized
    """
    from majorant.cli.bounds import certificate_for, validate_request
    from majorant.numerics.checkpoints import Given
    from majorant.numerics.spectra import spectra

    validate_request(block=block, n=n, seq_len=seq_len, delta=delta, margin=margin, bounds=[bound])
    require_file(out)
    with Bar("spectra", quiet=json_) as bar:
        found = None if reference else spectra(checkpoint, verified=True, progress=bar.update,
                                               heads=heads, kv_heads=kv_heads)
    certificate, verdict = certificate_for(
        checkpoint, bound, block, reference, n=n, seq_len=seq_len, delta=delta, errors=errors,
        margin=margin, spectra=found, variances=variances, tables=train_tables,
        given=Given(heads, kv_heads, input_radius))
    with whole_file(out) as part:
        part.write_text(json.dumps(certificate, allow_nan=False) + "\n", encoding="utf-8")
    report(_payload(verdict, str(out), certificate), f"Wrote {out}.", json_)
    return 0


@verb
def recheck(
    certificate: Annotated[Path, typer.Argument(help="A certificate (JSON).")],
    checkpoint: Annotated[str | None, typer.Option(
        help="Also derive the singular values again from this checkpoint.")] = None,
    block: Annotated[str, typer.Option(help="With --checkpoint: faithful or normalized.")
                     ] = "faithful",
    reference: Annotated[str | None, typer.Option(
        help="With --checkpoint: the base checkpoint, if the certificate is around one.")] = None,
    heads: Annotated[int | None, typer.Option(
        help="With --checkpoint: attention heads, where it has no configuration.")] = None,
    kv_heads: Annotated[int | None, typer.Option(
        help="With --checkpoint: key-value heads, where it has no configuration.")] = None,
    json_: Json = False,
) -> int:
    """Derive the bound of a certificate again, in ball arithmetic, from the file alone.

    A certificate that does not prove what it claims is refused (exit code 1).

    Example: majorant recheck cert.json
    """
    from majorant.numerics.checkpoints import Given
    from majorant.proofs.checker import check

    data = read_certificate(certificate)
    verdict = check(data)
    payload = _payload(verdict, str(certificate), data)
    if checkpoint is not None and verdict.status == "accepted":
        if differences := spectra_differences(data, checkpoint, block, reference,
                                                  Given(heads, kv_heads)):
            payload |= {"status": "refused", "upper": None, "lower": None, "log10": None,
                        "reason": differences[0], "differences": differences}
    report(payload, f"{certificate}:", json_)
    return 0 if payload["status"] == "accepted" else NEGATIVE


def read_certificate(path: Path) -> Any:
    """The JSON of a certificate file; `UnusableInput` where it is not JSON."""
    if path.stat().st_size > _LARGEST_FILE:
        raise UnusableInput(f"{path}: larger than any certificate (1 GiB)")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UnusableInput(f"{path}: not a JSON file ({error})") from None


def spectra_differences(data: dict[str, Any], checkpoint: str, block: str,
                        reference: str | None, given: Given | None = None) -> list[str]:
    """Where a certificate's inputs are not upper ends of what the checkpoint holds.

    The norm of the input rows is taken from the certificate where no table of the checkpoint says
    it: it is an assumption there too.
    """
    from majorant.derivation.certificate import exact_fraction
    from majorant.derivation.network.json_form import to_json
    from majorant.numerics.certificates.from_checkpoint import sized_network
    from majorant.numerics.certificates.last_update import LAST
    from majorant.numerics.checkpoints import Given, resolve

    network, numbers = data["inputs"]["network"], data["inputs"]["numbers"]
    radius = float(exact_fraction(numbers[network["input_radius"]], "input radius"))
    given = given or Given()
    if block == "faithful" and resolve(checkpoint).kind not in ("spectra", "adapter"):
        if given.open(checkpoint).embedding.tokens is None:
            given = replace(given, input_radius=radius)
    cut = any(part["name"] == LAST for part in network["blocks"])
    sized = sized_network(checkpoint, block, reference=reference,
                          floors=bool(data["inputs"]["empirical"]["variances"]),
                          radius=radius if cut else None, given=given,
                          tables=bool(network["entry"]))
    found = []
    if to_json(sized.network) != network:
        found.append(f"{checkpoint}: its network is not the one that the certificate describes")
    table = data["inputs"]["parameters"]
    for p in sized.parameters:
        entry = table.get(p.id)
        if entry is None:
            found.append(f"{p.id}: not in the certificate")
            continue
        claimed = list(entry.get("sigma", [entry.get("norm", 0.0)]))
        actual = list(p.sigma) if p.kind == "matrix" else [p.norm]
        claimed += [0.0] * (len(actual) - len(claimed))
        if _below(claimed, actual):
            found.append(f"{p.id}: the certificate's spectrum lies below the checkpoint's")
        if p.trained and not entry["trained"]:
            found.append(f"{p.id}: the certificate says that it was not trained")
        both = [(entry.get(name) or 0.0, getattr(p, name) or 0.0)
                for name in ("reference_norm", "own_norm")]
        if _below(*zip(*both, strict=True)):
            found.append(f"{p.id}: the certificate's norms of the reference lie below those of the "
                         "checkpoints")
    found += [f"{name}: the certificate's number lies below the checkpoint's"
              for name, value in sized.numbers.items() if _below([numbers.get(name, 0.0)], [value])]
    return found


def _below(claimed: Sequence[Any], actual: Sequence[Any]) -> bool:
    """Whether a claimed upper end certainly lies below the one that was computed again.

    Both are verified, each within its own small radius of the truth.
    """
    from majorant.derivation.certificate import exact_fraction

    return any(exact_fraction(x, "size") < exact_fraction(y, "size") * (1 - Fraction(1, 10**9))
               for x, y in zip(claimed, actual, strict=False))


def _payload(verdict: Any, path: str, certificate: Any) -> dict[str, Any]:
    from majorant.cli.bounds import interval, ledger
    from majorant.cli.statement import stated

    payload: dict[str, Any] = {"status": verdict.status, "file": path, "bound": verdict.bound,
                               "upper": None, "lower": None, "log10": None,
                               "reason": verdict.reason or None}
    if verdict.value is not None:
        payload |= interval(verdict) | {
            "n": verdict.n, "price_nats": float(verdict.price), "ledger": ledger(verdict.ledger),
            **stated(certificate)}
    return payload


def report(payload: dict[str, Any], title: str, as_json: bool) -> None:
    """Print the verdict for a person or as JSON."""
    if as_json:
        emit_json(payload)
        return
    emit_text(title)
    if payload["status"] != "accepted":
        emit_text(f"REFUSED: {payload['reason']}")
        return
    worth = state(payload)
    whose = "" if payload["checkpoint"] is None else f" Checkpoint: {payload['checkpoint']}" + (
        "." if payload["reference"] is None else f", around {payload['reference']}.")
    emit_text(
        f"ACCEPTED: with probability at least 1 - {payload['delta']} the error is at most "
        f"{printed(payload)} ({worth}{': it says nothing' if worth == 'vacuous' else ''}).",
        f"Of: {payload['network']}.",
        f"In the words of its author: {payload['network_in_words'] or 'not recorded'}.{whose}",
        f"Bound {payload['bound']}, n = {payload['n']}, {failure(payload)}; choices made after "
        f"training cost {payload['price_nats']:.1f} nats.",
        "Stands on: " + ", ".join(payload["ledger"]),
        *(f"  assumes: {line}" for line in payload["assumptions"]))


def printed(payload: dict[str, Any]) -> str:
    """The upper end with ten digits, rounded up; where these are a 1 that it is not, with more."""
    if payload["upper"] is None:
        return power_above(payload["log10"])
    text = rounded_up(payload["upper"], 10)
    return text if payload["vacuous"] or text != "1" else rounded_up(payload["upper"], 17)
