"""Spectra of a model's movement from a reference: what a bound around the base model needs."""

from dataclasses import replace
from pathlib import Path

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.layers import Attention, FeedForward
from majorant.numerics.checkpoints.model import Model
from majorant.numerics.checkpoints.view import View
from majorant.numerics.spectra.block import spectrum
from majorant.numerics.spectra.change import Change, change
from majorant.numerics.spectra.collection import Origin, SpectrumSet
from majorant.numerics.spectra.dense import dense_spectrum
from majorant.numerics.spectra.factored import Computed, factored_spectra
from majorant.numerics.spectra.rounding import SLACK, norm_up, product_error
from majorant.numerics.spectra.spectrum import Role, Spectrum
from majorant.numerics.spectra.table import write_spectra

# Factors `(left, right)` of one term and Frobenius bounds on their errors.
_Term = tuple[torch.Tensor, torch.Tensor, float, float]


def delta_spectra(
    model: Model,
    reference: Model,
    out: str | Path | None = None,
    *,
    verified: bool = False,
) -> SpectrumSet:
    """Spectra of `W - W_0` for every matrix of `model`, under the same names as `spectra`.

    For the products, `QK - QK_0` and `V - V_0` through factors of at most `2 d_h` columns. A
    matrix that did not move has an empty spectrum, exactly; an adapter of rank `r` opened over
    `reference` gives `r` values (`2 r` for a product of which both factors are adapted).

    Raises `UnusableInput` if the two models have other dimensions or another family.
    """
    if model.dimensions != reference.dimensions or model.family != reference.family:
        raise UnusableInput(
            f"{model.source.label}: {model.family} with {model.dimensions} cannot be compared "
            f"with the reference {reference.source.label}: {reference.family} with "
            f"{reference.dimensions}. Give the base checkpoint that it was trained from."
        )
    found: list[Spectrum] = []
    for block, base in zip(model.blocks, reference.blocks, strict=True):
        found += _attention(block.index, block.attention, base.attention, verified)
        found += _feed_forward(block.index, block.feed_forward, base.feed_forward, verified)
    digest = "" if out is None else model.source.digest()
    origin = Origin.of(model, digest, reference.source.label)
    result = SpectrumSet(tuple(found), origin)
    if out is not None:
        write_spectra(result, out)
    return result


def matrix_delta(view: View, reference: View, *, verified: bool = False) -> Computed:
    """The spectrum of the change of one stored matrix, a read-out's, say."""
    return _single(change(view, reference), verified)


def _attention(layer: int, now: Attention, base: Attention, verified: bool) -> list[Spectrum]:
    width, heads = now.head_width, range(now.heads)
    query = change(now.query_view, base.query_view)
    key = change(now.key_view, base.key_view)
    found: list[Spectrum] = []

    def part(moved: Change, index: int) -> Change:
        return moved.columns(index * width, (index + 1) * width)

    def add(computed: Computed, role: Role, head: int, views: tuple[View, ...], n: int) -> None:
        word = "kv_heads" if role == "K" else "heads"
        name = f"blocks.{layer}.{word}.{head}.{role}"
        shape = (views[0].shape[0], n)
        found.append(spectrum(computed, name, layer, head, role, shape, views))

    if now.rotary:
        for h in heads:
            add(_single(part(query, h), verified), "Q", h, (now.query_view,), width)
        for g in range(now.kv_heads):
            add(_single(part(key, g), verified), "K", g, (now.key_view,), width)
    else:
        views = (now.query_view, now.key_view)
        for h in heads:
            computed = _product(part(query, h), _swap(part(key, now.kv_head(h))), verified)
            add(computed, "QK", h, views, now.key_view.shape[0])
    value = change(now.value_view, base.value_view)
    output = change(now.output_view, base.output_view)
    for h in heads:
        second = output.rows(h * width, (h + 1) * width)
        computed = _product(part(value, now.kv_head(h)), second, verified)
        add(computed, "V", h, (now.value_view, now.output_view), now.output_view.shape[1])
    return found


