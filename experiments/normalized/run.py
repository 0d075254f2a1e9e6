"""The demonstration: train, compress, certify, compare with the test error, report."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from majorant.derivation.certificate import described
from majorant.derivation.errors import UnusableInput
from majorant.derivation.rounding import rounded_up
from majorant.experiments.networks.normalized import NormalizedNetwork
from majorant.experiments.normalized.certify import certify, compare, verified_parameters
from majorant.experiments.normalized.controls import linear_bag_error
from majorant.experiments.normalized.margins import margins
from majorant.experiments.normalized.report import write_report
from majorant.experiments.normalized.rounding import EXP_ULP, forward_error
from majorant.experiments.normalized.settings import Settings, preset_settings
from majorant.experiments.normalized.task import Sequences
from majorant.experiments.normalized.training import Trainer
from majorant.experiments.one_thread import one_thread
from majorant.numerics.enclosure import ends
from majorant.numerics.whole_file import whole_file

Progress = Callable[[int, int, str], None]


@one_thread()
def run_normalized(out_dir: str | Path, *, preset: str | Settings = "full", seed: int = 0,
                   n: int | None = None, resume: bool = True,
                   progress: Progress | None = None) -> dict[str, Any]:
    """Train a network of the normalized family on `n` sequences and certify its error.

    `preset` is `"full"`, `"quick"` or a `Settings`; `n` is the preset's unless given. Writes
    `training.pt` (while it trains), `network.safetensors`, `certificate.json`, `report.json` and
    `report.md` into `out_dir`, and returns the report: among its keys `bound` (upper end of the
    certified error), `test_error`, `n`, `n_star` and `violations` (empty, or what went above its
    bound). With `resume`, continues from what an interrupted run of the same seed, `n` and
    settings left there.

    Raises `UnusableInput` for `n < 1`, a seed outside `[0, 20000)`, an unknown preset, or a
    folder whose run had other settings. Source: docs/theory, chapter 3, G5 with U3 and U4.
    """
    settings = preset_settings(preset) if isinstance(preset, str) else preset
    n = settings.sequences if n is None else n
    if isinstance(n, bool) or n < 1 or not 0 <= seed < 20_000:
        raise UnusableInput(f"expected n >= 1 and 0 <= seed < 20000, got n={n!r}, seed={seed!r}")
    folder = Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, {"seed": seed, "n": n, "settings": settings.json()}, resume)
    started, cpu = time.monotonic(), time.process_time()
    # Three independent streams: training sample, test sample, initialization and batch order.
    sample = settings.task.sample(n, seed=3 * seed)
    test = settings.task.sample(settings.test_sequences, seed=3 * seed + 1)
    network, training = _train(folder, sample, seed, settings, progress)
    save_file({name: value.contiguous() for name, value in network.state_dict().items()},
              folder / "network.safetensors")
    parameters = verified_parameters(network)
    rounding = forward_error(network, parameters, settings.task.length + 1)
    on_sample = _sample_margins(folder, network, settings, sample, progress)
    certificate, verdict = certify(network, parameters, on_sample, rounding=rounding,
                                   delta=settings.delta)
    if verdict.value is None or verdict.entropy is None or verdict.price is None:
        raise RuntimeError(f"the certificate was refused: {verdict.reason}")
    certificate = described(
        certificate, network="the trained network itself: without residuals, LayerNorm and biases",
        checkpoint="network.safetensors", block="normalized", delta=settings.delta,
        assumptions=assumptions(rounding))
    (folder / "certificate.json").write_text(json.dumps(certificate) + "\n", encoding="utf-8")
    empirical = certificate["inputs"]["empirical"]
    proved = ends(verdict.value)
    bound = proved["upper"]
    bounds = compare(network, parameters, empirical["margin"], empirical["errors"], n=n,
                     delta=settings.delta, tokens=settings.task.length + 1)
    controls, few = (Sequences(*(column[: settings.control_sequences] for column in part))
                     for part in (sample, test))
    test_error = _error(network, settings, test)
    result: dict[str, Any] = {
        "headline": f"certified error at most {rounded_up(bound, 4)} with probability "
                    f"{1 - float(settings.delta):g}; measured {test_error:.5f} on "
                    f"{settings.test_sequences:,} fresh sequences",
        "bound": bound,
        "test_error": test_error,
        "violations": [f"test error {test_error} above the bound {bound}"]
                      if test_error > bound else [],
        "n": n,
        "n_star": bounds["occam"]["n_star"],
        "vacuous": bound >= 0.5,
        "lower": proved["lower"],
        "entropy": float(verdict.entropy),
        "price": float(verdict.price),
        "margin": {**empirical, "rounding": rounding},
        "training_error": float((~(on_sample > 0)).double().mean()),
        "linear_error": linear_bag_error(settings.task, controls, few),
        "uniform_error": _error(network, settings, few, (True,) * network.blocks),
        "uniform_error_by_block": [
            _error(network, settings, few, tuple(b == block for b in range(network.blocks)))
            for block in range(network.blocks)],
        "bounds": bounds,
        "matrices": [{"id": p.id, "rank": p.rank, "norm": p.size,
                      "entropy": float(verdict.shares.get(p.id, 0.0))} for p in parameters],
        "log2_inputs": settings.task.log2_inputs(),
        "test_sequences": settings.test_sequences,
        "training": training,
        "seed": seed,
        "settings": settings.json(),
        "ledger": list(verdict.ledger),
        "assumptions": assumptions(rounding),
        "seconds": training["seconds_before"] + time.monotonic() - started,
        "cpu_seconds": training["cpu_seconds_before"] + time.process_time() - cpu,
    }
    write_report(folder, result)
    return result


def assumptions(rounding: float) -> list[str]:
    """What the guarantee takes for granted, in words."""
    return [
        "The training sequences are independent draws of the task's distribution.",
        "Token and position embeddings are frozen before the sample is drawn; rows have norm <= 1.",
        f"Margins are computed in float64; an a-priori bound on their error, {rounding:.1e}, is "
        f"added before they are counted (it assumes `exp` to {EXP_ULP} units in the last place).",
        "Spectral norms, ranks and the margin are read off the trained network, on grids that the "
        "certificate pays for; nothing about them is assumed.",
        "Singular values are verified upper ends of the exact products of the stored factors.",
    ]


def _claim(folder: Path, identity: dict[str, Any], resume: bool) -> None:
    """Make the folder this run's, or check that it already is."""
    record = folder / "run.json"
    stale = [folder / "training.pt", folder / "margins.safetensors"]
    if resume and record.exists():
        if json.loads(record.read_text(encoding="utf-8")) != json.loads(json.dumps(identity)):
            raise UnusableInput(f"{record}: this folder holds a run with another seed, n or "
                                "settings; use another folder, or do not resume")
        return
    for file in stale:
        file.unlink(missing_ok=True)
    record.write_text(json.dumps(identity, indent=2) + "\n", encoding="utf-8")


