"""Bounds on all derivatives of a network: majorants through the same descriptions (F5, F6).

Each smooth stage is one outer majorant on the ball of the incoming radius, composed with the
majorant of what came before (M4); linear maps scale, residuals add.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from majorant.derivation.activations.facts import ActivationFacts, activation_table
from majorant.derivation.attention.cumulants import Cumulants
from majorant.derivation.majorants.series import Majorant, refuse_beyond_lipschitz
from majorant.derivation.network import stages
from majorant.derivation.network.attention_series import attention_outer
from majorant.derivation.network.smooth_stages import (
    SeriesContext,
    activation_outer,
    normalization_outer,
)
from majorant.derivation.ring import Ring


def propagate_series(
    network: stages.Network,
    norms: Mapping[str, Any],
    ring: Ring[Any],
    order: int,
    cumulants: Cumulants = "tilted",
    activations: Mapping[str, ActivationFacts] | None = None,
) -> Majorant:
    """The majorant of the whole network up to `order`, on inputs of radius `norms["input"]`.

    `norms` as in `propagate`. Raises `UnusableInput` for order >= 2 through a projection or ReLU,
    for missing norms and unknown activations. Source: A2, F4, M1-M6; theory 5.3.

    >>> from majorant.derivation.network import parameters, post_norm_encoder
    >>> from majorant.derivation.ring import ExactRing
    >>> import sympy as sp
    >>> net = post_norm_encoder(1, 1, 4, 4, eps="1", activation="tanh")
    >>> one = {key: sp.Integer(1) for key in parameters(net)} | {"input": sp.Integer(1)}
    >>> propagate_series(net, one, ExactRing(), 2).order
    2
    """
    table = activation_table() if activations is None else activations
    context = SeriesContext(ring, norms, table, cumulants)
    state = Majorant.identity(ring, context.norm(network.input_radius), order)
    for group in (network.entry, *(block.stages for block in network.blocks), network.exit,
                  network.readout):
        state = _sequence(group, state, context)
    return state


def _sequence(group: tuple[stages.Stage, ...], state: Majorant,
              context: SeriesContext) -> Majorant:
    for stage in group:
        state = _STAGES[type(stage)](stage, state, context)
    return state


def _residual(stage: stages.Residual, state: Majorant, context: SeriesContext) -> Majorant:
    return state.plus(_sequence(stage.branch, state, context))


def _attention(stage: stages.Attention, state: Majorant, context: SeriesContext) -> Majorant:
    return state.then(attention_outer(stage, state, context))


def _linear(stage: stages.Linear, state: Majorant, context: SeriesContext) -> Majorant:
    return _affine(stage.weight, stage.bias, state, context)


def _affine(weight: stages.Parameter, bias: stages.Parameter | None, state: Majorant,
            context: SeriesContext) -> Majorant:
    return state.scaled(context.norm(weight)).shifted(context.norm(bias))


def _feed_forward(stage: stages.FeedForward, state: Majorant,
                  context: SeriesContext) -> Majorant:
    hidden = _affine(stage.w_in, stage.b_in, state, context)
    active = hidden.then(activation_outer(stage.activation, hidden, stage.w_in.cols, context))
    return _affine(stage.w_out, stage.b_out, active, context)


def _gated(stage: stages.GatedFeedForward, state: Majorant, context: SeriesContext) -> Majorant:
    gate = _affine(stage.gate, stage.b_gate, state, context)
    active = gate.then(activation_outer(stage.activation, gate, 1, context))
    up = _affine(stage.up, stage.b_up, state, context)
    return _affine(stage.down, stage.b_down, active.times(up), context)


def _normalization(stage: stages.Normalization, state: Majorant,
                   context: SeriesContext) -> Majorant:
    return state.then(normalization_outer(stage, state, context)).shifted(context.norm(stage.bias))


def _projection(stage: stages.Projection, state: Majorant, context: SeriesContext) -> Majorant:
    ring = context.ring
    refuse_beyond_lipschitz("the projection of rows on the unit ball",
                            state.order + ring.extra_orders)
    return state.with_values(ring.minimum(state.taylor[0], ring.fraction(Fraction(1))))


def _pointwise(stage: stages.Pointwise, state: Majorant, context: SeriesContext) -> Majorant:
    return state.then(activation_outer(stage.activation, state, stage.width, context))


_STAGES: dict[type, Callable[[Any, Majorant, SeriesContext], Majorant]] = {
    stages.Residual: _residual,
    stages.Attention: _attention,
    stages.FeedForward: _feed_forward,
    stages.GatedFeedForward: _gated,
    stages.Normalization: _normalization,
    stages.Projection: _projection,
    stages.Linear: _linear,
    stages.Pointwise: _pointwise,
}
