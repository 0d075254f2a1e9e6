"""Descriptions of real architectures (1.5): post-norm encoders and pre-norm decoders.

Parameter ids are conventional: `block{l}.head{h}.QK` and `.V` for products of factors, `.c` for
the query bias seen by the keys, `block{l}.attention.bias` for the shift (value and output bias),
`block{l}.M_in`, `.b_in`, `.M_out`, `.b_out` (gated: `.M_gate`, `.M_in`, `.M_out`), `{norm}.gain`,
`{norm}.bias` with norms `block{l}.norm1`, `block{l}.norm2`, `final.norm`.
"""

from __future__ import annotations

from typing import Literal

from majorant.derivation.network.stages import (
    Attention,
    Block,
    FeedForward,
    GatedFeedForward,
    Head,
    Linear,
    Network,
    Normalization,
    Parameter,
    Pointwise,
    QueryKeyFactors,
    QueryKeyForm,
    Residual,
    Stage,
    ValueFactors,
    ValueForm,
)


def matrix(id: str, rows: int, cols: int) -> Parameter:
    """A matrix parameter, measured in the spectral norm."""
    return Parameter(id, "matrix", rows, cols)


def vector(id: str, size: int) -> Parameter:
    """A bias, measured in the Euclidean norm."""
    return Parameter(id, "vector", 1, size)


def gain(id: str, size: int) -> Parameter:
    """A normalization gain, measured by its largest entry."""
    return Parameter(id, "gain", 1, size)


def normalization(name: str, kind: Literal["layer", "rms"], width: int, eps: str,
                  floor: bool = False) -> Normalization:
    """A normalization with gain (and bias for LayerNorm); `floor` adds the id `{name}.floor`."""
    return Normalization(
        name, kind, width, eps, gain(f"{name}.gain", width),
        vector(f"{name}.bias", width) if kind == "layer" else None,
        f"{name}.floor" if floor else None)


def attention(name: str, heads: int, width: int, *, biases: bool = True,
              mask: Literal["full", "causal", "padding"] = "full") -> Attention:
    """Heads as products `QK` and `V`, with the query bias and the shift if `biases`."""
    return Attention(
        tuple(Head(
            QueryKeyForm(matrix(f"{name}.head{h}.QK", width, width),
                         vector(f"{name}.head{h}.c", width) if biases else None),
            ValueForm(matrix(f"{name}.head{h}.V", width, width)))
            for h in range(heads)),
        bias=vector(f"{name}.attention.bias", width) if biases else None, mask=mask)


def rotary_attention(name: str, heads: int, key_heads: int, width: int, head_width: int, *,
                     biases: bool = False, head_eps: str | None = None) -> Attention:
    """Grouped heads with rotary positions; keys and values are shared inside a group.

    `head_eps`: queries and keys are normalized with this constant (Qwen3).
    """
    query_norm, key_norm = (
        None if head_eps is None else normalization(f"{name}.{side}", "rms", head_width, head_eps)
        for side in ("q_norm", "k_norm"))
    if heads % key_heads:
        raise ValueError(f"{name}: {heads} heads cannot share {key_heads} key-value heads")

    def head(h: int) -> Head:
        g = h // (heads // key_heads)
        return Head(
            QueryKeyFactors(
                matrix(f"{name}.head{h}.Q", width, head_width),
                matrix(f"{name}.group{g}.K", width, head_width), f"1/{head_width}",
                vector(f"{name}.head{h}.b_q", head_width) if biases else None,
                vector(f"{name}.group{g}.b_k", head_width) if biases else None, rotary=True,
                query_norm=query_norm, key_norm=key_norm),
            ValueFactors(
                matrix(f"{name}.group{g}.V", width, head_width),
                None, vector(f"{name}.group{g}.b_v", head_width) if biases else None))

    return Attention(tuple(head(h) for h in range(heads)), mask="causal",
                     output=matrix(f"{name}.O", heads * head_width, width))


