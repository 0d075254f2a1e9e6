"""A declared fixed factor: what the folder says is verified, and the smaller class is sound."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from majorant.cli.bounds import certificate_for
from majorant.derivation.certificate import exact
from majorant.derivation.errors import UnusableInput
from majorant.experiments.finetune.adapter import write_adapter
from majorant.experiments.finetune.model import FineTuned, frozen_norm
from majorant.numerics.certificates import Empirical, Problem, issue
from majorant.numerics.certificates.from_checkpoint import sized_network
from majorant.numerics.certificates.last_update import last_update, paid_delta
from majorant.numerics.checkpoints import open_model
from majorant.numerics.checkpoints.declared import seeded_factor
from majorant.numerics.networks import describe
from majorant.numerics.networks.forward import forward
from majorant.numerics.networks.input_rows import input_rows
from majorant.numerics.networks.measure import measure, weights_of
from majorant.proofs.checker import check

transformers = pytest.importorskip("transformers")

WIDTH, HIDDEN, RANK, SEED = 8, 12, 2, 3
LORA = "base_model.model.encoder.layer.0.output.dense.lora_{}.weight"
MARGIN, RADIUS = 0.5, 2.0


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A tiny base encoder, and a fine-tune of its last feed-forward matrix with a head."""
    torch.manual_seed(0)
    base, tuned = tmp_path / "base", tmp_path / "tuned"
    transformers.BertModel(transformers.BertConfig(
        vocab_size=30, hidden_size=WIDTH, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=HIDDEN, max_position_embeddings=16), add_pooling_layer=False,
    ).save_pretrained(base)
    model = FineTuned(frozen_norm(base), RANK)
    with torch.no_grad():
        model.update.copy_(0.2 * torch.randn(RANK, WIDTH))
        model.readout.copy_(torch.randn(WIDTH))
    write_adapter(tuned, model, 4, SEED, base)
    return base, tuned


def test_only_the_free_factor_and_the_head_are_trained(folders: tuple[Path, Path]) -> None:
    base, tuned = folders
    sized = sized_network(str(tuned), reference=str(base), radius=RADIUS)
    shapes = {p.id: p.shape for p in sized.parameters if p.trained}
    assert shapes == {"update": (RANK, WIDTH), "readout0": (WIDTH, 1)}
    stored = load_file(tuned / "adapter_model.safetensors")
    largest = float(torch.linalg.matrix_norm(stored[LORA.format("B")].double(), 2))
    [update] = [p for p in sized.parameters if p.id == "update"]
    assert largest <= update.sigma[0] <= largest * (1 + 1e-9)
    assert any("lora_A is what seed 3 draws" in line for line in sized.assumptions)


def test_it_costs_less_than_a_free_update(folders: tuple[Path, Path]) -> None:
    base, tuned = folders
    values = []
    for radius, name in ((RADIUS, "block0.norm2"), (None, None)):
        sized = sized_network(str(tuned), reference=str(base), radius=radius,
                              floors=radius is not None)
        problem = Problem(sized.network, sized.parameters, sized.numbers, 10**4, "0.05",
                          Empirical(MARGIN, 0, {name: 0.2} if name else {}))
        verdict = check(issue(problem))
        assert verdict.value is not None, verdict.reason
        values.append(float(verdict.value.upper()))
    assert values[0] < values[1]


def test_no_centre_spoils_a_good_input_of_the_whole_network(folders: tuple[Path, Path]) -> None:
    """Radii found for `code -> V -> LayerNorm -> head` hold for the encoder with its residual."""
    base, tuned = folders
    reference = open_model(str(base))
    model = open_model(str(tuned), reference=reference)
    sized = last_update(model, reference, RADIUS)
    threshold = 0.2
    certificate = issue(Problem(sized.network, sized.parameters, sized.numbers, 1000, "0.05",
                                Empirical(MARGIN, 0, {"block0.norm2": threshold})),
                        "parameter-count")
    assert check(certificate).status == "accepted"
    covers = certificate["proposal"]["scales"][0]["covers"]
    radii = {}
    for name in covers:
        fraction, exponent = exact(covers[name]["eps"], name)
        radii[name] = float(fraction) * 10.0**exponent
    described = describe(model, floors=True)
    weights: dict[str, Any] = dict(weights_of(described))
    rows = input_rows(model, reference.source.json("config.json"))  # type: ignore[arg-type]
    factor = torch.from_numpy(seeded_factor(HIDDEN, 4, SEED)[:, :RANK].astype(np.float32)).double()
    rng = np.random.default_rng(0)
    most, good = 0.0, 0
    for _ in range(40):
        x = rows(torch.tensor(rng.integers(0, 30, size=6)))
        change = torch.tensor(rng.normal(size=(RANK, WIDTH)))
        change *= radii["update"] / torch.linalg.matrix_norm(change, 2)
        head = torch.tensor(rng.normal(size=(WIDTH, 1)))
        head *= radii["readout0"] / head.norm()
        centre = weights | {"block0.M_out": weights["block0.M_out"] + factor @ change,
                            "readout0": weights["readout0"] + head}
        seen: list[dict[str, torch.Tensor]] = [{}, {}]
        out = [forward(described.network, w, x,
                       lambda name, variance, into=into: into.update({name: variance}))
               for w, into in ((weights, seen[0]), (centre, seen[1]))]
        if seen[0]["block0.norm2"].min() <= threshold:
            continue
        good += 1
        assert seen[1]["block0.norm2"].min() > 9 * threshold / 16
        moved = float((out[0] - out[1]).abs().max())
        assert moved <= MARGIN / 2
        most = max(most, moved / (MARGIN / 2))
    assert good > 10
    assert most > 1e-3, "the perturbations must be visible"


