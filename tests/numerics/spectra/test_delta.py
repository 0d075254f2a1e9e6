"""Movement from a reference: exact zeros, exact ranks, and PEFT's own adapters."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from flint import arb, arb_mat, ctx
from safetensors.torch import load_file, save_file

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints import Model, open_model
from majorant.numerics.spectra import Spectrum, delta_spectra, matrix_delta, spectra

transformers = pytest.importorskip("transformers")

_SIZE = {"hidden_size": 16, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 40}


def base(kind: str, folder: Path) -> Any:
    torch.manual_seed(0)
    t = transformers
    if kind == "bert":
        config = t.BertConfig(intermediate_size=24, **_SIZE)
        model = t.BertForSequenceClassification(config)
    elif kind == "gpt2":
        config = t.GPT2Config(n_embd=16, n_head=4, n_layer=2, vocab_size=40, n_positions=32)
        model = t.GPT2LMHeadModel(config)
    else:
        config = t.LlamaConfig(intermediate_size=24, num_key_value_heads=2, pad_token_id=0, **_SIZE)
        model = t.LlamaForCausalLM(config)
    model.save_pretrained(folder)
    return model


def adapter(model: Any, folder: Path, **options: Any) -> Any:
    """A LoRA adapter with random factors, saved by PEFT."""
    peft = pytest.importorskip("peft")
    adapted = peft.get_peft_model(model, peft.LoraConfig(**options))
    with torch.no_grad():
        for name, p in adapted.named_parameters():
            if "lora_B" in name:
                p.normal_(0, 0.3)
            if "modules_to_save" in name:
                p.add_(0.1)
    adapted.save_pretrained(folder)
    return adapted


TARGETS = {
    "bert": ["query", "value", "intermediate.dense"],
    "gpt2": ["c_attn", "c_fc"],
    "llama": ["q_proj", "v_proj", "down_proj"],
}


def dense_truth(model: Model, reference: Model) -> dict[str, torch.Tensor]:
    """Every matrix's change as a dense matrix, by the plainest route."""
    found = {}
    for now, old in zip(model.blocks, reference.blocks, strict=True):
        a, b, l = now.attention, old.attention, now.index
        for h in range(a.heads):
            if a.rotary:
                found[f"blocks.{l}.heads.{h}.Q"] = a.query(h) - b.query(h)
                g = a.kv_head(h)
                found[f"blocks.{l}.kv_heads.{g}.K"] = a.key(h) - b.key(h)
            else:
                qk = a.query(h) @ a.key(h).T - b.query(h) @ b.key(h).T
                found[f"blocks.{l}.heads.{h}.QK"] = qk
            v = a.value(h) @ a.output(h) - b.value(h) @ b.output(h)
            found[f"blocks.{l}.heads.{h}.V"] = v
        f, g_ = now.feed_forward, old.feed_forward
        found[f"blocks.{l}.M_in"] = f.w_in() - g_.w_in()
        found[f"blocks.{l}.M_out"] = f.w_out() - g_.w_out()
        gate, gate_old = f.w_gate(), g_.w_gate()
        if gate is not None and gate_old is not None:
            found[f"blocks.{l}.M_gate"] = gate - gate_old
    return found


def assert_spectrum(s: Spectrum, w: torch.Tensor) -> None:
    truth = torch.linalg.svdvals(w).numpy()
    assert s.shape == tuple(w.shape)
    got = np.zeros(len(truth))
    got[: len(s.singular_values)] = s.singular_values
    np.testing.assert_allclose(got, truth, atol=1e-12)
    assert s.norm_21 == pytest.approx(float(w.norm(dim=0).sum()), abs=1e-12)
    assert s.frobenius == pytest.approx(float(w.norm()), abs=1e-12)
    upper = np.zeros(len(truth))
    upper[: len(s.singular_values)] = s.upper()
    assert bool((upper >= truth - 1e-14).all())
    assert s.radius <= 1e-9 * max(1.0, s.spectral_norm)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "llama"])
