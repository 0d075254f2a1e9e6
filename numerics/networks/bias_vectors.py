"""What the biases of an attention layer amount to: two vectors, with bounds on their rounding.

The dot products of length n in floating point are off by at most `gamma_n |a|.|b|`; a few more
operations for scales and sums are covered by a larger n.
"""

from __future__ import annotations

from torch import Tensor

from majorant.numerics.checkpoints.layers import Attention
from majorant.numerics.networks.input_radius import norm_upper
from majorant.numerics.spectra.rounding import gamma


def form_bias(att: Attention, h: int) -> Tensor:
    """`b_q W_k^T * scale`: what the query bias adds to the logits of key rows."""
    bias = att.query_bias(h)
    assert bias is not None
    return att.key(h) @ bias * att.scale


def form_bias_rounding(att: Attention, h: int) -> float:
    """Bound on the Euclidean norm of the error of `form_bias`."""
    bias = att.query_bias(h)
    assert bias is not None
    return gamma(bias.numel() + 8) * norm_upper(att.key(h).abs() @ bias.abs() * att.scale)


def shift(att: Attention) -> Tensor:
    """`sum_h b_v W_o + b_o`: the weights of a softmax sum to 1."""
    total = att.output_bias()
    for h in range(att.heads):
        bias = att.value_bias(h)
        if bias is not None:
            part = bias @ att.output(h)
            total = part if total is None else total + part
    assert total is not None
    return total


def shift_rounding(att: Attention) -> float:
    """Bound on the Euclidean norm of the error of `shift`."""
    output = att.output_bias()
    total = None if output is None else output.abs()
    for h in range(att.heads):
        bias = att.value_bias(h)
        if bias is not None:
            part = bias.abs() @ att.output(h).abs()
            total = part if total is None else total + part
    assert total is not None
    return gamma(att.head_width + att.heads + 8) * norm_upper(total)