def feed_forward(name: str, width: int, hidden: int, activation: str, *, gated: bool = False,
                 biases: bool = True) -> FeedForward | GatedFeedForward:
    """Plain or gated feed-forward layer."""
    b_in = vector(f"{name}.b_in", hidden) if biases else None
    b_out = vector(f"{name}.b_out", width) if biases else None
    if gated:
        return GatedFeedForward(
            matrix(f"{name}.M_gate", width, hidden), matrix(f"{name}.M_in", width, hidden),
            matrix(f"{name}.M_out", hidden, width), activation,
            vector(f"{name}.b_gate", hidden) if biases else None, b_in, b_out)
    return FeedForward(matrix(f"{name}.M_in", width, hidden),
                       matrix(f"{name}.M_out", hidden, width), activation, b_in, b_out)


def post_norm_encoder(blocks: int, heads: int, width: int, hidden: int, activation: str = "gelu",
                      *, eps: str = "1e-12", outputs: int | None = None, pooler: bool = False,
                      pooling: Literal["cls", "last", "mean", "tokens"] = "cls",
                      floor: bool = False) -> Network:
    """BERT: `LN(x + att(x))`, then `LN(x + ff(x))`.

    >>> net = post_norm_encoder(2, 2, 8, 16, outputs=3)
    >>> len(net.blocks), net.readout[0].weight.cols
    (2, 3)
    """
    def block(name: str) -> Block:
        return Block(name, (
            Residual((attention(name, heads, width, mask="padding"),)),
            normalization(f"{name}.norm1", "layer", width, eps, floor),
            Residual((feed_forward(name, width, hidden, activation),)),
            normalization(f"{name}.norm2", "layer", width, eps, floor)))

    return Network("faithful", width, "input", tuple(block(f"block{l}") for l in range(blocks)),
                   pooling=pooling, readout=_readout(width, outputs, pooler), outputs=outputs)


def pre_norm_decoder(blocks: int, heads: int, width: int, hidden: int, activation: str = "gelu",
                     *, kind: Literal["layer", "rms"] = "layer", eps: str = "1e-5",
                     key_heads: int | None = None, gated: bool = False, rotary: bool = False,
                     head_eps: str | None = None, biases: bool = True, outputs: int | None = None,
                     pooling: Literal["cls", "last", "mean", "tokens"] = "last",
                     floor: bool = False) -> Network:
    """GPT-2 (`layer`, plain), Llama (`rms`, rotary, gated, no biases), ViT (`layer`, plain).

    With `rotary`, `head_eps` also normalizes queries and keys (Qwen3).

    >>> net = pre_norm_decoder(2, 4, 8, 16, "silu", kind="rms", gated=True, rotary=True,
    ...                        key_heads=2, biases=False)
    >>> net.exit[0].name
    'final.norm'
    """
    def block(name: str) -> Block:
        att = (rotary_attention(name, heads, key_heads or heads, width, width // heads,
                                biases=biases, head_eps=head_eps)
               if rotary else attention(name, heads, width, biases=biases, mask="causal"))
        return Block(name, (
            Residual((normalization(f"{name}.norm1", kind, width, eps, floor), att)),
            Residual((normalization(f"{name}.norm2", kind, width, eps, floor),
                      feed_forward(name, width, hidden, activation, gated=gated,
                                   biases=biases)))))

    return Network("faithful", width, "input", tuple(block(f"block{l}") for l in range(blocks)),
                   exit=(normalization("final.norm", kind, width, eps, floor),), pooling=pooling,
                   readout=_readout(width, outputs, pooler=False), outputs=outputs)


def _readout(width: int, outputs: int | None, pooler: bool) -> tuple[Stage, ...]:
    stages: list[Stage] = []
    if pooler:
        stages += [Linear(matrix("pooler", width, width), vector("pooler.bias", width)),
                   Pointwise("tanh", width)]
    if outputs is not None:
        stages.append(Linear(matrix("readout", width, outputs), vector("readout.bias", outputs)))
    return tuple(stages)