def test_peft_adapters_are_read_directly(kind: str, tmp_path: Path) -> None:
    model = base(kind, tmp_path / "base")
    adapted = adapter(model, tmp_path / "lora", r=2, lora_alpha=6, target_modules=TARGETS[kind])
    adapted.merge_and_unload().double().save_pretrained(tmp_path / "merged")
    reference = open_model(tmp_path / "base")
    ours = open_model(tmp_path / "lora", reference=reference)
    merged = open_model(tmp_path / "merged")
    for mine, true in zip(ours.blocks, merged.blocks, strict=True):
        # PEFT merges in float32.
        for h in range(4):
            torch.testing.assert_close(mine.attention.query(h), true.attention.query(h).double(),
                                       rtol=1e-5, atol=1e-6)  # fmt: skip
        for a, b in ((mine.feed_forward.w_in(), true.feed_forward.w_in()),
                     (mine.feed_forward.w_out(), true.feed_forward.w_out())):  # fmt: skip
            torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
    moved = delta_spectra(ours, reference, verified=True)
    assert moved.names == spectra(reference).names
    truth = dense_truth(ours, reference)
    assert set(truth) == set(moved.names)
    for s in moved:
        assert_spectrum(s, truth[s.name])
    ranks = {role: {len(s.singular_values) for s in moved.of(role)} for role in ("V", "M_in")}
    if kind == "bert":
        assert ranks == {"V": {2}, "M_in": {2}}
        assert {len(s.singular_values) for s in moved.of("QK")} == {2}
        assert {len(s.singular_values) for s in moved.of("M_out")} == {0}
    if kind == "gpt2":  # one adapter on the fused matrix moves both factors of QK
        assert {len(s.singular_values) for s in moved.of("QK")} == {4}
        assert ranks == {"V": {2}, "M_in": {2}}
    if kind == "llama":
        assert {len(s.singular_values) for s in moved.of("Q")} == {2}
        assert {len(s.singular_values) for s in moved.of("K")} == {0}
        assert ranks == {"V": {2}, "M_in": {0}}


def test_ends_of_an_adapters_movement_in_exact_arithmetic(
    tmp_path: Path, assert_contains: Callable[..., None], exact: Callable[..., Any]
) -> None:
    """`QK - QK_0` with both factors adapted, `V - V_0`, and `M_in`, from the stored factors."""
    model = base("bert", tmp_path / "base")
    targets = ["query", "key", "value", "attention.output.dense", "intermediate.dense"]
    adapter(model, tmp_path / "lora", r=3, lora_alpha=7, target_modules=targets)
    reference = open_model(tmp_path / "base")
    moved = delta_spectra(open_model(tmp_path / "lora", reference=reference), reference,
                          verified=True)  # fmt: skip
    files = load_file(tmp_path / "lora" / "adapter_model.safetensors")
    old = ctx.prec
    ctx.prec = 400
    try:
        stem = "base_model.model.bert.encoder.layer.1."

        def change(name: str) -> Any:
            a, b = (exact(files[f"{stem}{name}.lora_{side}.weight"].double()) for side in "AB")
            return (b * a * (arb(7) / 3)).transpose()  # row-vector orientation

        def cut(m: Any, rows: range, columns: range) -> Any:
            return arb_mat([[m[i, j] for j in columns] for i in rows])

        all_, head = range(16), range(4, 8)
        block = reference.blocks[1].attention
        q, k, v, o = (exact(t(1)) for t in (block.query, block.key, block.value, block.output))
        dq, dk, dv = (
            cut(change(f"attention.self.{n}"), all_, head) for n in ("query", "key", "value")
        )
        do = cut(change("attention.output.dense"), head, all_)
        qk = (q + dq) * (k + dk).transpose() - q * k.transpose()
        assert_contains(moved["blocks.1.heads.1.QK"], qk)
        assert_contains(moved["blocks.1.heads.1.V"], (v + dv) * (o + do) - v * o)
        assert_contains(moved["blocks.1.M_in"], change("intermediate.dense"))
    finally:
        ctx.prec = old


def test_the_scales_of_peft(tmp_path: Path) -> None:
    model = base("bert", tmp_path / "base")
    options = {"target_modules": ["query", "value"], "r": 4, "lora_alpha": 8, "use_rslora": True}
    patterns = {"alpha_pattern": {"value": 2.0}, "rank_pattern": {"layer.1.*value": 1}}
    adapted = adapter(model, tmp_path / "lora", **options, **patterns)
    reference = open_model(tmp_path / "base")
    ours = open_model(tmp_path / "lora", reference=reference)
    merged = adapted.merge_and_unload().bert.encoder.layer
    for l in range(2):
        own = merged[l].attention.self
        for view, weight in (
            (ours.blocks[l].attention.query_view, own.query.weight),
            (ours.blocks[l].attention.value_view, own.value.weight),
        ):
            torch.testing.assert_close(view.load(), weight.T.double(), rtol=1e-5, atol=1e-6)


def test_a_saved_classifier_replaces_the_bases(tmp_path: Path) -> None:
    model = base("bert", tmp_path / "base")
    adapter(model, tmp_path / "lora", target_modules=["query"], modules_to_save=["classifier"])
    reference = open_model(tmp_path / "base")
    ours = open_model(tmp_path / "lora", reference=reference)
    assert ours.readout is not None
    assert reference.readout is not None
    now, old = ours.readout.layers[-1].weight, reference.readout.layers[-1].weight
    torch.testing.assert_close(now.load(), old.load() + 0.1)
    assert len(matrix_delta(now, old).singular_values) == 2
    pooler = ours.readout.layers[0].weight, reference.readout.layers[0].weight
    assert matrix_delta(*pooler, verified=True).absolute == 0.0


