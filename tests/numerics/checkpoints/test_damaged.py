"""A checkpoint that contradicts itself is refused by the name of what is wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints import open_model, resolve
from majorant.numerics.networks.input_radius import input_radius

Make = Callable[..., tuple[Any, Path]]


def change(folder: Path, edit: Callable[[dict[str, torch.Tensor]], object]) -> Path:
    tensors = load_file(folder / "model.safetensors")
    edit(tensors)
    save_file(tensors, folder / "model.safetensors")
    return folder


def configure(folder: Path, **more: Any) -> Path:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **more}))
    return folder


@pytest.mark.parametrize("name", [
    "bert.encoder.layer.1.output.dense.bias", "bert.encoder.layer.0.attention.self.key.bias",
    "bert.encoder.layer.2.output.LayerNorm.bias"])
def test_a_bias_that_one_block_lacks_is_named(name: str, make: Make) -> None:
    _, folder = make("bert")
    with pytest.raises(UnusableInput, match=f"{name} is missing"):
        open_model(change(folder, lambda tensors: tensors.pop(name)))


def test_a_part_that_every_block_lacks_is_no_error(make: Make) -> None:
    _, folder = make("bert")

    def drop(tensors: dict[str, torch.Tensor]) -> None:
        for name in [name for name in tensors if name.endswith("output.dense.bias")]:
            del tensors[name]

    assert open_model(change(folder, drop)).blocks[1].feed_forward.output_bias_view is None


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama"])
def test_a_table_that_is_not_finite_gives_no_radius(family: str, make: Make) -> None:
    _, folder = make(family)
    tokens = open_model(folder).embedding.tokens
    assert tokens is not None
    name = tokens.name
    change(folder, lambda tensors: tensors[name][0, 1].fill_(float("nan")))
    with pytest.raises(UnusableInput, match=f"{name} in model.safetensors has 1 entries"):
        input_radius(open_model(folder))


def shard(folder: Path) -> dict[str, str]:
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    files = {"model-00001-of-00002.safetensors": names[::2],
             "model-00002-of-00002.safetensors": names[1::2]}
    for file, part in files.items():
        save_file({name: tensors[name] for name in part}, folder / file)
    return {name: file for file, part in files.items() for name in part}


@pytest.mark.parametrize(("entry", "match"), [
    ({"ghost.weight": "model-00001-of-00002.safetensors"}, r"lists ghost\.weight in model-00001"),
    ({"ghost.weight": "../model.safetensors"}, "outside the folder"),
    ({"ghost.weight": "/etc/passwd"}, "outside the folder"),
    ({"ghost.weight": 3}, r"ghost\.weight has 3"),
])
def test_an_index_that_lists_what_is_not_there_is_refused(
    entry: dict[str, Any], match: str, make: Make
) -> None:
    _, folder = make("bert")
    mapping = shard(folder)
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": mapping}))
    assert open_model(folder).dimensions.layers == 3
    index.write_text(json.dumps({"weight_map": {**mapping, **entry}}))
    with pytest.raises(UnusableInput, match=match):
        open_model(folder)


@pytest.mark.parametrize("data", [b"hello", b"", b"\x80\x02garbage", b"PK\x03\x04"])
def test_bytes_that_are_no_torch_file_are_refused_in_our_words(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "text.pt"
    path.write_bytes(data)
    with pytest.raises(UnusableInput, match=r"text\.pt: not a complete torch file") as caught:
        open_model(path)
    assert "weights_only" not in str(caught.value) and "\x1b" not in str(caught.value)


@pytest.mark.parametrize(("key", "value"), [
    ("layer_norm_eps", -1.0), ("layer_norm_eps", "nan"), ("layer_norm_eps", True),
    ("layer_norm_eps", float("nan")), ("num_attention_heads", True), ("num_attention_heads", 4.0)])
def test_a_value_of_the_wrong_type_is_named_with_its_file(
    key: str, value: Any, make: Make
) -> None:
    _, folder = make("bert")
    with pytest.raises(UnusableInput, match=rf"config\.json has {key} = "):
        open_model(configure(folder, **{key: value}))


@pytest.mark.parametrize("value", [[3], "GPT2LMHeadModel"])
def test_class_names_that_are_no_list_are_refused(value: Any, make: Make) -> None:
    _, folder = make("gpt2")
    with pytest.raises(UnusableInput, match=r"config\.json has architectures = "):
        open_model(configure(folder, architectures=value))


def test_an_empty_name_is_not_the_working_folder(make: Make, monkeypatch: Any) -> None:
    _, folder = make("bert")
    monkeypatch.chdir(folder)
    with pytest.raises(UnusableInput, match="empty name"):
        resolve("")
    assert resolve(".").files
