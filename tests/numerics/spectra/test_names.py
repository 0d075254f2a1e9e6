"""The names of spectra are what descriptions of networks refer to, in every family."""

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints import open_model
from majorant.numerics.networks import describe
from majorant.numerics.spectra import iterate_spectra, spectra

transformers = pytest.importorskip("transformers")

_SIZE = {"hidden_size": 16, "num_attention_heads": 4, "num_hidden_layers": 2,
         "intermediate_size": 24}  # fmt: skip


def written(kind: str, folder: Path) -> Any:
    t = transformers
    torch.manual_seed(0)
    grouped = {**_SIZE, "num_key_value_heads": 2, "vocab_size": 40, "pad_token_id": 0}
    model = {
        "bert": lambda: t.BertForSequenceClassification(t.BertConfig(vocab_size=40, **_SIZE)),
        "llama": lambda: t.LlamaForCausalLM(t.LlamaConfig(**grouped)),
        "qwen2": lambda: t.Qwen2ForCausalLM(t.Qwen2Config(**grouped)),
        "phi3": lambda: t.Phi3ForCausalLM(t.Phi3Config(**grouped)),
        "vit": lambda: t.ViTForImageClassification(
            t.ViTConfig(image_size=8, patch_size=4, **_SIZE)
        ),
        "gpt2": lambda: t.GPT2LMHeadModel(
            t.GPT2Config(n_embd=16, n_head=4, n_layer=2, vocab_size=40, n_positions=16)
        ),
    }[kind]()
    model.save_pretrained(folder)
    return model


@pytest.mark.parametrize("kind", ["bert", "gpt2", "llama", "qwen2", "phi3", "vit"])
def test_a_description_finds_its_spectra(kind: str, tmp_path: Path) -> None:
    written(kind, tmp_path)
    model = open_model(tmp_path)
    found = spectra(model)
    named = {s.spectrum for s in describe(model).sources.values() if s.spectrum is not None}
    assert named == set(found.names)
    for source in describe(model).sources.values():
        if source.spectrum is not None:
            loaded = source.load()
            matrix = loaded if isinstance(loaded, torch.Tensor) else loaded[0] @ loaded[1].T
            top = float(torch.linalg.matrix_norm(matrix, 2))
            assert found[source.spectrum].spectral_norm == pytest.approx(top, rel=1e-12)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "llama", "qwen2", "phi3", "vit"])
def test_names_in_memory_and_names_on_disk(kind: str, tmp_path: Path) -> None:
    """A `state_dict()` saved as it is may carry other names than `save_pretrained` writes."""
    model = written(kind, tmp_path / "saved")
    (tmp_path / "raw").mkdir()
    state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    save_file(state, tmp_path / "raw" / "model.safetensors")
    config = (tmp_path / "saved" / "config.json").read_text()
    (tmp_path / "raw" / "config.json").write_text(config)
    a, b = spectra(tmp_path / "saved"), spectra(tmp_path / "raw")
    assert a.content_hash() == b.content_hash()
    raw = open_model(tmp_path / "raw")
    assert not list(raw.unexplained())
    assert [t.names for t in raw.tied] == (
        [("lm_head.weight", "transformer.wte.weight")] if kind == "gpt2" else []
    )


def test_norms_under_their_old_names(tmp_path: Path) -> None:
    """BERT's first checkpoints call the gain `gamma` and the bias `beta`."""
    model = written("bert", tmp_path)
    state = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): tensor.clone()
        for name, tensor in model.state_dict().items()
    }
    save_file(state, tmp_path / "model.safetensors")
    found = open_model(tmp_path)
    assert not found.skipped
    assert torch.equal(found.blocks[0].attention_norm.gain(), torch.ones(16).double())
    assert found.blocks[0].attention_norm.bias() is not None


def test_one_spectrum_at_a_time_gives_the_same(tmp_path: Path) -> None:
    written("llama", tmp_path)
    model = open_model(tmp_path)
    assert [s.name for s in iterate_spectra(model)] == list(spectra(model).names)


def test_a_device_that_is_not_there_is_named(tmp_path: Path) -> None:
    written("bert", tmp_path)
    absent = "cuda:99" if torch.cuda.is_available() else "cuda"
    for device in (absent, "warp"):
        with pytest.raises(UnusableInput, match=device):
            spectra(tmp_path, device=device)
