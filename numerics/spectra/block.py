"""The spectra of one block: which products are formed for which kind of attention."""

import torch

from majorant.numerics.checkpoints.layers import Attention, FeedForward
from majorant.numerics.checkpoints.model import Block
from majorant.numerics.checkpoints.view import View
from majorant.numerics.spectra.dense import dense_spectrum
from majorant.numerics.spectra.factored import Computed, factored_spectra
from majorant.numerics.spectra.spectrum import Role, Spectrum


def count(block: Block) -> int:
    """Number of spectra that `block_spectra` returns for this block."""
    attention = block.attention
    products = attention.heads + attention.kv_heads if attention.rotary else attention.heads
    return products + attention.heads + (3 if block.feed_forward.gated else 2)


def block_spectra(block: Block, *, device: str = "cpu", verified: bool = False) -> list[Spectrum]:
    """Spectra of all matrices of one block; two tensors in memory at a time.

    Per head `QK = W_q W_k^T` and `V = W_v W_o` (theory 4.1). With rotary positions the product
    depends on the distance of the tokens, so `Q` (per head) and `K` (per key-value head) are
    matrices of their own. Then `M_in`, `M_out`, and `M_gate` if there is a gate.
    """
    return [
        *_attention(block.index, block.attention, device, verified),
        *_feed_forward(block.index, block.feed_forward, device, verified),
    ]


def _attention(layer: int, attention: Attention, device: str, verified: bool) -> list[Spectrum]:
    group = [attention.kv_head(h) for h in range(attention.heads)]
    query = _heads(attention.query_view, attention.head_width, device)
    key = _heads(attention.key_view, attention.head_width, device)
    found: list[Spectrum] = []
    if attention.rotary:
        unit = torch.eye(attention.head_width, dtype=torch.float64, device=device)
        separate: list[tuple[Role, torch.Tensor, View]] = [
            ("Q", query, attention.query_view),
            ("K", key, attention.key_view),
        ]
        for role, factor, view in separate:
            eye = unit.expand(len(factor), -1, -1)
            computed = factored_spectra(factor, eye, verified=verified)
            found += _named(computed, layer, role, (factor.shape[1], factor.shape[2]), (view,))
    else:
        computed = factored_spectra(query, key[group], verified=verified)
        shape = (query.shape[1], query.shape[1])
        found += _named(computed, layer, "QK", shape, (attention.query_view, attention.key_view))
    del query, key
    value = _heads(attention.value_view, attention.head_width, device)
    output = _rows(attention.output_view, attention.head_width, device)
    computed = factored_spectra(value[group], output, verified=verified)
    shape = (value.shape[1], output.shape[1])
    found += _named(computed, layer, "V", shape, (attention.value_view, attention.output_view))
    return found


def _feed_forward(layer: int, feed: FeedForward, device: str, verified: bool) -> list[Spectrum]:
    found = []
    parts: list[tuple[Role, View | None]] = [
        ("M_in", feed.input_view),
        ("M_out", feed.output_view),
        ("M_gate", feed.gate_view),
    ]
    for role, view in parts:
        if view is not None:
            computed = dense_spectrum(view.load().to(device), verified=verified)
            found.append(
                spectrum(computed, f"blocks.{layer}.{role}", layer, -1, role, view.shape, (view,))
            )
    return found


def _heads(view: View, width: int, device: str) -> torch.Tensor:
    """`(N, H d_h)` as `(H, N, d_h)`."""
    matrix = view.load().to(device)
    return matrix.unflatten(1, (-1, width)).permute(1, 0, 2)


def _rows(view: View, width: int, device: str) -> torch.Tensor:
    """`(H d_h, N)` as the transposed heads `(H, N, d_h)`."""
    matrix = view.load().to(device)
    return matrix.unflatten(0, (-1, width)).mT


def _named(
    computed: list[Computed],
    layer: int,
    role: Role,
    shape: tuple[int, int],
    views: tuple[View, ...],
) -> list[Spectrum]:
    word = "kv_heads" if role == "K" else "heads"
    return [
        spectrum(c, f"blocks.{layer}.{word}.{h}.{role}", layer, h, role, shape, views)
        for h, c in enumerate(computed)
    ]


def spectrum(
    computed: Computed,
    name: str,
    layer: int,
    head: int,
    role: Role,
    shape: tuple[int, ...],
    views: tuple[View, ...],
) -> Spectrum:
    """A `Spectrum` from what was computed and what it is called."""
    return Spectrum(
        name=name,
        layer=layer,
        head=head,
        role=role,
        shape=(shape[0], shape[1]),
        singular_values=computed.singular_values,
        frobenius=computed.frobenius,
        norm_21=computed.norm_21,
        method=computed.method,
        tensors=tuple(dict.fromkeys(view.name for view in views)),
        verified=computed.relative == computed.relative,
        relative=computed.relative,
        absolute=computed.absolute,
    )
