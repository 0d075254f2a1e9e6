"""One small network of every smooth block type, on which derivatives are measured."""

from __future__ import annotations

from majorant.derivation.network import (
    Network,
    Parameter,
    post_norm_encoder,
    pre_norm_decoder,
)
from majorant.derivation.network.stages import (
    Attention,
    Block,
    FeedForward,
    GatedFeedForward,
    Head,
    Normalization,
    QueryKeyForm,
    Residual,
    Stage,
    ValueFactors,
    ValueForm,
)

WIDTH, TOKENS = 3, 3


def matrix(id: str, rows: int = WIDTH, cols: int = WIDTH) -> Parameter:
    """A matrix parameter, square by default."""
    return Parameter(id, "matrix", rows, cols)


def alone(*stages: Stage) -> Network:
    """A network of these stages only, with all token rows as output."""
    return Network("faithful", WIDTH, "input", (Block("block0", stages),), pooling="tokens")


_HEAD = Head(QueryKeyForm(matrix("Q")), ValueForm(matrix("V")))
_FACTORED = Head(QueryKeyForm(matrix("Q")), ValueFactors(
    matrix("Wv", WIDTH, 2), None, Parameter("bv", "vector", 1, 2)))
_PLAIN = FeedForward(matrix("A", WIDTH, 4), matrix("B", 4, WIDTH), "gelu",
                     Parameter("a", "vector", 1, 4))

SPECIMENS = {
    "head": alone(Attention((_HEAD,))),
    "causal heads": alone(Attention((_HEAD, _HEAD), mask="causal")),
    "stacked heads": alone(Attention((_FACTORED, _FACTORED), output=matrix("O", 4, WIDTH))),
    "feed-forward": alone(_PLAIN),
    "feed-forward softplus": alone(FeedForward(matrix("A"), matrix("B"), "softplus")),
    "gated": alone(GatedFeedForward(matrix("A", WIDTH, 4), matrix("B", WIDTH, 4),
                                    matrix("C", 4, WIDTH), "silu")),
    "layer norm": alone(Normalization("n", "layer", WIDTH, "0.3")),
    "rms norm": alone(Normalization("n", "rms", WIDTH, "0.3",
                                    Parameter("g", "gain", 1, WIDTH))),
    "residual": alone(Residual((_PLAIN,))),
    "encoder": post_norm_encoder(1, 2, WIDTH, 4, "gelu_tanh", eps="0.4", outputs=2, pooler=True),
    "decoder": pre_norm_decoder(1, 1, WIDTH, 4, "silu", eps="0.4"),
    "llama": pre_norm_decoder(1, 2, 4, 4, "silu", kind="rms", eps="0.4", key_heads=1, gated=True,
                              rotary=True, biases=True),
    "qwen3": pre_norm_decoder(1, 2, 4, 4, "silu", kind="rms", eps="0.4", key_heads=1, gated=True,
                              rotary=True, biases=True, head_eps="0.3"),
}