def test_measure_finds_the_radius_of_the_code_rows(folders: tuple[Path, Path],
                                                   tmp_path: Path) -> None:
    """Against the library's activations; the command then bounds the smaller class by itself."""
    base, tuned = folders
    sample = [[1, 2, 3], [4, 5], [29, 0, 7, 7], [11]]
    library = transformers.BertModel.from_pretrained(base, add_pooling_layer=False).eval()
    seen: list[torch.Tensor] = []
    library.encoder.layer[-1].output.dense.register_forward_pre_hook(
        lambda module, inputs: seen.append(inputs[0][0].double()))
    with torch.no_grad():
        for ids in sample:
            library(input_ids=torch.tensor([ids]))
    factor = torch.from_numpy(seeded_factor(HIDDEN, 4, SEED)[:, :RANK]).double()
    longest = torch.stack([(x @ factor).norm(dim=1).max() for x in seen])
    opened = open_model(str(base))
    model = open_model(str(tuned), reference=opened)
    sequences = [torch.tensor(ids) for ids in sample]
    found = measure(model, sequences, base=opened)
    assert found.radius == 2.0 ** math.ceil(math.log2(float(longest.max())))
    assert found.below == 0
    shorter = measure(model, sequences, base=opened, quantile=0.5)
    assert shorter.radius == 2.0 ** math.ceil(math.log2(float(longest.sort().values[1])))
    assert shorter.below >= int((longest > shorter.radius).sum())
    found.write(tmp_path / "variances.json")
    certificate, verdict = certificate_for(str(tuned), reference=str(base), n=4,
                                           variances=str(tmp_path / "variances.json"))
    assert verdict.status == "accepted"
    assert set(certificate["proposal"]["classes"]) == {"update", "readout0"}
    assert certificate["inputs"]["numbers"] == {"input": found.radius}


def rewrite(tuned: Path, change: Any) -> None:
    """The adapter's tensors after `change`."""
    stored = load_file(tuned / "adapter_model.safetensors")
    change(stored)
    save_file({name: value.contiguous() for name, value in stored.items()},
              tuned / "adapter_model.safetensors")


def test_a_factor_that_was_trained_is_refused(folders: tuple[Path, Path]) -> None:
    base, tuned = folders
    rewrite(tuned, lambda stored: stored[LORA.format("A")].add_(1e-6))
    with pytest.raises(UnusableInput, match="not what seed 3 draws"):
        sized_network(str(tuned), reference=str(base), radius=RADIUS)


def test_a_second_update_is_refused(folders: tuple[Path, Path]) -> None:
    base, tuned = folders
    name = "base_model.model.encoder.layer.0.intermediate.dense.lora_{}.weight"

    def add(stored: dict[str, torch.Tensor]) -> None:
        stored[name.format("A")] = torch.ones(1, WIDTH)
        stored[name.format("B")] = torch.ones(HIDDEN, 1)

    rewrite(tuned, add)
    with pytest.raises(UnusableInput, match=r"the adapter moves .*intermediate"):
        sized_network(str(tuned), reference=str(base), radius=RADIUS)


@pytest.mark.parametrize(("change", "word"), [
    ({"fixed_factor": {"weight": "encoder.layer.0.output.dense.weight", "seed": 4, "columns": 4}},
     "seed 4"),
    ({"fixed_factor": {"weight": "encoder.layer.0.output.dense.weight", "seed": 3, "columns": 1}},
     "1 columns for rank 2"),
    ({"fixed_factor": {"weight": "embeddings.word_embeddings.weight", "seed": 3, "columns": 4}},
     "declares an update of embeddings"),
    ({"fixed_factor": {"seed": 3}}, "fixed_factor"), ({"fixed_factor": None}, "fixed factor"),
    ({"head": ["other.weight"]}, r"other\.weight"), ({"pooling": "sum"}, "pooling"),
    ({"version": 2}, "version"), ({"note": 1}, "note"), ({"head": "classifier"}, "head"),
])
def test_declarations_that_do_not_fit_are_refused(change: dict[str, Any], word: str,
                                                  folders: tuple[Path, Path]) -> None:
    base, tuned = folders
    data = json.loads((tuned / "majorant.json").read_text()) | change
    (tuned / "majorant.json").write_text(json.dumps(data))
    with pytest.raises(UnusableInput, match=word):
        sized_network(str(tuned), reference=str(base), radius=RADIUS)


def test_a_radius_without_a_declaration_is_refused(folders: tuple[Path, Path]) -> None:
    base, tuned = folders
    (tuned / "majorant.json").unlink()
    with pytest.raises(UnusableInput, match="fixed factor declared"):
        sized_network(str(tuned), reference=str(base), radius=RADIUS)


def test_the_radius_is_paid_for() -> None:
    """Weights of the radii `2^e`, all integers `e`, sum to at most 1: no choice is free."""
    total = sum(float(eval_fraction(paid_delta("0.05", 2.0**e))) / 0.05 for e in range(-400, 401))
    assert 0.99 < total < 1
    with pytest.raises(UnusableInput, match="power of two"):
        paid_delta("0.05", 1.5)
    with pytest.raises(UnusableInput, match="power of two"):
        paid_delta("0.05", math.inf)


def eval_fraction(text: str) -> float:
    """A fraction written as `a/b`."""
    top, bottom = text.split("/")
    return int(top) / int(bottom)
