"""Trained embedding tables: the same function of unit vectors, one more matrix that is paid for."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch

from majorant.cli.bounds import certificate_for, evaluate_bounds
from majorant.cli.certify import spectra_differences
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import parameters
from majorant.numerics.certificates.from_checkpoint import sized_network
from majorant.numerics.checkpoints import open_model
from majorant.numerics.networks import describe
from majorant.numerics.networks.embedding_tables import embedding_tables
from majorant.numerics.networks.forward import forward
from majorant.numerics.networks.input_rows import input_rows
from majorant.numerics.networks.measure import measure, weights_of

transformers = pytest.importorskip("transformers")

IDS = [3, 7, 3, 22]


def saved(family: str, folder: Path) -> str:
    """A tiny checkpoint with a token table of 30 rows and positions."""
    t = transformers
    torch.manual_seed(0)
    model = (t.BertModel(t.BertConfig(
        vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=12, max_position_embeddings=16), add_pooling_layer=False)
        if family == "bert" else t.GPT2Model(t.GPT2Config(
            vocab_size=30, n_embd=8, n_head=2, n_layer=1, n_positions=16)))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_it_is_the_same_function(family: str, tmp_path: Path) -> None:
    model = open_model(saved(family, tmp_path))
    plain, trained = describe(model), describe(model, tables=True)
    sizes = [30, 16] + ([2] if family == "bert" else [])
    assert embedding_tables(model).shape == (sum(sizes), 8)
    units = torch.zeros(len(IDS), sum(sizes), dtype=torch.float64)
    for place, token in enumerate(IDS):
        units[place, token] = units[place, 30 + place] = 1
        if family == "bert":
            units[place, 46] = 1
    assert float(units.norm(dim=1).max()) <= trained.input_radius()
    rows = input_rows(model)(torch.tensor(IDS))
    keep = {"pooling": "tokens", "readout": ()}
    expected = forward(dataclasses.replace(plain.network, **keep), weights_of(plain), rows)
    found = forward(dataclasses.replace(trained.network, **keep), weights_of(trained), units)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)
    new = parameters(trained.network).keys() - parameters(plain.network).keys()
    assert new == {"embedding.tables"} | (
        {"embedding.norm.gain", "embedding.norm.bias"} if family == "bert" else set())


def test_trained_tables_cost_more_and_are_said_to_be_trained(tmp_path: Path) -> None:
    source = saved("bert", tmp_path)
    frozen = evaluate_bounds(source, bounds=["occam", "norm"])
    trained = evaluate_bounds(source, bounds=["occam", "norm"], tables=True)
    for name in ("occam", "norm"):
        assert trained["bounds"][name]["log10_n_star"] > frozen["bounds"][name]["log10_n_star"]
    assert any("tables are trained" in line for line in trained["assumptions"])
    assert not any("frozen" in line for line in trained["assumptions"])


def test_the_certificate_describes_the_tables(tmp_path: Path) -> None:
    source = saved("bert", tmp_path)
    certificate, verdict = certificate_for(source, n=10**7, tables=True)
    assert verdict.status == "accepted"
    entry = certificate["inputs"]["parameters"]["embedding.tables"]
    largest = float(torch.linalg.matrix_norm(embedding_tables(open_model(source)).load(), 2))
    assert largest <= entry["sigma"][0] <= largest * (1 + 1e-9)
    assert spectra_differences(certificate, source, "faithful", None) == []


def test_their_normalization_needs_a_threshold(tmp_path: Path) -> None:
    source = saved("bert", tmp_path / "model")
    sample = [torch.tensor(IDS), torch.tensor([1, 2])]
    model = open_model(source)
    measure(model, sample).write(tmp_path / "without.json")
    with pytest.raises(UnusableInput, match=r"embedding\.norm"):
        certificate_for(source, n=2, tables=True, variances=str(tmp_path / "without.json"))
    found = measure(model, sample, tables=True)
    table = embedding_tables(model).load()
    rows = torch.cat([table[ids] + table[30:30 + len(ids)] + table[46] for ids in sample])
    least = float(rows.var(dim=1, unbiased=False).min())
    assert found.thresholds["embedding.norm"] == pytest.approx(least, rel=1e-5)
    found.write(tmp_path / "with.json")
    for tables in (True, False):
        certificate, verdict = certificate_for(source, n=2, tables=tables,
                                               variances=str(tmp_path / "with.json"))
        assert verdict.status == "accepted"
        floors = certificate["inputs"]["empirical"]["variances"]
        assert ("embedding.norm" in floors) == tables


def test_around_a_reference_a_table_that_did_not_move_is_free(tmp_path: Path) -> None:
    base = saved("bert", tmp_path / "base")
    model = transformers.BertModel.from_pretrained(base, add_pooling_layer=False)
    with torch.no_grad():
        model.embeddings.word_embeddings.weight[5, 2] += 0.01
    model.save_pretrained(tmp_path / "tuned")
    sized = sized_network(str(tmp_path / "tuned"), reference=base, tables=True)
    moved = {p.id: p for p in sized.parameters if p.trained}
    assert set(moved) == {"embedding.tables"}
    assert moved["embedding.tables"].size == pytest.approx(0.01, rel=1e-4)
    still = sized_network(base, reference=base, tables=True)
    assert not any(p.trained for p in still.parameters)


def test_the_twin_has_no_tables(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="faithful"):
        sized_network(saved("bert", tmp_path), "normalized", tables=True)