def test_a_fresh_adapter_moves_nothing(tmp_path: Path) -> None:
    peft = pytest.importorskip("peft")
    model = base("bert", tmp_path / "base")
    peft.get_peft_model(model, peft.LoraConfig(target_modules=TARGETS["bert"])).save_pretrained(
        tmp_path / "lora"
    )
    reference = open_model(tmp_path / "base")
    moved = delta_spectra(open_model(tmp_path / "lora", reference=reference), reference,
                          verified=True)  # fmt: skip
    assert all(len(s.singular_values) == 0 and s.radius == 0.0 for s in moved)


@pytest.mark.parametrize("kind", ["bert", "llama"])
def test_full_fine_tunes(kind: str, tmp_path: Path) -> None:
    """Moved densely in one block, not at all in the other; the output projection as well."""
    base(kind, tmp_path / "base")
    tensors = load_file(tmp_path / "base" / "model.safetensors")
    torch.manual_seed(1)
    for name, t in tensors.items():
        if ".1." in name and t.dim() == 2:
            t += 0.01 * torch.randn_like(t)
    (tmp_path / "tuned").mkdir()
    save_file(tensors, tmp_path / "tuned" / "model.safetensors")
    config = (tmp_path / "base" / "config.json").read_text()
    (tmp_path / "tuned" / "config.json").write_text(config)
    ours, reference = open_model(tmp_path / "tuned"), open_model(tmp_path / "base")
    out = tmp_path / "delta.parquet"
    moved = delta_spectra(ours, reference, out, verified=True)
    assert spectra(out).origin.reference == reference.source.label
    truth = dense_truth(ours, reference)
    for s in moved:
        assert_spectrum(s, truth[s.name])
        assert len(s.singular_values) == 0 if s.layer == 0 else len(s.singular_values) > 0
        assert len(s.singular_values) <= 8 or s.role.startswith("M")


def test_the_same_model_has_not_moved(tmp_path: Path) -> None:
    base("gpt2", tmp_path / "base")
    model = open_model(tmp_path / "base")
    moved = delta_spectra(model, open_model(tmp_path / "base"), verified=True)
    assert {(s.frobenius, s.norm_21, s.radius, len(s.singular_values)) for s in moved} == {
        (0.0, 0.0, 0.0, 0)
    }


def test_another_shape_or_family_is_refused(tmp_path: Path) -> None:
    base("bert", tmp_path / "base")
    base("gpt2", tmp_path / "other")
    with pytest.raises(UnusableInput, match="cannot be compared"):
        delta_spectra(open_model(tmp_path / "base"), open_model(tmp_path / "other"))
    adapter(base("bert", tmp_path / "b2"), tmp_path / "lora", target_modules=["query"])
    with pytest.raises(UnusableInput, match="another base model"):
        open_model(tmp_path / "lora", reference=open_model(tmp_path / "other"))
    with pytest.raises(UnusableInput, match=r"--reference"):
        open_model(tmp_path / "lora")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"use_dora": True}, "use_dora"),
        ({"init_lora_weights": "pissa"}, "pissa"),
        ({"bias": "lora_only"}, None),
    ],
)
def test_other_adapters_than_plain_lora(
    options: dict[str, Any], message: str | None, tmp_path: Path
) -> None:
    peft = pytest.importorskip("peft")
    model = base("bert", tmp_path / "base")
    config = peft.LoraConfig(target_modules=["query"], **options)
    peft.get_peft_model(model, config).save_pretrained(tmp_path / "lora")
    reference = open_model(tmp_path / "base")
    if message is None:
        ours = open_model(tmp_path / "lora", reference=reference)
        assert ours.blocks[0].attention.query_bias(0) is not None
        return
    with pytest.raises(UnusableInput, match=message):
        open_model(tmp_path / "lora", reference=reference)


def test_an_adapter_of_the_demo_keeps_its_pooling(tmp_path: Path) -> None:
    """The base pools by the mean and normalizes, which only its own folder says."""
    reference = open_model("demo")
    torch.manual_seed(0)
    stem = "base_model.model.encoder.layer.5.output.dense"
    factors = {
        f"{stem}.lora_A.weight": torch.randn(2, 1536),
        f"{stem}.lora_B.weight": torch.randn(384, 2),
    }
    save_file(factors, tmp_path / "adapter_model.safetensors")
    (tmp_path / "adapter_config.json").write_text('{"peft_type": "LORA", "r": 2, "lora_alpha": 4}')
    ours = open_model(tmp_path, reference=reference)
    assert ours.readout == reference.readout
    moved = delta_spectra(ours, reference, verified=True)
    lengths = {s.name: len(s.singular_values) for s in moved if len(s.singular_values)}
    assert lengths == {"blocks.5.M_out": 2}
    a, b = (factors[f"{stem}.lora_{side}.weight"].double() for side in "AB")
    top = torch.linalg.svdvals(2 * b @ a)[:2].numpy()
    np.testing.assert_allclose(moved["blocks.5.M_out"].singular_values, top, rtol=1e-12)
