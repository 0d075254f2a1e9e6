"""The spectra of one block: which products are formed for which kind of attention."""

import math
from functools import partial

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.model import Block
from majorant.numerics.checkpoints.view import View
from majorant.numerics.spectra.dense import dense_spectrum
from majorant.numerics.spectra.factored import Computed, factored_spectra
from majorant.numerics.spectra.independent import Job, independent
from majorant.numerics.spectra.spectrum import Role, Spectrum

Part = Job[list[Spectrum]]

# Entries of the heads whose factors are copied at a time (2 MiB).
COPIED = 2**18


def count(block: Block) -> int:
    """Number of spectra that `block_spectra` returns for this block."""
    attention = block.attention
    products = attention.heads + attention.kv_heads if attention.rotary else attention.heads
    return products + attention.heads + (3 if block.feed_forward.gated else 2)


def block_spectra(block: Block, *, device: str = "cpu", verified: bool = False) -> list[Spectrum]:
    """Spectra of all matrices of one block.

    Per head `QK = W_q W_k^T` and `V = W_v W_o` (theory 4.1). With rotary positions the product
    depends on the distance of the tokens, so `Q` (per head) and `K` (per key-value head) are
    matrices of their own. Then `M_in`, `M_out`, and `M_gate` if there is a gate. On the CPU,
    products are done at once where the largest tensor of the checkpoint is as large as all of them.
    """
    jobs = [*_attention(block, device, verified), *_feed_forward(block, device, verified)]
    stored = block.feed_forward.input_view.store.entries().values()
    room = max(entry.size for entry in stored) if device == "cpu" else 0
    return [spectrum for part in independent(jobs, room) for spectrum in part]


def _attention(block: Block, device: str, verified: bool) -> list[Part]:
    layer, attention = block.index, block.attention
    group = [attention.kv_head(h) for h in range(attention.heads)]
    query_view, key_view = attention.query_view, attention.key_view
    value_view, output_view = attention.value_view, attention.output_view
    width = attention.head_width

    def alone(role: Role, view: View) -> list[Spectrum]:
        factor = _heads(view, width, device)
        unit = torch.eye(width, dtype=torch.float64, device=device)[None]
        computed = _products(factor, unit, [(h, 0) for h in range(len(factor))], verified)
        return _named(computed, layer, role, (factor.shape[1], factor.shape[2]), (view,))

    def query_key() -> list[Spectrum]:
        query, key = _heads(query_view, width, device), _heads(key_view, width, device)
        computed = _products(query, key, list(enumerate(group)), verified)
        shape = (query.shape[1], query.shape[1])
        return _named(computed, layer, "QK", shape, (query_view, key_view))

    def value_output() -> list[Spectrum]:
        value, output = _heads(value_view, width, device), _rows(output_view, width, device)
        computed = _products(value, output, [(k, h) for h, k in enumerate(group)], verified)
        shape = (value.shape[1], output.shape[1])
        return _named(computed, layer, "V", shape, (value_view, output_view))

    last = Job(value_output, _size(value_view) + _size(output_view))
    if attention.rotary:
        return [Job(partial(alone, "Q", query_view), _size(query_view)),
                Job(partial(alone, "K", key_view), _size(key_view)), last]
    return [Job(query_key, _size(query_view) + _size(key_view)), last]


def _products(
    a: torch.Tensor, b: torch.Tensor, pairs: list[tuple[int, int]], verified: bool
) -> list[Computed]:
    """Spectra of `A_i B_j^T` for the pairs, a few heads at a time: their copies stay small."""
    few = max(1, COPIED // a[0].numel())
    found: list[Computed] = []
    for start in range(0, len(pairs), few):
        first, second = (list(part) for part in zip(*pairs[start : start + few], strict=True))
        found += factored_spectra(a[first], b[second], verified=verified)
    return found


def _feed_forward(block: Block, device: str, verified: bool) -> list[Part]:
    feed = block.feed_forward
    parts: list[tuple[Role, View | None]] = [
        ("M_in", feed.input_view),
        ("M_out", feed.output_view),
        ("M_gate", feed.gate_view),
    ]

    def dense(role: Role, view: View) -> list[Spectrum]:
        computed = dense_spectrum(view.load().to(device), verified=verified)
        name = f"blocks.{block.index}.{role}"
        return [spectrum(computed, name, block.index, -1, role, view.shape, (view,))]

    given = [(role, view) for role, view in parts if view is not None]
    return [Job(partial(dense, role, view), _size(view)) for role, view in given]


def _size(view: View) -> int:
    return view.shape[0] * view.shape[1]


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
    """A `Spectrum` from what was computed and what it is called.

    Raises `UnusableInput` if a norm is beyond the range of float64.
    """
    sizes = (computed.frobenius, computed.norm_21, *computed.singular_values[:1])
    if not all(math.isfinite(size) for size in sizes):
        files = ", ".join(dict.fromkeys(f"{view.name} in {view.file}" for view in views))
        raise UnusableInput(
            f"{name}: its norm is beyond the largest float64 number, about 1.8e308; expected "
            f"weights of ordinary size. It is made of {files}."
        )
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
