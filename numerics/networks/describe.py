"""From a checkpoint to the network description that the bounds are about (1.5, `faithful`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Literal

from torch import Tensor

from majorant.derivation.activations.facts import activation_table
from majorant.derivation.errors import NoBound, UnusableInput
from majorant.derivation.network import stages
from majorant.derivation.network.families import normalized as normalized_family
from majorant.numerics.checkpoints.layers import Attention, FeedForward, Norm
from majorant.numerics.checkpoints.model import Block, Model
from majorant.numerics.networks.bias_vectors import (
    form_bias,
    form_bias_rounding,
    shift,
    shift_rounding,
)
from majorant.numerics.networks.embedding_tables import EMBEDDING_NORM, embedding_tables
from majorant.numerics.networks.input_radius import input_radius as table_radius
from majorant.numerics.networks.source import DescribedNetwork, ParameterSource

EuclideanExit = Literal["projection", "drop", "refuse"]
_POOLING: dict[str, Literal["cls", "last", "mean", "tokens"]] = {
    "first": "cls", "last": "last", "mean": "mean", "token": "tokens"}


def describe(
    model: Model, *, input_radius: float | None = None, floors: bool = False, tables: bool = False,
    euclidean_exit: EuclideanExit = "projection",
) -> DescribedNetwork:
    """The description of the real architecture of `model`, with the source of every parameter.

    Heads are products `QK` and `V` (the scale is inside `QK`); with rotary positions queries and
    keys are separate. Query biases become the vector `c = b_q W_k^T * scale`, value and output
    biases one shift. `floors` gives every normalization the id `{name}.floor` for a variance
    floor (G7). With `tables` the embedding tables and their normalization are parameters too
    (`embedding_tables`). `euclidean_exit` says what becomes of a final division by the Euclidean
    norm, which is not Lipschitz: replaced by the projection on the unit ball, left out, or refused.

    Raises `NoBound` for tensors inside blocks that no rule explains, for an unknown
    activation, and for normalized queries or keys.
    """
    unexplained = list(model.unexplained())
    if unexplained:
        raise NoBound(
            f"{unexplained[0].name}: this tensor sits inside a block and no rule of the family "
            f"{model.family} explains it, so the real block may compute something else; "
            "only the normalized twin can be bounded")
    described = _Description(model, floors)
    entry: tuple[stages.Stage, ...] = ()
    if tables:
        table = embedding_tables(model)
        entry = (stages.Linear(described.add("embedding.tables", "matrix", table.shape,
                                             table.load)),)
        if model.embedding.norm is not None:
            entry = (*entry, described.norm(EMBEDDING_NORM, model.embedding.norm))
        input_radius = table.radius
    blocks = tuple(described.block(block) for block in model.blocks)
    exit_stages = () if model.final_norm is None else (
        described.norm("final.norm", model.final_norm),)
    readout, outputs = described.readout(euclidean_exit)
    network = stages.Network(
        family="faithful", width=model.dimensions.width, input_radius="input", blocks=blocks,
        entry=entry, exit=exit_stages,
        pooling=_POOLING[model.readout.pooling] if model.readout else "tokens",
        readout=readout, outputs=outputs)
    radius = (lambda: table_radius(model)) if input_radius is None else (lambda: input_radius)
    return DescribedNetwork(network, described.sources, radius,
                            (*model.assumptions, *described.assumptions))


def describe_twin(model: Model, *, activation: str | None = None) -> DescribedNetwork:
    """The `normalized` twin: the same matrices without residuals, norms, biases and read-out.

    Raises `NoBound` for gated or rotary models, which have no twin in that family.
    """
    first = model.blocks[0]
    if first.feed_forward.gated or first.attention.rotary:
        raise NoBound(f"{model.family}: gated feed-forward layers and rotary positions have "
                            "no counterpart in the normalized family; use --block faithful")
    name = _known_activation(activation or first.feed_forward.activation)
    sizes = model.dimensions
    network = normalized_family(len(model.blocks), sizes.heads, sizes.width, sizes.ff_width, name)
    described = _Description(model, floors=False)
    for block in model.blocks:
        described.attention(block.index, block.attention)
        described.feed_forward(block.index, block.feed_forward)
    kept = {key: source for key, source in described.sources.items()
            if source.parameter.kind == "matrix"}
    return DescribedNetwork(network, kept, lambda: 1.0, (
        "the network that is bounded is the twin without residuals, normalizations, biases and "
        "read-out, with rows projected on the unit ball",))


def _known_activation(name: str) -> str:
    table = activation_table()
    if name not in table:
        raise NoBound(f"activation {name!r}: no certified constants. Known: "
                            f"{', '.join(sorted(table))}")
    return name


class _Description:
    """Builds the stages of one model and notes where each parameter comes from."""

    def __init__(self, model: Model, floors: bool) -> None:
        self.model = model
        self.floors = floors
        self.sources: dict[str, ParameterSource] = {}
        self.assumptions: list[str] = []

    def add(self, id: str, kind: Literal["matrix", "vector", "gain"], shape: tuple[int, int],
            load: Callable[[], Tensor | tuple[Tensor, Tensor]], spectrum: str | None = None,
            scale_squared: Fraction = Fraction(1),
            rounding: Callable[[], float] | None = None) -> stages.Parameter:
        parameter = stages.Parameter(id, kind, *shape)
        self.sources[id] = ParameterSource(parameter, load, spectrum, scale_squared, rounding)
        return parameter

    def vector(self, id: str, size: int, load: Callable[[], Tensor | None],
               rounding: Callable[[], float] | None = None) -> stages.Parameter:
        return self.add(id, "vector", (1, size), load, rounding=rounding)  # type: ignore[arg-type]

    def norm(self, name: str, norm: Norm) -> stages.Normalization:
        gain = bias = None
        if norm.gain_view is not None:
            gain = self.add(f"{name}.gain", "gain", (1, norm.width), norm.gain)
        if norm.bias_view is not None:
            bias = self.vector(f"{name}.bias", norm.width, norm.bias)
        return stages.Normalization(name, norm.kind, norm.width, repr(norm.eps), gain, bias,
                                    f"{name}.floor" if self.floors else None)

    def block(self, block: Block) -> stages.Block:
        name = f"block{block.index}"
        attention = self.attention(block.index, block.attention)
        feed_forward = self.feed_forward(block.index, block.feed_forward)
        norm1 = self.norm(f"{name}.norm1", block.attention_norm)
        norm2 = self.norm(f"{name}.norm2", block.feed_forward_norm)
        if block.placement == "post":
            return stages.Block(name, (stages.Residual((attention,)), norm1,
                                       stages.Residual((feed_forward,)), norm2))
        return stages.Block(name, (stages.Residual((norm1, attention)),
                                   stages.Residual((norm2, feed_forward))))

    def attention(self, index: int, att: Attention) -> stages.Attention:
        name, width = f"block{index}", self.model.dimensions.width
        if not att.rotary and (att.query_norm is not None or att.key_norm is not None):
            raise UnusableInput(f"{name}: normalized queries and keys without rotary positions "
                                "are in no architecture that is known here")
        heads = tuple(
            stages.Head(
                self._rotary(index, att, h) if att.rotary else self._form(index, att, h),
                stages.ValueForm(self.add(
                    f"{name}.head{h}.V", "matrix", (width, width),
                    partial(att.value_output, h), f"blocks.{index}.heads.{h}.V")))
            for h in range(att.heads))
        shift_vector = None
        if att.value_bias_view is not None or att.output_bias_view is not None:
            shift_vector = self.vector(f"{name}.attention.bias", width, lambda: shift(att),
                                       lambda: shift_rounding(att))
        return stages.Attention(heads, bias=shift_vector, mask=att.mask)

    def _form(self, index: int, att: Attention, h: int) -> stages.QueryKeyForm:
        name, width = f"block{index}.head{h}", self.model.dimensions.width
        form = self.add(f"{name}.QK", "matrix", (width, width), lambda: att.query_key(h),
                        f"blocks.{index}.heads.{h}.QK", att.scale_squared)
        bias = None
        if att.query_bias_view is not None:
            bias = self.vector(f"{name}.c", width, lambda: form_bias(att, h),
                               lambda: form_bias_rounding(att, h))
        return stages.QueryKeyForm(form, bias)

    def _rotary(self, index: int, att: Attention, h: int) -> stages.QueryKeyFactors:
        name, shape = f"block{index}", (self.model.dimensions.width, att.head_width)
        g = att.kv_head(h)
        query_bias = key_bias = None
        if att.query_bias_view is not None:
            query_bias = self.vector(f"{name}.head{h}.b_q", att.head_width,
                                     lambda: att.query_bias(h))
        if att.key_bias_view is not None:
            key_bias = self.vector(f"{name}.group{g}.b_k", att.head_width,
                                   lambda: att.key_bias(h))
        return stages.QueryKeyFactors(
            self.add(f"{name}.head{h}.Q", "matrix", shape, lambda: att.query(h),
                     f"blocks.{index}.heads.{h}.Q"),
            self.add(f"{name}.group{g}.K", "matrix", shape, lambda: att.key(h),
                     f"blocks.{index}.kv_heads.{g}.K"),
            str(att.scale_squared), query_bias, key_bias, rotary=True,
            multiplier=str(Fraction(att.logit_multiplier)),
            query_norm=self._head_norm(f"{name}.q_norm", att.query_norm),
            key_norm=self._head_norm(f"{name}.k_norm", att.key_norm))

    def _head_norm(self, name: str, norm: Norm | None) -> stages.Normalization | None:
        """A normalization inside heads: its gain is shared by them, and it has no floor."""
        if norm is None:
            return None
        return replace(self.norm(name, norm), floor=None)

    def feed_forward(self, index: int,
                     ff: FeedForward) -> stages.FeedForward | stages.GatedFeedForward:
        name, width = f"block{index}", self.model.dimensions.width
        activation = _known_activation(ff.activation)
        w_in = self.add(f"{name}.M_in", "matrix", (width, ff.width), ff.w_in,
                        f"blocks.{index}.M_in")
        w_out = self.add(f"{name}.M_out", "matrix", (ff.width, width), ff.w_out,
                         f"blocks.{index}.M_out")
        b_in = None if ff.input_bias_view is None else self.vector(
            f"{name}.b_in", ff.width, ff.b_in)
        b_out = None if ff.output_bias_view is None else self.vector(
            f"{name}.b_out", width, ff.b_out)
        if not ff.gated:
            return stages.FeedForward(w_in, w_out, activation, b_in, b_out)
        gate = self.add(f"{name}.M_gate", "matrix", (width, ff.width),
                        ff.w_gate,  # type: ignore[arg-type]
                        f"blocks.{index}.M_gate")
        b_gate = None if ff.gate_bias_view is None else self.vector(
            f"{name}.b_gate", ff.width, ff.b_gate)
        return stages.GatedFeedForward(gate, w_in, w_out, activation, b_gate, b_in, b_out)

    def readout(self, euclidean_exit: EuclideanExit) -> tuple[tuple[stages.Stage, ...], int | None]:
        if self.model.readout is None:
            return (), None
        parts: list[stages.Stage] = []
        outputs = None
        for k, layer in enumerate(self.model.readout.layers):
            rows, cols = layer.weight.shape
            weight = self.add(f"readout{k}", "matrix", (rows, cols), layer.weight.load)
            bias = None if layer.bias_view is None else self.vector(
                f"readout{k}.bias", cols, layer.bias)
            parts.append(stages.Linear(weight, bias))
            outputs = cols
            if layer.activation is not None:
                parts.append(stages.Pointwise(_known_activation(layer.activation), cols))
        if self.model.readout.normalizes:
            if euclidean_exit == "refuse":
                raise UnusableInput("the read-out divides by the Euclidean norm, which is not "
                                    "Lipschitz; ask for the projection on the unit ball instead")
            if euclidean_exit == "projection":
                parts.append(stages.Projection())
            self.assumptions.append(
                "the final division by the Euclidean norm, which is not Lipschitz, is "
                + ("replaced by the projection on the unit ball"
                   if euclidean_exit == "projection" else "left out"))
        return tuple(parts), outputs
