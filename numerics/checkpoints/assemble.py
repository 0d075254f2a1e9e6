"""From an architecture table and a store to blocks of lazy matrices, checking every shape."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.facts import Facts
from majorant.numerics.checkpoints.family import Family, Slot
from majorant.numerics.checkpoints.layers import Attention, FeedForward, Norm
from majorant.numerics.checkpoints.model import Block, Dimensions, Embedding
from majorant.numerics.checkpoints.rotary import logit_multiplier
from majorant.numerics.checkpoints.store import Store
from majorant.numerics.checkpoints.usable import require_float
from majorant.numerics.checkpoints.view import View


@dataclass
class Assembly:
    """Looks names up in a store and remembers which were used."""

    store: Store
    family: Family
    prefix: str
    where: str
    used: set[str] = field(default_factory=set)

    def find(self, base: str, stems: Sequence[str], leaf: str) -> View | None:
        """The tensor `base + stem + leaf` for the first stem that exists, whole; or `None`."""
        entries = self.store.entries()
        leaves = [leaf, *{".weight": [".gamma"], ".bias": [".beta"]}.get(leaf, [])]
        for stem in stems:
            for ending in leaves:
                name = base + stem + ending
                if name in entries:
                    require_float(name, entries[name].dtype, entries[name].file)
                    self.used.add(name)
                    return View.whole(self.store, name, self.family.stored)
        return None

    def need(self, base: str, stems: Sequence[str], leaf: str) -> View:
        """As `find`, but a missing tensor is an error that names it."""
        view = self.find(base, stems, leaf)
        if view is None:
            raise UnusableInput(
                f"{self.where}: {base}{stems[0]}{leaf} is missing; the {self.family.name} table "
                "expects it in every block. The checkpoint is incomplete or of another kind."
            )
        return view

    def table(self, stems: Sequence[str]) -> View | None:
        """An embedding table, `(entries, N)` as stored."""
        entries = self.store.entries()
        for stem in stems:
            name = f"{self.prefix}{stem}.weight"
            if name in entries:
                self.used.add(name)
                return View.whole(self.store, name, "in_out")
        return None

    def norm(self, base: str, stems: Sequence[str], width: int, eps: float) -> Norm | None:
        """The norm with one of these stems, or `None`."""
        gain = self.find(base, stems, ".weight")
        if gain is None:
            return None
        if gain.shape != (width,):
            raise UnusableInput(f"{gain.name}: shape {gain.shape}, expected ({width},).")
        return Norm(self.family.norm_kind, width, eps, gain, self.find(base, stems, ".bias"))

    def block_base(self, layer: int) -> str:
        """What precedes the stems of block `layer`."""
        return self.prefix + self.family.block.format(layer=layer)


def dimensions(
    assembly: Assembly, facts: Facts, layers: int, heads: int | None, kv_heads: int | None
) -> Dimensions:
    """Dimensions from the shapes, the configuration and the caller's options, which must agree."""
    family, where, base = assembly.family, assembly.where, assembly.block_base(0)
    heads = _agree("heads", facts.heads, heads, where)
    kv_heads = _agree("kv_heads", facts.kv_heads, kv_heads, where)
    if heads is None:
        raise UnusableInput(
            f"{where}: the number of attention heads is not in the shapes, and there is no "
            "config.json that says it. Put config.json beside the file, or give --heads, "
            "where the verb has that option (heads= in Python)."
        )
    query = assembly.need(base, family.query.stems, ".weight")
    width, columns = query.shape
    if "kv_heads" not in family.keys:
        kv_heads = heads if kv_heads is None else kv_heads
    if family.query.part is None:
        head_width = facts.head_width or _divide(columns, heads, "heads", where)
        key = assembly.need(base, family.key.stems, ".weight")
        kv_heads = kv_heads or _divide(key.shape[1], head_width, "the head width", where)
    else:
        if kv_heads is None:
            raise UnusableInput(
                f"{where}: the number of key-value heads is not in the shapes of the fused "
                "matrix. Put config.json beside the file, or give --kv-heads."
            )
        head_width = facts.head_width or _divide(columns, heads + 2 * kv_heads, "heads", where)
    if heads % kv_heads:
        raise UnusableInput(f"{where}: {kv_heads} key-value heads do not divide {heads} heads.")
    out = assembly.need(base, family.feed_out.stems, ".weight")
    found = Dimensions(layers, width, heads, kv_heads, head_width, out.shape[0])
    for name, stated, seen in (
        ("hidden width", facts.width, width),
        ("number of blocks", facts.layers, layers),
        ("feed-forward width", facts.ff_width, out.shape[0]),
    ):
        if stated is not None and stated != seen:
            raise UnusableInput(
                f"{where}: config.json gives {name} {stated}, the tensors have {seen}. The "
                "configuration belongs to another checkpoint."
            )
    return found


