"""G7's empirical side: variances of a checkpoint's LayerNorms, measured and turned into errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints import open_model
from majorant.numerics.networks.measure import measure
from majorant.numerics.networks.measurement import Measurement, read_measurement
from majorant.numerics.networks.sample import read_labels, read_sample

transformers = pytest.importorskip("transformers")
transformers.logging.set_verbosity_error()

_SIZES = {"hidden_size": 16, "num_attention_heads": 4, "num_hidden_layers": 2,
          "intermediate_size": 24, "vocab_size": 40}
SEQUENCES = [[3, 7, 1, 9, 22], [4, 4], [5, 30, 12], [39, 2], [8]]
# family: model, and its normalizations inside the blocks in the order in which they run
FAMILIES: dict[str, Any] = {
    "bert": lambda t: t.BertModel(t.BertConfig(**_SIZES), add_pooling_layer=False),
    "roberta": lambda t: t.RobertaModel(t.RobertaConfig(**_SIZES, pad_token_id=1),
                                        add_pooling_layer=False),
    "distilbert": lambda t: t.DistilBertModel(t.DistilBertConfig(
        dim=16, n_heads=4, n_layers=2, hidden_dim=24, vocab_size=40)),
    "gpt2": lambda t: t.GPT2Model(t.GPT2Config(
        vocab_size=40, n_embd=16, n_head=4, n_layer=2, n_positions=32)),
    "llama": lambda t: t.LlamaModel(t.LlamaConfig(num_key_value_heads=2, pad_token_id=0, **_SIZES)),
}


def saved(model: Any, folder: Path) -> Any:
    """The model with large random weights, in float64, and its checkpoint."""
    torch.manual_seed(0)
    model = model.double().eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            norm = any(word in name.lower() for word in ("norm", "ln_"))
            parameter.copy_(0.3 * torch.randn_like(parameter) + float(norm))
    model.save_pretrained(folder)
    return model


def seen_variances(model: Any, ids: list[int]) -> list[float]:
    """Least variance over the tokens at every norm but the embeddings', by the library."""
    found: list[float] = []

    def hook(module: Any, inputs: tuple[torch.Tensor, ...]) -> None:
        x = inputs[0].double()
        centred = x if "RMS" in type(module).__name__ else x - x.mean(-1, keepdim=True)
        found.append(float(centred.square().mean(-1).min()))

    handles = [m.register_forward_pre_hook(hook) for name, m in model.named_modules()
               if "Norm" in type(m).__name__ and "embeddings" not in name]
    with torch.no_grad():
        model(input_ids=torch.tensor([ids]))
    for handle in handles:
        handle.remove()
    return found


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_variances_are_those_of_the_library(family: str, tmp_path: Path) -> None:
    model = saved(FAMILIES[family](transformers), tmp_path)
    found = measure(open_model(str(tmp_path)), [torch.tensor(s) for s in SEQUENCES])
    expected = np.array([seen_variances(model, ids) for ids in SEQUENCES])
    least = np.array([found.quantiles[name][0] for name in found.thresholds])
    np.testing.assert_allclose(least, expected.min(axis=0), rtol=1e-4)
    assert found.below == 0
    for name, value in found.thresholds.items():
        assert value < found.quantiles[name][0] < value * 1.001


def test_a_quantile_trades_errors_for_a_larger_threshold(tmp_path: Path) -> None:
    model = saved(FAMILIES["bert"](transformers), tmp_path)
    sequences = [torch.tensor(s) for s in SEQUENCES]
    found = measure(open_model(str(tmp_path)), sequences, quantile=0.4)
    expected = np.array([seen_variances(model, ids) for ids in SEQUENCES])
    limits = np.array(list(found.thresholds.values()))
    np.testing.assert_allclose(limits, np.sort(expected, axis=0)[2], rtol=1e-5)
    low = (expected <= limits).any(axis=1)
    assert found.below == low.sum() >= 2
    assert found.first_below == tuple(np.flatnonzero(low).tolist())


def test_margins_are_counted_together_with_variances(tmp_path: Path) -> None:
    t = transformers
    model = saved(t.BertForSequenceClassification(t.BertConfig(**_SIZES, num_labels=3)), tmp_path)
    with torch.no_grad():
        logits = torch.cat([model(input_ids=torch.tensor([s])).logits for s in SEQUENCES])
    labels = torch.tensor([0, 1, 2, 0, 1])
    own = logits.gather(1, labels[:, None])[:, 0]
    rest = logits.scatter(1, labels[:, None], -torch.inf).amax(dim=1)
    margins = own - rest
    gamma = float(margins.max()) / 2
    assert gamma > 0
    opened = open_model(str(tmp_path))
    sequences = [torch.tensor(s) for s in SEQUENCES]
    found = measure(opened, sequences, labels=labels, margin=gamma)
    assert found.bad == int((margins <= gamma).sum())
    assert found.errors(0) == found.bad
    both = measure(opened, sequences, labels=labels, margin=gamma, quantile=0.4)
    assert both.bad is not None
    assert found.bad <= both.bad <= found.bad + both.below
    assert both.below <= both.bad


