"""The fine-tuned folder carries the claim: the command derives the experiment's bound from it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from majorant.cli.app import build
from majorant.cli.bounds import certificate_for
from majorant.cli.certify import spectra_differences
from majorant.derivation.errors import UnusableInput
from majorant.experiments.finetune.adapter import write_adapter
from majorant.experiments.finetune.certify import (
    CODE_RADIUS,
    VARIANCE,
    Measured,
    certify_margins,
    compressed_bound,
    measurement,
    quantize,
)
from majorant.experiments.finetune.corpus import build_pool
from majorant.experiments.finetune.model import FineTuned, frozen_norm
from majorant.experiments.finetune.training import Schedule, train
from majorant.numerics.certificates.from_checkpoint import sized_network
from majorant.numerics.checkpoints import resolve
from majorant.numerics.checkpoints.source import weights_digest

transformers = pytest.importorskip("transformers")

N = 20_000


def measured_at(seed: int) -> Measured:
    """Margins, variances and code rows as an experiment could find them."""
    generator = torch.Generator().manual_seed(seed)
    margin = 3 + 1.5 * torch.randn(N, generator=generator, dtype=torch.float64)
    return Measured(margin, 0.19 + 0.1 * torch.rand(N, generator=generator, dtype=torch.float64),
                    torch.full((N,), 1.9, dtype=torch.float64))


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path, FineTuned]:
    """A tiny base, a fine-tuned folder, and the model that was trained."""
    torch.manual_seed(0)
    base, tuned = tmp_path / "base", tmp_path / "fine-tuned"
    transformers.BertModel(transformers.BertConfig(
        vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=12, max_position_embeddings=16), add_pooling_layer=False,
    ).save_pretrained(base)
    model = FineTuned(frozen_norm(base), 1)
    with torch.no_grad():
        model.update.copy_(0.1 * torch.randn(1, 8))
        model.readout.copy_(torch.randn(8))
    write_adapter(tuned, model, 2, 0, base)
    return base, tuned, model


def test_the_command_derives_the_certificate_of_the_experiment(
        folders: tuple[Path, Path, FineTuned], tmp_path: Path) -> None:
    base, tuned, _ = folders
    measured = measured_at(0)
    sized = sized_network(str(tuned), reference=str(base), radius=CODE_RADIUS)
    certificate, verdict = certify_margins(sized, measured, failure="0.05", candidates=6)
    file = tmp_path / "variances.json"
    digest = weights_digest(resolve(tuned), resolve(base))
    measurement(certificate, measured, digest).write(file)
    again, same = certificate_for(str(tuned), reference=str(base), n=N, delta="0.05",
                                  variances=str(file))
    assert again["proposal"] == certificate["proposal"]
    assert {k: v for k, v in again["inputs"].items() if k != "seq_len"} == {
        k: v for k, v in certificate["inputs"].items() if k != "seq_len"}
    assert same.value is not None
    assert verdict.value is not None
    assert same.value.upper() == verdict.value.upper()
    assert float(verdict.value.upper()) < 1
    assert spectra_differences(again, str(tuned), "faithful", str(base)) == []
    with pytest.raises(UnusableInput, match="--reference"):
        certificate_for(str(tuned), n=N, variances=str(file))
    with pytest.raises(UnusableInput, match="other weights"):
        certificate_for(str(tuned), n=N, variances=str(file), reference=str(tuned))


def test_the_command_reads_the_folder_as_any_adapter(
        folders: tuple[Path, Path, FineTuned]) -> None:
    """Without a measurement the declaration is not used: a free update, and the head, are paid."""
    base, tuned, _ = folders
    done = CliRunner().invoke(build("evaluate"), [
        "evaluate", str(tuned), "--reference", str(base), "-n", "100000", "--bound", "occam",
        "--json"])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    occam = found["bounds"]["occam"]
    assert set(occam["largest"]) == {"block0.M_out", "readout0"}
    assert "C9" in occam["ledger"]
    assert occam["value"] < 1
    done = CliRunner().invoke(build("evaluate"), ["evaluate", str(tuned), "--json"])
    assert done.exit_code == 2
    assert "--reference" in done.stderr


def test_an_interrupted_training_resumes_with_the_same_weights(
        folders: tuple[Path, Path, FineTuned], tmp_path: Path) -> None:
    norm, rng = frozen_norm(folders[0]), np.random.default_rng(0)
    pieces = []
    for number in range(2):
        pieces.append(tmp_path / f"piece{number}.npz")
        np.savez(pieces[-1], base=rng.normal(size=(60, 8)), code=rng.normal(size=(60, 1)),
                 offsets=np.arange(0, 61, 3))
    signs = torch.from_numpy(rng.integers(0, 2, size=40) * 2.0 - 1)
    keep = torch.from_numpy(rng.random(40) < 0.8)
    whole, parts = FineTuned(norm, 1), FineTuned(norm, 1)
    states: list[dict[str, Any]] = []
    train(whole, pieces, signs, keep, Schedule(epochs=3), 0, 0, None,
          lambda epoch, state: None)

    def stop(epoch: int, state: dict[str, Any]) -> None:
        states.append(copy.deepcopy(state))
        if epoch == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(parts, pieces, signs, keep, Schedule(epochs=3), 0, 0, None, stop)
    train(parts, pieces, signs, keep, Schedule(epochs=3), 0, 1, states[0], stop)
    assert torch.equal(whole.readout, parts.readout)
    assert torch.equal(whole.update, parts.update)
    assert bool(whole.update.abs().max() > 0)


def test_every_reason_to_be_bad_counts() -> None:
    low = torch.tensor([1.0, 1.0, 1.0, 0.1, float("nan")], dtype=torch.float64)
    variance = torch.tensor([1.0, VARIANCE, 1.0, 1.0, 1.0], dtype=torch.float64)
    code = torch.tensor([1.0, 1.0, 2 * CODE_RADIUS, 1.0, 1.0], dtype=torch.float64)
    measured = Measured(low, variance, code)
    assert measured.bad(0.5).tolist() == [False, True, True, True, True]
    assert measured.out_of_range().tolist() == [False, True, True, False, False]


def test_a_longer_code_and_more_errors_cost_more(folders: tuple[Path, Path, FineTuned]) -> None:
    base, _, model = folders
    norm = frozen_norm(base)
    short, long = quantize(model, norm, (2, 2)), quantize(model, norm, (6, 4))
    assert short.nats < long.nats
    values = [compressed_bound(100, 1000, small.nats, "0.05")["upper"] for small in (short, long)]
    assert values[0] < values[1]
    assert compressed_bound(150, 1000, short.nats, "0.05")["lower"] > values[0]


def test_the_pool_has_no_duplicates_and_no_text_in_two_classes() -> None:
    pool = build_pool(["python", "c"], per_class=60, test_share=0.25, seed=1)
    assert len(set(pool.texts)) == len(pool.texts) == 120
    assert not set(pool.train) & set(pool.test)
    assert len(pool.test) == 30
    assert build_pool(["python", "c"], per_class=60, test_share=0.25, seed=1) == pool
    with pytest.raises(UnusableInput, match="klingon"):
        build_pool(["klingon"], per_class=1, test_share=0.5, seed=0)