def block(
    assembly: Assembly, dims: Dimensions, facts: Facts, config: dict[str, Any] | None, layer: int
) -> Block:
    """Block `layer`, every shape checked against the dimensions."""
    family, base, where = assembly.family, assembly.block_base(layer), assembly.where
    squared = Fraction(1, dims.head_width)
    if (config or {}).get("scale_attn_weights", True) is False:
        squared = Fraction(1)
    if (config or {}).get("scale_attn_by_inverse_layer_idx", False):
        squared /= (layer + 1) ** 2
    query, query_bias = _linear(assembly, base, family.query, dims)
    key, key_bias = _linear(assembly, base, family.key, dims)
    value, value_bias = _linear(assembly, base, family.value, dims)
    output, output_bias = _linear(assembly, base, family.output, dims)
    w_in, b_in = _linear(assembly, base, family.feed_in, dims)
    w_out, b_out = _linear(assembly, base, family.feed_out, dims)
    gate, b_gate = (
        (None, None) if family.gate is None else _linear(assembly, base, family.gate, dims)
    )
    inner, grouped = dims.heads * dims.head_width, dims.kv_heads * dims.head_width
    for view, shape in (
        (query, (dims.width, inner)),
        (key, (dims.width, grouped)),
        (value, (dims.width, grouped)),
        (output, (inner, dims.width)),
        (w_in, (dims.width, dims.ff_width)),
        (w_out, (dims.ff_width, dims.width)),
        (gate, (dims.width, dims.ff_width)),
        (query_bias, (inner,)),
        (key_bias, (grouped,)),
        (value_bias, (grouped,)),
        (output_bias, (dims.width,)),
        (b_in, (dims.ff_width,)),
        (b_out, (dims.width,)),
    ):
        if view is not None and view.shape != shape:
            raise UnusableInput(
                f"{view.name} in {view.file}: shape {view.shape} (row-vector orientation), "
                f"expected {shape} from {dims.heads} heads of width {dims.head_width}."
            )
    norms = []
    for stems in (family.attention_norm, family.feed_forward_norm):
        norm = assembly.norm(base, stems, dims.width, facts.eps)
        if norm is None:
            raise UnusableInput(f"{where}: {base}{stems[0]}.weight is missing.")
        norms.append(norm)
    return Block(
        index=layer,
        placement=family.placement,
        attention=Attention(
            query_view=query,
            key_view=key,
            value_view=value,
            output_view=output,
            query_bias_view=query_bias,
            key_bias_view=key_bias,
            value_bias_view=value_bias,
            output_bias_view=output_bias,
            heads=dims.heads,
            kv_heads=dims.kv_heads,
            head_width=dims.head_width,
            scale_squared=squared,
            mask=family.mask,
            rotary=family.rotary,
            logit_multiplier=logit_multiplier(config, where) if family.rotary else 1.0,
            query_norm=assembly.norm(base, family.query_norm, dims.head_width, facts.eps),
            key_norm=assembly.norm(base, family.key_norm, dims.head_width, facts.eps),
        ),
        attention_norm=norms[0],
        feed_forward=FeedForward(facts.activation, w_in, w_out, gate, b_in, b_out, b_gate),
        feed_forward_norm=norms[1],
    )


def embedding(assembly: Assembly, dims: Dimensions, facts: Facts) -> Embedding:
    """Input tables and the norm on their sum."""
    family = assembly.family
    return Embedding(
        tokens=assembly.table(family.tokens),
        positions=assembly.table(family.positions),
        segments=assembly.table(family.segments),
        norm=assembly.norm(assembly.prefix, family.embedding_norm, dims.width, facts.eps),
    )


def _linear(
    assembly: Assembly, base: str, slot: Slot, dims: Dimensions
) -> tuple[View, View | None]:
    weight = assembly.need(base, slot.stems, ".weight")
    bias = assembly.find(base, slot.stems, ".bias")
    if slot.part is None:
        return weight, bias
    if slot.part in ("gate", "up"):
        edges = {"gate": (0, dims.ff_width), "up": (dims.ff_width, 2 * dims.ff_width)}
        total = 2 * dims.ff_width
    else:
        first, step = dims.heads * dims.head_width, dims.kv_heads * dims.head_width
        total = first + 2 * step
        edges = {
            "query": (0, first),
            "key": (first, first + step),
            "value": (first + step, total),
        }
    if weight.shape[1] != total:
        raise UnusableInput(
            f"{weight.name} in {weight.file}: {weight.shape[1]} columns, expected {total} from "
            f"{dims.heads} heads, {dims.kv_heads} key-value heads of width {dims.head_width}, "
            f"feed-forward width {dims.ff_width}."
        )
    start, stop = edges[slot.part]
    return (
        weight.column_range(start, stop),
        None if bias is None else bias.column_range(start, stop),
    )


def _agree(name: str, stated: int | None, given: int | None, where: str) -> int | None:
    if stated is not None and given is not None and stated != given:
        raise UnusableInput(f"{where}: config.json gives {name} {stated}, the option says {given}.")
    return given if stated is None else stated


def _divide(total: int, parts: int, name: str, where: str) -> int:
    if total % parts:
        raise UnusableInput(
            f"{where}: {name} {parts} does not divide {total} columns of the query or key matrix."
        )
    return total // parts
