"""The demonstration: fine-tune MiniLM on local text, certify it twice, compare with test error."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from majorant.derivation.certificate import described
from majorant.derivation.errors import UnusableInput
from majorant.derivation.rounding import rounded_up
from majorant.experiments.finetune.adapter import write_adapter
from majorant.experiments.finetune.certify import (
    BITS,
    CODE_RADIUS,
    Measured,
    certify_margins,
    compressed_bound,
    measurement,
    quantize,
)
from majorant.experiments.finetune.corpus import Pool, build_pool
from majorant.experiments.finetune.features import MAX_TOKENS, Encoder, cache_features
from majorant.experiments.finetune.model import FineTuned, FrozenNorm, frozen_norm
from majorant.experiments.finetune.report import write_report
from majorant.experiments.finetune.training import Schedule, pooled, start_readout, train
from majorant.numerics.certificates.from_checkpoint import sized_network
from majorant.numerics.checkpoints import resolve
from majorant.numerics.checkpoints.source import weights_digest
from majorant.numerics.enclosure import ends
from majorant.numerics.whole_file import whole_file
from majorant.proofs.checker import check

Progress = Callable[[int, int | None, str], None]


@dataclass(frozen=True)
class Preset:
    """Size of the pool and of the training."""

    classes: tuple[str, ...] = ("python", "manual")
    per_class: int = 65_000
    test_share: float = 0.15
    rank: int = 1
    cached_rank: int = 2
    schedule: Schedule = field(default_factory=Schedule)


PRESETS = {"full": Preset(), "quick": Preset(per_class=500, schedule=Schedule(epochs=2))}


def run_finetune(out_dir: str | Path, *, preset: str = "full", seed: int = 0,
                 progress: Progress | None = None, failure: str = "0.05") -> dict[str, Any]:
    """Certify a fine-tuned sentence encoder; resumes from what `out_dir` holds.

    Writes cached features, `training.pt`, `certificate.json`, `report.json`, `report.md`,
    `fine-tuned/`, a LoRA adapter with its head, and `variances.json`: with these two
    `majorant certify fine-tuned --reference demo -n N --variances variances.json` derives the
    bound again. Two certificates: `bound` (G5 with G7, for the network as
    trained) and `compressed_bound` (G6, for its quantized form). Each holds with probability
    `1 - failure` over the split. Raises `UnusableInput` for an unknown preset, a folder of another
    run, or a machine without enough text.
    """
    if preset not in PRESETS:
        raise UnusableInput(f"preset {preset!r}: expected {' or '.join(PRESETS)}")
    chosen, folder, started = PRESETS[preset], Path(out_dir), time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    say = progress or (lambda done, total, text: None)
    pool = _pool(folder, chosen, seed)
    source = resolve("demo").folder
    key = hashlib.sha256(json.dumps(
        [pool.texts, str(source.name), MAX_TOKENS, chosen.cached_rank, seed]).encode()).hexdigest()
    pieces = cache_features(pool.texts, folder / "features",
                            lambda: Encoder(source, chosen.cached_rank, seed), key,
                            lambda done, total: say(done, total, "frozen features"))
    signs = torch.tensor(pool.labels, dtype=torch.float64) * 2 - 1
    keep = torch.zeros(len(signs), dtype=torch.bool)
    keep[list(pool.train)] = True
    norm = frozen_norm(source)
    model = _trained(folder, norm, chosen, seed, pieces, signs, keep, say)
    say(0, None, "margins")
    found = pooled(model, pieces)
    margin = signs * (found.output @ model.readout.detach().double())
    inside = Measured(margin[keep], found.variance[keep], found.code[keep])
    tuned = folder / "fine-tuned"
    write_adapter(tuned, model, chosen.cached_rank, seed, source)
    sized = sized_network(str(tuned), reference="demo", radius=CODE_RADIUS)
    certificate, verdict = certify_margins(sized, inside, failure=failure)
    if verdict.value is None:
        raise RuntimeError(f"the certificate was refused: {verdict.reason}")
    certificate = described(
        certificate, network="the fine-tuned encoder with its read-out, around its reference",
        checkpoint=tuned.name, block="faithful", reference="demo", delta=failure,
        assumptions=ASSUMPTIONS)
    (folder / "certificate.json").write_text(json.dumps(certificate) + "\n", encoding="utf-8")
    digest = weights_digest(resolve(tuned), resolve("demo"))
    measurement(certificate, inside, digest).write(folder / "variances.json")
    small = _best_compressed(model, norm, pieces, signs, keep, failure, say)
    test_error = float((margin[~keep] <= 0).double().mean())
    proved = ends(verdict.value)
    bound = proved["upper"]
    report: dict[str, Any] = {
        "bound": bound, "lower": proved["lower"], "test_error": test_error,
        "n": int(keep.sum()), "test_texts": int((~keep).sum()),
        "n_star": smallest_n(certificate),
        "training_error": float((margin[keep] <= 0).double().mean()),
        "margin": certificate["inputs"]["empirical"]["margin"],
        "bad_texts": certificate["inputs"]["empirical"]["errors"],
        "entropy": float(verdict.entropy) if verdict.entropy is not None else None,
        **small,
        "classes": list(pool.classes), "rank": chosen.rank, "seed": seed, "preset": preset,
        "schedule": asdict(chosen.schedule),
        "update_norm": float(torch.linalg.matrix_norm(model.update.detach(), 2)),
        "readout_norm": float(model.readout.detach().norm()),
        "ledger": list(verdict.ledger), "assumptions": ASSUMPTIONS,
        "seconds": time.monotonic() - started,
    }
    report["violations"] = [
        name for name, error, limit in (
            ("bound", test_error, bound),
            ("compressed_bound", report["compressed_test_error"], report["compressed_bound"]))
        if error > limit]
    report["headline"] = (
        f"{' vs '.join(pool.classes)}: test error {test_error:.3f}, certified below "
        f"{rounded_up(bound, 3)} as trained and below "
        f"{rounded_up(report['compressed_bound'], 3)} in compressed form (n = {report['n']:,}).")
    write_report(folder, report)
    return report


ASSUMPTIONS = [
    "The claim is about the pool: training texts are a uniform sample of it without replacement "
    "(Hoeffding 1963).",
    "The reference checkpoint and the seeded factor were fixed before the split; nothing in them "
    "was trained on any part of the pool.",
    "The code radius, the variance threshold and the margin are on grids that the certificate pays "
    "for.",
    "Everything below the last feed-forward matrix is a fixed function of the text, as computed in "
    "float32; the trained part is evaluated in float64, its rounding is added to the margins.",
    "A text with a code row or a LayerNorm variance outside the thresholds counts as an error.",
]


def _pool(folder: Path, chosen: Preset, seed: int) -> Pool:
    """The pool of an earlier run of the folder, or a new one."""
    file = folder / "pool.json"
    identity = {"classes": list(chosen.classes), "per_class": chosen.per_class, "seed": seed,
                "test_share": chosen.test_share}
    if file.exists():
        stored = json.loads(file.read_text(encoding="utf-8"))
        if stored["identity"] != identity:
            raise UnusableInput(f"{folder}: holds a run with other settings; use another folder")
        return Pool(**{name: tuple(value) for name, value in stored["pool"].items()})
    pool = build_pool(chosen.classes, chosen.per_class, chosen.test_share, seed)
    with whole_file(file) as part:
        part.write_text(json.dumps({"identity": identity, "pool": asdict(pool)}), encoding="utf-8")
    return pool


def _trained(folder: Path, norm: FrozenNorm, chosen: Preset, seed: int, pieces: Sequence[Path],
             signs: Tensor, keep: Tensor, say: Progress) -> FineTuned:
    """Train, or continue after the last whole epoch that was saved."""
    model = FineTuned(norm, chosen.rank)
    file, start, state = folder / "training.pt", 0, None
    if file.exists():
        stored = torch.load(file, weights_only=True)
        start, state = int(stored["epochs"]), stored["optimizer"]
        model.load_state_dict(stored["model"])
    else:
        say(0, chosen.schedule.epochs, "head")
        start_readout(model, pieces, signs, keep, chosen.schedule.decay_readout)

    def save(epoch: int, optimizer: dict[str, Any]) -> None:
        with whole_file(file) as part:
            torch.save({"epochs": epoch + 1, "model": model.state_dict(), "optimizer": optimizer},
                       part)
        say(epoch + 1, chosen.schedule.epochs, "training")

    train(model, pieces, signs, keep, chosen.schedule, seed, start, state, save)
    return model


def _best_compressed(model: FineTuned, norm: FrozenNorm, pieces: Sequence[Path], signs: Tensor,
                     keep: Tensor, failure: str, say: Progress) -> dict[str, Any]:
    """The quantized network with the smallest G6 bound; both bit widths are part of its code."""
    best: dict[str, Any] = {}
    for number, bits_update in enumerate(BITS[:3]):
        say(number, 3, "compression")
        choices = [quantize(model, norm, (bits_readout, bits_update)) for bits_readout in BITS]
        output = pooled(choices[0].model, pieces).output  # before the read-out: the same for all
        for small in choices:
            wrong = signs * (output @ small.model.readout.detach().double()) <= 0
            limit = compressed_bound(int(wrong[keep].sum()), int(keep.sum()), small.nats, failure)
            if not best or limit["upper"] < best["compressed_bound"]:
                best = {"compressed_bound": limit["upper"], "compressed_lower": limit["lower"],
                        "compressed_test_error": float(wrong[~keep].double().mean()),
                        "compressed_bits": list(small.bits), "code_nats": small.nats}
    return best


def smallest_n(certificate: dict[str, Any]) -> int | None:
    """The least `n` at which the certified class is below 1/2 with no bad texts (bisection)."""
    from majorant.derivation.certificate import sign

    def value(size: int) -> float:
        inputs = json.loads(json.dumps(certificate["inputs"]))
        inputs["n"], inputs["empirical"]["errors"] = size, 0
        found = check(sign(inputs, certificate["proposal"])).value
        return float(found.upper()) if found is not None else math.inf

    low, high = 0, 1
    while value(high) >= 0.5:
        low, high = high, high * 2
        if high > 2**60:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if value(middle) >= 0.5 else (low, middle)
    return high