def test_a_vanishing_variance_is_an_error_that_names_the_sequence(tmp_path: Path) -> None:
    model = saved(FAMILIES["gpt2"](transformers), tmp_path)
    with torch.no_grad():
        model.wte.weight[8] = 0
        model.wpe.weight[0] = 0
    model.save_pretrained(tmp_path)
    sequences = [torch.tensor(s) for s in SEQUENCES]
    with pytest.raises(UnusableInput, match=r"block0\.norm1: the variance vanishes on sequence 4"):
        measure(open_model(str(tmp_path)), sequences)
    assert measure(open_model(str(tmp_path)), sequences, quantile=0.3).below >= 1


def test_rotary_positions_of_another_base_are_refused(tmp_path: Path) -> None:
    saved(FAMILIES["llama"](transformers), tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    config["rope_parameters"] = {"rope_theta": 500000.0, "rope_type": "default"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(UnusableInput, match="base 500000"):
        measure(open_model(str(tmp_path)), [torch.tensor([1, 2])])


@pytest.mark.parametrize(("options", "word"), [
    ({"quantile": 1.0}, "quantile"), ({"quantile": float("nan")}, "quantile"),
    ({"labels": torch.tensor([0])}, "margin"), ({"margin": 1.0}, "labels"),
    ({"labels": torch.tensor([0]), "margin": 1.0}, "no classifier"),
    ({"sequences": [torch.tensor([40])]}, "token ids"),
    ({"sequences": [torch.arange(39).repeat(20)]}, "positions"),
])
def test_what_cannot_be_measured_is_refused(options: dict[str, Any], word: str,
                                            tmp_path: Path) -> None:
    saved(FAMILIES["bert"](transformers), tmp_path)
    sequences = options.pop("sequences", [torch.tensor([1, 2])])
    with pytest.raises(UnusableInput, match=word):
        measure(open_model(str(tmp_path)), sequences, **options)


def test_samples_in_every_form(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[[1, 2, 3], [4]]")
    (tmp_path / "a.txt").write_text("1 2 3\n4\n")
    np.save(tmp_path / "b.npy", np.array([[1, 2], [3, 4]]))
    np.savez(tmp_path / "a.npz", input_ids=np.array([[1, 2, 3], [4, 0, 0]]),
             attention_mask=np.array([[1, 1, 1], [1, 0, 0]]))
    for name in ("a.json", "a.txt", "a.npz"):
        assert [s.tolist() for s in read_sample(tmp_path / name)] == [[1, 2, 3], [4]]
    assert [s.tolist() for s in read_sample(tmp_path / "b.npy")] == [[1, 2], [3, 4]]
    (tmp_path / "labels.txt").write_text("0\n2\n")
    assert read_labels(tmp_path / "labels.txt", 2).tolist() == [0, 2]


@pytest.mark.parametrize(("name", "text"), [
    ("a.json", "[[1, 2.5]]"), ("a.json", "[[]]"), ("a.json", "[]"), ("a.json", "{}"),
    ("a.json", "[[1, -2]]"), ("a.json", "[[true]]"), ("a.json", "[[1, [2]]]"), ("a.json", "["),
    ("a.txt", "1 two"), ("a.txt", "1\n\n2"), ("a.csv", "1,2"), ("a.npy", "no array"),
])
def test_samples_that_are_none_are_refused(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UnusableInput, match=name):
        read_sample(tmp_path / name)


def test_a_measurement_survives_its_file(tmp_path: Path) -> None:
    found = Measurement(10, {"norm": 0.25}, 2, 0.5, 4, "abc", (1, 7), "by hand",
                        {"norm": (0.1, 0.2)})
    found.write(tmp_path / "m.json")
    again = read_measurement(tmp_path / "m.json")
    assert (again.n, again.thresholds, again.below, again.margin, again.bad) == (
        10, {"norm": 0.25}, 2, 0.5, 4)


@pytest.mark.parametrize(("change", "word"), [
    ({"n": 0}, "n:"), ({"n": 10.5}, "n:"), ({"below": 11}, "below"), ({"below": -1}, "below"),
    ({"below": True}, "below"), ({"thresholds": {"norm": 0}}, "norm"),
    ({"thresholds": {}}, "thresholds"),
    ({"thresholds": {"norm": -1.0}}, "norm"), ({"thresholds": {"norm": "0.1"}}, "norm"),
    ({"thresholds": {"norm": float("nan")}}, "norm"), ({"margin": 1.0}, "belong together"),
    ({"margin": 1.0, "bad": 1}, "bad"), ({"threshold": 1}, "fields"),
])
def test_measurements_that_mean_nothing_are_refused(change: dict[str, Any], word: str,
                                                    tmp_path: Path) -> None:
    data = {"n": 10, "thresholds": {"norm": 0.5}, "below": 2} | change
    (tmp_path / "m.json").write_text(json.dumps(data))
    with pytest.raises(UnusableInput, match=word):
        read_measurement(tmp_path / "m.json")
