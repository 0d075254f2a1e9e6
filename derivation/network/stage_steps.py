"""The other stages inside the propagation: feed-forward, normalization, projection, linear."""

from __future__ import annotations

from typing import Any

from majorant.derivation import symbols as s
from majorant.derivation.attention.head_sensitivity import AFFINE_RADIUS
from majorant.derivation.blocks import feed_forward as ff
from majorant.derivation.blocks import normalization as norm
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network.context import Context
from majorant.derivation.network.stages import (
    FeedForward,
    GatedFeedForward,
    Linear,
    Normalization,
    Parameter,
    Pointwise,
    Projection,
)
from majorant.derivation.network.step import Movements, Probe, Step, accumulate


def _shift(bias: Parameter | None, radius: Any, local: Movements, context: Context) -> Any:
    """Radius after a final bias, which moves the output by its own norm."""
    if bias is None:
        return radius
    accumulate(context.ring, local, {bias.id: context.number(1)})
    return context.ring.add(radius, context.norm(bias, centre=True))


def feed_forward_step(stage: FeedForward, radius: Any, context: Context) -> Step:
    """`phi(x M_in + b_in) M_out + b_out`."""
    ring = context.ring
    slope, growth, at_zero = context.activation(stage.activation)
    own = {s.L_phi: slope, s.C_in: context.norm(stage.w_in), s.C_out: context.norm(stage.w_out)}
    hidden = context.value(ff.HIDDEN_RADIUS.rhs, {
        s.A_phi: growth, s.phi_0: at_zero, s.N_ff: context.number(stage.w_in.cols), s.b: radius,
        s.C_in: context.norm(stage.w_in, centre=True),
        s.B_bias: context.norm(stage.b_in, centre=True)})
    per_hidden = context.value(ff.M_IN_SENSITIVITY.rhs, own)
    local: Movements = {}
    accumulate(ring, local, {stage.w_in.id: ring.mul(radius, per_hidden)})
    if stage.b_in is not None:
        accumulate(ring, local, {stage.b_in.id: per_hidden})
    accumulate(ring, local, {stage.w_out.id: hidden})
    out = ring.mul(context.norm(stage.w_out, centre=True), hidden)
    out = _shift(stage.b_out, out, local, context)
    return Step("feed_forward", radius, out,
                context.value(ff.FEED_FORWARD_LIPSCHITZ.rhs, own), local)


def gated_step(stage: GatedFeedForward, radius: Any, context: Context) -> Step:
    """`(phi(x W_gate + b_gate) * (x W_up + b_up)) W_down + b_down`."""
    ring = context.ring
    slope, growth, at_zero = context.activation(stage.activation)

    def heights(centre: bool) -> tuple[Any, Any]:
        gate = context.value(ff.GATE_HEIGHT.rhs, {
            s.A_phi: growth, s.phi_0: at_zero, s.b: radius,
            s.C_gate: context.norm(stage.gate, centre),
            s.B_bias: context.norm(stage.b_gate, centre)})
        up = context.value(AFFINE_RADIUS.rhs, {
            s.C_V: context.norm(stage.up, centre), s.b: radius,
            s.B_bias: context.norm(stage.b_up, centre)})
        return gate, up

    gate, up = heights(centre=False)
    gate_centre, up_centre = heights(centre=True)
    own = {s.L_phi: slope, s.C_gate: context.norm(stage.gate), s.C_up: context.norm(stage.up),
           s.C_down: context.norm(stage.down), s.R_gate: gate, s.R_up: up}
    per_gate = context.value(ff.GATE_SENSITIVITY.rhs, own)
    per_up = context.value(ff.UP_SENSITIVITY.rhs, {**own, s.R_gate: gate_centre})
    hidden = ring.mul(gate_centre, up_centre)
    local: Movements = {}
    for weight, bias, per in ((stage.gate, stage.b_gate, per_gate),
                              (stage.up, stage.b_up, per_up)):
        accumulate(ring, local, {weight.id: ring.mul(radius, per)})
        if bias is not None:
            accumulate(ring, local, {bias.id: per})
    accumulate(ring, local, {stage.down.id: hidden})
    out = ring.mul(context.norm(stage.down, centre=True), hidden)
    out = _shift(stage.b_down, out, local, context)
    return Step("gated", radius, out, context.value(ff.GATED_LIPSCHITZ.rhs, own), local)


def normalization_step(stage: Normalization, radius: Any, context: Context) -> Step:
    """LayerNorm or RMSNorm; its input is a probe (G7)."""
    ring = context.ring
    one = context.number(1)
    gain = one if stage.gain is None else context.norm(stage.gain)
    centre = one if stage.gain is None else context.norm(stage.gain, centre=True)
    eps = context.number(stage.eps)
    if stage.floor is None and stage.eps.strip("0.+") == "":
        raise UnusableInput(f"{stage.name}: eps is 0 and no variance floor is known, so this "
                            "normalization is not Lipschitz")
    values = {s.G_gain: gain, s.eps_norm: eps, s.v_floor: context.norm(stage.floor),
              s.N: context.number(stage.width)}
    local: Movements = {}
    if stage.gain is not None:
        accumulate(ring, local,
                   {stage.gain.id: context.value(norm.GAIN_SENSITIVITY.rhs, values)})
    if stage.bias is not None:
        accumulate(ring, local, {stage.bias.id: one})
    out = context.value(norm.NORMALIZATION_RADIUS.rhs, {
        **values, s.G_gain: centre, s.B_bias: context.norm(stage.bias, centre=True)})
    lip = context.value(norm.NORMALIZATION_LIPSCHITZ.rhs, values)
    return Step(stage.name, radius, out, lip, local, (Probe(stage.name, one, {}),))


def projection_step(stage: Projection, radius: Any, context: Context) -> Step:
    """Rows on the unit ball: 1-Lipschitz, and rows that are shorter stay as they are."""
    one = context.number(1)
    return Step("projection", radius, context.ring.minimum(radius, one), one, {})


def linear_step(stage: Linear, radius: Any, context: Context) -> Step:
    """`x W + b`."""
    local: Movements = {stage.weight.id: radius}
    out = context.ring.mul(radius, context.norm(stage.weight, centre=True))
    out = _shift(stage.bias, out, local, context)
    return Step("linear", radius, out, context.norm(stage.weight), local)


def pointwise_step(stage: Pointwise, radius: Any, context: Context) -> Step:
    """An activation on every entry."""
    slope, growth, at_zero = context.activation(stage.activation)
    out = context.value(ff.POINTWISE_RADIUS.rhs, {
        s.A_phi: growth, s.phi_0: at_zero, s.b: radius, s.N_ff: context.number(stage.width)})
    return Step("pointwise", radius, out, slope, {})