def _sample_margins(folder: Path, network: NormalizedNetwork, settings: Settings,
                    sample: Sequences, progress: Progress | None) -> Tensor:
    """Margins of the training sample, kept on disk (the network no longer changes)."""
    file = folder / "margins.safetensors"
    if not file.exists():
        found = margins(network, settings.task, sample, progress=progress)
        with whole_file(file) as part:
            save_file({"margins": found}, part)
    return load_file(file)["margins"]


def _train(folder: Path, sample: Sequences, seed: int, settings: Settings,
           progress: Progress | None) -> tuple[NormalizedNetwork, dict[str, Any]]:
    """Train, starting again from another initialization while `learn` ends too high."""
    state_file = folder / "training.pt"
    kept = torch.load(state_file, weights_only=True) if state_file.exists() else {}
    before, cpu_before = float(kept.get("seconds", 0.0)), float(kept.get("cpu_seconds", 0.0))
    started, cpu = time.monotonic(), time.process_time()
    for attempt in range(int(kept.get("attempt", 0)), settings.attempts):
        network = NormalizedNetwork(
            blocks=settings.blocks, heads=settings.heads, width=settings.task.width,
            hidden=settings.hidden, rank=settings.rank, rank_ff=settings.rank_ff,
            seed=((3 * seed + 2) << 16) + 0x8000 + attempt)
        trainer = Trainer(network, settings.task, sample, settings.schedule, seed=3 * seed + 2)
        if kept.get("attempt") == attempt:
            trainer.load(kept["state"])

        def save(trainer: Trainer = trainer, attempt: int = attempt) -> None:
            with whole_file(state_file) as part:
                torch.save({"attempt": attempt, "state": trainer.state(),
                            "seconds": before + time.monotonic() - started,
                            "cpu_seconds": cpu_before + time.process_time() - cpu}, part)

        if trainer.phase == 0:
            trainer.run(save, progress, until=trainer.phases[0].name)
        last = attempt == settings.attempts - 1
        if trainer.history[0]["training_error"] <= settings.give_up or last:
            trainer.run(save, progress)
            break
    return network, {"attempts": attempt + 1, "phases": trainer.history,
                     "seconds": before + time.monotonic() - started, "seconds_before": before,
                     "cpu_seconds_before": cpu_before}


def _error(network: NormalizedNetwork, settings: Settings, sample: Sequences,
           uniform: tuple[bool, ...] = ()) -> float:
    """Fraction of sequences with margin at most 0."""
    found = margins(network, settings.task, sample, uniform=uniform)
    return float((~(found > 0)).double().mean())