def _feed_forward(
    layer: int, now: FeedForward, base: FeedForward, verified: bool
) -> list[Spectrum]:
    parts: list[tuple[Role, View | None, View | None]] = [
        ("M_in", now.input_view, base.input_view),
        ("M_out", now.output_view, base.output_view),
        ("M_gate", now.gate_view, base.gate_view),
    ]
    found = []
    for role, view, reference in parts:
        if view is not None and reference is not None:
            computed = _single(change(view, reference), verified)
            name = f"blocks.{layer}.{role}"
            found.append(spectrum(computed, name, layer, -1, role, view.shape, (view,)))
    return found


def _swap(moved: Change) -> Change:
    """The change of the transpose."""
    left, right = moved.left, moved.right
    if left is not None and right is None:
        return replace(moved, now=moved.now.T, before=moved.before.T, left=left.T)
    return replace(
        moved,
        now=moved.now.T,
        before=moved.before.T,
        left=right,
        right=left,
        left_error=moved.right_error,
        right_error=moved.left_error,
    )


def _unmoved(verified: bool) -> Computed:
    zero = torch.zeros(0, dtype=torch.float64).numpy()
    exact = 0.0 if verified else float("nan")
    return Computed(zero, 0.0, 0.0, "unmoved", exact, exact)


def _single(moved: Change, verified: bool) -> Computed:
    if moved.left is None:
        return _unmoved(verified)
    if moved.right is None:
        computed = dense_spectrum(moved.left, verified=verified)
        error = moved.left_error * float(norm_up(moved.left)) * SLACK
        absolute = (computed.absolute + error) * SLACK
        return replace(computed, absolute=absolute, method="difference, " + computed.method)
    return _from_factors([(*_compact(moved.left, moved.right), 0.0, _size(moved))], verified)


def _size(moved: Change) -> float:
    """Frobenius bound on the error of the right factor."""
    return 0.0 if moved.right is None else moved.right_error * float(norm_up(moved.right))


def _product(first: Change, second: Change, verified: bool) -> Computed:
    """`A B - A_0 B_0 = (A - A_0) B + A_0 (B - B_0)`, `A = first`, `B = second`, by factors."""
    terms: list[_Term] = []
    if first.left is not None:
        b = second.now.T  # (N2, d_h)
        e_left = first.left_error * float(norm_up(first.left))
        if first.right is None:
            # A computed difference is zero only where it is exactly zero; so is an exact factor.
            left, right = _compact(first.left, b) if not second.now_error else (first.left, b)
            terms.append((left, right, e_left, second.now_error))
        else:
            left, right = _compact(first.left, first.right)
            error = _product_error(b, right, second.now_error, _size(first))
            terms.append((left, b @ right, e_left, error))
    if second.left is not None:
        a = first.before
        e_left = second.left_error * float(norm_up(second.left))
        if second.right is None:
            terms.append((*_compact(a, second.left.T), 0.0, e_left))
        else:
            left, right = _compact(second.left, second.right)
            terms.append((a @ left, right, _product_error(a, left, 0.0, e_left), _size(second)))
    return _from_factors(terms, verified)


def _compact(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Without the columns that are exactly zero in one of the factors."""
    live = (left != 0).any(0) & (right != 0).any(0)
    return left[:, live], right[:, live]


def _product_error(x: torch.Tensor, y: torch.Tensor, e_x: float, e_y: float) -> float:
    """Frobenius bound on `||fl(X Y) - X' Y'||` for `X'`, `Y'` within `e_x`, `e_y`."""
    size_x, size_y = norm_up(x), norm_up(y)
    rounding = float(product_error(x.shape[1], size_x, size_y, x.shape[0] * y.shape[1]))
    return (rounding + e_x * (float(size_y) + e_y) + float(size_x) * e_y) * SLACK


def _from_factors(terms: list[_Term], verified: bool) -> Computed:
    pairs = [pair for pair in terms if pair[0].shape[1]]
    if not pairs:
        return _unmoved(verified)
    a = torch.cat([left for left, _, _, _ in pairs], dim=1)
    b = torch.cat([right for _, right, _, _ in pairs], dim=1)
    e_a = torch.tensor([sum(e for _, _, e, _ in pairs) * SLACK], dtype=torch.float64)
    e_b = torch.tensor([sum(e for _, _, _, e in pairs) * SLACK], dtype=torch.float64)
    computed = factored_spectra(a[None], b[None], verified=verified, error_a=e_a, error_b=e_b)
    return replace(computed[0], method="factors of the difference: QR, core SVD")
