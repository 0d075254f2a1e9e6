"""Faults that users of neighbouring projects reported, as claims about our readers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints import open_model
from majorant.numerics.spectra import spectra
from majorant.numerics.spectra.block import block_spectra

Make = Callable[..., tuple[Any, Path]]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def rewrite(folder: Path, tensors: dict[str, torch.Tensor]) -> Path:
    save_file({k: v.contiguous() for k, v in tensors.items()}, folder / "model.safetensors")
    return folder


def values(folder: Path) -> dict[str, list[float]]:
    return {s.name: s.singular_values.tolist() for s in spectra(folder)}


QUERY = "bert.encoder.layer.1.attention.self.query.weight"


def test_weightwatcher_275_float16_squares_do_not_overflow(make: Make) -> None:
    _, folder = make("bert")
    half = {k: (v * 1000).half() for k, v in weights(folder).items()}
    assert float(half[QUERY].abs().max()) ** 2 > 65504
    rewrite(folder, half)
    low = values(folder)
    rewrite(folder, {k: v.double() for k, v in half.items()})
    assert low == values(folder)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_mergekit_304_peft_1052_safetensors_598_bfloat16_is_upcast(
    dtype: torch.dtype, make: Make
) -> None:
    _, folder = make("llama")
    narrow = {k: v.to(dtype) for k, v in weights(folder).items()}
    rewrite(folder, narrow)
    view = open_model(folder).blocks[0].feed_forward
    assert view.w_in().dtype == torch.float64
    name = view.input_view.name
    assert torch.equal(view.w_in(), narrow[name].double().T)
    assert len(spectra(folder)) == 3 * (4 + 2 + 4 + 3)


def test_weightwatcher_15_322_328_every_unused_tensor_has_a_reason(make: Make) -> None:
    _, folder = make("bert")
    extra = {
        "bert.encoder.layer.0.adapter.down.weight": torch.ones(2, 2),
        "bert.embeddings.position_ids": torch.ones(1, 4),
        "cls.predictions.bias": torch.ones(3),
    }
    rewrite(folder, {**weights(folder), **extra})
    model = open_model(folder)
    reasons = {s.name: s.reason for s in model.skipped}
    assert set(reasons) == set(extra)
    assert "pre-training head" in reasons["cls.predictions.bias"]
    assert "buffer" in reasons["bert.embeddings.position_ids"]
    # A tensor inside a block that no rule explains may change what the block computes.
    assert [s.name for s in model.unexplained()] == ["bert.encoder.layer.0.adapter.down.weight"]


def test_weightwatcher_15_no_known_matrix_is_an_error_that_names_what_was_seen(
    tmp_path: Path,
) -> None:
    save_file({"features.0.weight": torch.ones(3, 3)}, tmp_path / "model.safetensors")
    with pytest.raises(UnusableInput, match=r"features\.0\.weight"):
        open_model(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "resnet"}')
    with pytest.raises(UnusableInput, match=r"resnet.*features\.0\.weight"):
        open_model(tmp_path)


@pytest.mark.parametrize("wrap", ["state_dict", "model", "module.", "_orig_mod.module.", "both"])
def test_weightwatcher_243_prefixes_are_unwrapped(wrap: str, make: Make) -> None:
    _, folder = make("bert")
    plain = values(folder)
    tensors: dict[str, Any] = dict(weights(folder))
    (folder / "model.safetensors").unlink()
    if wrap.endswith("."):
        nested: Any = {wrap + k: v for k, v in tensors.items()}
    elif wrap == "both":
        nested = {"state_dict": {"module." + k: v for k, v in tensors.items()}, "epoch": 3}
    else:
        nested = {wrap: tensors, "optimizer": {"state": {}, "lr": 0.1}}
    torch.save(nested, folder / "pytorch_model.bin")
    model = open_model(folder)
    assert values(folder) == plain
    assert model.readout is not None
    assert [layer.activation for layer in model.readout.layers] == ["tanh", None]


def test_weightwatcher_259_a_cuda_checkpoint_loads_on_a_cpu(make: Make) -> None:
    """The file says `cuda:0`: written on the CPU, then its storages relabelled in the pickle."""
    import zipfile

    _, folder = make("bert")
    plain = values(folder)
    tensors = weights(folder)
    (folder / "model.safetensors").unlink()
    torch.save(tensors, folder / "cpu.bin")
    target = folder / "pytorch_model.bin"
    with (
        zipfile.ZipFile(folder / "cpu.bin") as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new,
    ):
        for item in old.infolist():
            data = old.read(item)
            if item.filename.endswith("data.pkl"):
                before = b"X\x03\x00\x00\x00cpu"
                assert before in data
                data = data.replace(before, b"X\x06\x00\x00\x00cuda:0")
            new.writestr(item.filename, data)
    (folder / "cpu.bin").unlink()
    assert values(folder) == plain


def test_weightwatcher_268_255_names_are_keys_whatever_the_shards(make: Make) -> None:
    theirs, folder = make("bert")
    one = spectra(folder)
    shards = folder / "shards"
    theirs.save_pretrained(shards, max_shard_size="6KB")
    assert len(list(shards.glob("model-*.safetensors"))) > 3
    many = spectra(shards)
    assert one.names == many.names
    assert len(set(many.names)) == len(many) == 3 * (4 + 4 + 2)
    assert one.content_hash() == many.content_hash()


def test_a_missing_shard_is_named(make: Make) -> None:
    theirs, folder = make("bert")
    shards = folder / "shards"
    theirs.save_pretrained(shards, max_shard_size="6KB")
    gone = sorted(shards.glob("model-*.safetensors"))[1]
    gone.unlink()
    with pytest.raises(UnusableInput, match=gone.name):
        open_model(shards)
    (shards / "model.safetensors.index.json").unlink()
    with pytest.raises(UnusableInput, match=r"shards \[2\]"):
        open_model(shards)


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
def test_a_truncated_file_is_named(kind: str, make: Make) -> None:
    _, folder = make("bert")
    path = folder / "model.safetensors"
    if kind == "bin":
        tensors = weights(folder)
        path.unlink()
        path = folder / "pytorch_model.bin"
        torch.save(tensors, path)
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(UnusableInput, match=path.name):
        spectra(folder)


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
def test_weightwatcher_149_tied_tensors_are_counted_once_and_reported(
    kind: str, make: Make
) -> None:
    _, folder = make("gpt2")
    tensors = weights(folder)
    tensors["lm_head.weight"] = tensors["transformer.wte.weight"].clone()
    if kind == "safetensors":
        rewrite(folder, tensors)
    else:
        tensors["lm_head.weight"] = tensors["transformer.wte.weight"]
        (folder / "model.safetensors").unlink()
        torch.save(tensors, folder / "pytorch_model.bin")
    model = open_model(folder)
    assert [set(t.names) for t in model.tied] == [{"transformer.wte.weight", "lm_head.weight"}]
    assert len(spectra(folder)) == 3 * (4 + 4 + 2)
    # Equal zeros are not a tie.
    tensors["transformer.h.0.mlp.c_fc.weight"].zero_()
    tensors["transformer.h.1.mlp.c_fc.weight"].zero_()
    (folder / "pytorch_model.bin").unlink(missing_ok=True)
    rewrite(folder, {k: v.clone() for k, v in tensors.items()})
    assert len(open_model(folder).tied) == 1


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        (torch.ones(16, 16, dtype=torch.int8), "int8"),
        (torch.ones(128, 1, dtype=torch.uint8), "uint8"),
        (torch.ones(16, 16).to(torch.float8_e4m3fn), "float8_e4m3fn"),
        (torch.ones(16, 16, dtype=torch.int32), "int32"),
    ],
)
def test_peft_3736_bitsandbytes_765_codes_are_not_weights(
    codes: torch.Tensor, message: str, make: Make
) -> None:
    _, folder = make("bert")
    rewrite(folder, {**weights(folder), QUERY: codes})
    with pytest.raises(UnusableInput, match=f"{QUERY}.*{message}.*codes"):
        open_model(folder)


def test_bitsandbytes_765_a_quantized_configuration_is_refused(make: Make) -> None:
    _, folder = make("llama")
    config = json.loads((folder / "config.json").read_text())
    config["quantization_config"] = {"quant_method": "bitsandbytes", "load_in_4bit": True}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(UnusableInput, match=r"quantized.*bitsandbytes"):
        open_model(folder)


def test_complex_and_boolean_tensors_are_refused(make: Make) -> None:
    _, folder = make("bert")
    tensors = weights(folder)
    (folder / "model.safetensors").unlink()
    for codes, message in ((torch.ones(16, 16).cfloat(), "complex"), (torch.ones(1) > 0, "mask")):
        torch.save({**tensors, QUERY: codes}, folder / "pytorch_model.bin")
        with pytest.raises(UnusableInput, match=message):
            open_model(folder)


def test_weightwatcher_105_303_convolutions_and_other_layers_are_refused_or_listed(
    tmp_path: Path, make: Make
) -> None:
    _, folder = make("vit")
    listed = {s.name: s.reason for s in open_model(folder).skipped}
    name = next(n for n in listed if n.endswith("projection.weight"))
    assert "convolution" in listed[name]
    lstm = torch.nn.LSTM(4, 4).state_dict()
    save_file({k: v.contiguous() for k, v in lstm.items()}, tmp_path / "lstm.safetensors")
    with pytest.raises(UnusableInput, match="weight_ih_l0"):
        open_model(tmp_path / "lstm.safetensors")


def test_transformers_311_autogptq_139_conv1d_stores_in_out(make: Make) -> None:
    theirs, folder = make("gpt2")
    block = open_model(folder).blocks[0]
    assert torch.equal(block.feed_forward.w_in(), theirs.transformer.h[0].mlp.c_fc.weight)
    assert block.feed_forward.w_in().shape == (16, 64)
    assert torch.equal(
        block.attention.output_view.load(), theirs.transformer.h[0].attn.c_proj.weight
    )


def test_tensor_parallel_103_fused_matrices_are_split_by_the_head_counts(make: Make) -> None:
    theirs, folder = make("phi3")
    a = open_model(folder).blocks[1].attention
    fused = theirs.model.layers[1].self_attn.qkv_proj.weight.detach()
    assert fused.shape == ((4 + 2 + 2) * 4, 16)  # chunk(3) would be wrong
    assert torch.equal(a.query(3).T, fused[12:16])
    assert torch.equal(a.key(2).T, fused[16 + 4 : 16 + 8])
    assert torch.equal(a.value(0).T, fused[24:28])
    config = json.loads((folder / "config.json").read_text())
    config["num_key_value_heads"] = 4
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(UnusableInput, match=r"qkv_proj|divide"):
        open_model(folder)


def test_a_head_count_that_does_not_divide_the_width_is_refused(make: Make) -> None:
    _, folder = make("bert")
    config = json.loads((folder / "config.json").read_text())
    config["num_attention_heads"] = 5
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(UnusableInput, match="5 does not divide 16"):
        open_model(folder)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_galore_26_pytorch_43567_181641_non_finite_is_refused_before_the_svd(
    bad: float, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, folder = make("bert")
    tensors = weights(folder)
    tensors[QUERY][3, 4:7] = bad
    rewrite(folder, tensors)
    model = open_model(folder)
    name = QUERY
    for routine in ("svd", "svdvals", "qr", "eigh", "eigvalsh"):
        monkeypatch.setattr(torch.linalg, routine, lambda *_, **__: pytest.fail("too late"))
        if hasattr(np.linalg, routine):
            monkeypatch.setattr(np.linalg, routine, lambda *_, **__: pytest.fail("too late"))
    with pytest.raises(UnusableInput, match=rf"{name}.*3 entries of 256"):
        block_spectra(model.blocks[1])


def test_pickles_that_need_code_are_never_opened(tmp_path: Path) -> None:
    marker = tmp_path / "ran"

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return (open, (str(marker), "w"))

    torch.save({"encoder.layer.0.x": Evil()}, tmp_path / "evil.bin")
    with pytest.raises(UnusableInput, match=r"evil\.bin.*never opened"):
        open_model(tmp_path / "evil.bin")
    assert not marker.exists()
    # The file would have run it: the check above is not empty.
    torch.load(tmp_path / "evil.bin", weights_only=False)["encoder.layer.0.x"].close()
    assert marker.exists()


def test_legacy_torch_files_are_read(make: Make) -> None:
    _, folder = make("bert")
    plain = values(folder)
    tensors = weights(folder)
    (folder / "model.safetensors").unlink()
    path = folder / "pytorch_model.bin"
    torch.save(tensors, path, _use_new_zipfile_serialization=False)
    assert values(folder) == plain
