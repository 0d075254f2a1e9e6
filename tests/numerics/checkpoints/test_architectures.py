"""What we read from a checkpoint computes what the library's own model computes."""

import math
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
import torch

from majorant.numerics.checkpoints import Attention, FeedForward, Model, Norm, View, open_model

FAMILIES = [
    "bert",
    "roberta",
    "distilbert",
    "gpt2",
    "gpt2-scaled",
    "llama",
    "mistral",
    "qwen2",
    "qwen3",
    "phi3",
    "vit",
]
Make = Callable[..., tuple[Any, Any]]


def norm(x: torch.Tensor, n: Norm) -> torch.Tensor:
    if n.kind == "layer":
        x = x - x.mean(-1, keepdim=True)
    y = n.gain() * x / (x.square().mean(-1, keepdim=True) + n.eps).sqrt()
    bias = n.bias()
    return y if bias is None else y + bias


def plus(x: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    return x if bias is None else x + bias


def act(name: str, x: torch.Tensor) -> torch.Tensor:
    if name == "gelu_tanh":
        return torch.nn.functional.gelu(x, approximate="tanh")
    return {
        "gelu": torch.nn.functional.gelu,
        "silu": torch.nn.functional.silu,
        "relu": torch.relu,
        "tanh": torch.tanh,
    }[name](x)


def rotate(x: torch.Tensor) -> torch.Tensor:
    d = x.shape[-1]
    angles = torch.arange(x.shape[0])[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    # The library computes its tables in float32: so do we.
    angles = angles.float().repeat(1, 2)
    half = torch.cat([-x[:, d // 2 :], x[:, : d // 2]], -1)
    return x * angles.cos().double() + half * angles.sin().double()


def attend(x: torch.Tensor, a: Attention, h: int) -> tuple[torch.Tensor, torch.Tensor]:
    q = plus(x @ a.query(h), a.query_bias(h))
    k = plus(x @ a.key(h), a.key_bias(h))
    if a.query_norm is not None and a.key_norm is not None:
        q, k = norm(q, a.query_norm), norm(k, a.key_norm)
    if a.rotary:
        q, k = rotate(q), rotate(k)
    logits = q @ k.T * a.scale
    if a.mask == "causal":
        logits = logits.masked_fill(torch.ones_like(logits).triu(1).bool(), -math.inf)
    p = logits.softmax(-1)
    return p, p @ plus(x @ a.value(h), a.value_bias(h)) @ a.output(h)


def attention(x: torch.Tensor, a: Attention) -> torch.Tensor:
    heads = [attend(x, a, h)[1] for h in range(a.heads)]
    return plus(torch.stack(heads).sum(0), a.output_bias())


def feed_forward(x: torch.Tensor, f: FeedForward) -> torch.Tensor:
    inner = plus(x @ f.w_in(), f.b_in())
    gate = f.w_gate()
    if gate is None:
        return plus(act(f.activation, inner) @ f.w_out(), f.b_out())
    return plus((act(f.activation, plus(x @ gate, f.b_gate())) * inner) @ f.w_out(), f.b_out())


def blocks(model: Model, x: torch.Tensor) -> list[torch.Tensor]:
    states = [x]
    for b in model.blocks:
        if b.placement == "post":
            y = norm(x + attention(x, b.attention), b.attention_norm)
            x = norm(y + feed_forward(y, b.feed_forward), b.feed_forward_norm)
        else:
            y = x + attention(norm(x, b.attention_norm), b.attention)
            x = y + feed_forward(norm(y, b.feed_forward_norm), b.feed_forward)
        states.append(x)
    return states


def tolerance(model: Model) -> dict[str, float]:
    """Where the library computes norms or softmax in float32, ours is the more exact one."""
    single = model.blocks[0].attention.rotary or model.family == "vit"
    size = 1e-4 if single else 1e-9
    return {"rtol": size, "atol": size}


def inputs(family: str) -> dict[str, torch.Tensor]:
    if family == "vit":
        generator = torch.Generator().manual_seed(3)
        pixels = torch.randn(1, 3, 8, 8, generator=generator, dtype=torch.float64)
        return {"pixel_values": pixels}
    return {"input_ids": torch.tensor([[5, 7, 11, 2, 9, 30]])}


@pytest.mark.parametrize("family", FAMILIES)
def test_blocks_compute_what_the_library_computes(family: str, make: Make) -> None:
    theirs, folder = make(family)
    model = open_model(folder)
    with torch.no_grad():
        seen = theirs(**inputs(family), output_hidden_states=True).hidden_states
    states = blocks(model, seen[0][0])
    if model.final_norm is not None and family != "vit":
        states[-1] = norm(states[-1], model.final_norm)
    assert len(seen) == len(states)
    for ours, true in zip(states, seen, strict=True):
        torch.testing.assert_close(ours, true[0], **tolerance(model))


@pytest.mark.parametrize("family", FAMILIES)
def test_readout_computes_the_logits(family: str, make: Make) -> None:
    theirs, folder = make(family)
    model = open_model(folder)
    with torch.no_grad():
        out = theirs(**inputs(family), output_hidden_states=True)
    x = out.hidden_states[-1][0]
    if family == "vit" and model.final_norm is not None:
        x = norm(x, model.final_norm)
    assert model.readout is not None
    if model.readout.pooling == "first":
        x = x[:1]
    for layer in model.readout.layers:
        x = plus(x @ layer.weight.load(), layer.bias())
        x = x if layer.activation is None else act(layer.activation, x)
    logits = out.logits[0] if x.shape[0] > 1 else out.logits
    torch.testing.assert_close(x, logits, **tolerance(model))


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "qwen3"])
def test_qk_gives_the_attention_probabilities(family: str, make: Make) -> None:
    """Theory 4.1: `softmax(scale x QK x'^T)`; all positions equal where positions rotate."""
    theirs, folder = make(family, biases=False)
    model = open_model(folder)
    fixed = inputs(family)
    if model.blocks[0].attention.rotary:
        fixed["position_ids"] = torch.zeros_like(fixed["input_ids"])
    with torch.no_grad():
        out = theirs(**fixed, output_hidden_states=True, output_attentions=True)
    for l, block in enumerate(model.blocks):
        x = out.hidden_states[l][0]
        x = norm(x, block.attention_norm) if block.placement == "pre" else x
        a = block.attention
        for h in range(a.heads):
            left, right = a.query_key(h)
            logits = x @ (left @ right.T) @ x.T * a.scale
            if a.mask == "causal":
                logits = logits.masked_fill(torch.ones_like(logits).triu(1).bool(), -math.inf)
            torch.testing.assert_close(
                logits.softmax(-1), out.attentions[l][0, h], **tolerance(model)
            )


@pytest.mark.parametrize("family", FAMILIES)
def test_facts_are_those_of_the_configuration(family: str, make: Make) -> None:
    theirs, folder = make(family)
    model = open_model(folder)
    config = theirs.config
    d = model.dimensions
    assert (d.layers, d.width, d.heads) == (3, 16, 4)
    assert d.kv_heads == getattr(config, "num_key_value_heads", 4)
    assert d.head_width == getattr(config, "head_dim", None) or d.head_width == 4
    assert not list(model.unexplained())
    assert model.bert_like == (family in {"bert", "roberta", "distilbert"})
    assert all("tied" in note for note in model.assumptions)
    # Every tensor of the file is either part of the description or listed with a reason.
    described = set(view_names(model.blocks)) | set(view_names(model.embedding))
    described |= set(view_names(model.final_norm)) | set(view_names(model.readout))
    skipped = {s.name for s in model.skipped}
    assert all(s.reason for s in model.skipped)
    assert described | skipped == set(model.store.entries())
    assert not described & skipped


def view_names(part: Any) -> Iterator[str]:
    """The stored tensors that a part of the description refers to."""
    if isinstance(part, View):
        yield part.name
    elif isinstance(part, tuple):
        for inner in part:
            yield from view_names(inner)
    elif is_dataclass(part):
        for field in fields(part):
            yield from view_names(getattr(part, field.name))


@pytest.mark.parametrize("family", ["llama", "phi3", "gpt2", "bert"])
def test_without_configuration_the_head_count_is_asked_for(family: str, make: Make) -> None:
    _, folder = make(family)
    whole = open_model(folder)
    (folder / "config.json").unlink()
    with pytest.raises(ValueError, match="give --heads"):
        open_model(folder / "model.safetensors")
    kv = 2 if family == "phi3" else None
    bare = open_model(folder / "model.safetensors", heads=4, kv_heads=kv)
    assert bare.dimensions == whole.dimensions
    assert any("no config.json" in a for a in bare.assumptions)
