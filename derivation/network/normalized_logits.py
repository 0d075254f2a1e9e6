"""Queries and keys that are normalized before they meet (Qwen3), at first order.

The rows `x W_q + b_q` of a head pass through RMSNorm (before the rotation). To the logits this is
a query whose slope is that of the product and whose norm is bounded by the gain alone, whatever
the input: the lemmas for rotary logits apply with both put in their places. A3's sharp constant
does not: the slope of a logit in the key depends on the key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from majorant.derivation import symbols as s
from majorant.derivation.attention import head_sensitivity as sensitivity
from majorant.derivation.attention import logit_slopes as slopes
from majorant.derivation.network.context import Context
from majorant.derivation.network.stage_steps import linear_step, normalization_step
from majorant.derivation.network.stages import (
    Linear,
    Normalization,
    Parameter,
    QueryKeyFactors,
)
from majorant.derivation.network.step import Movements, Step, accumulate, compose


@dataclass(frozen=True)
class _Side:
    """Queries or keys of one head: slope, norm (own and centre), movement of its parameters."""

    lip: Any
    radius: Any
    centre: Any
    local: Movements


def normalized_logits(logits: QueryKeyFactors, scale: Any, radius: Any,
                      context: Context) -> tuple[Any, Any, Movements]:
    """Slopes of the logits in query and key token, and movements; as in A3, A4 for factors."""
    query = _side(logits.query, logits.query_bias, logits.query_norm, radius, context)
    key = _side(logits.key, logits.key_bias, logits.key_norm, radius, context)
    nothing = context.number(0)
    known = {s.scale: scale, s.b: radius}
    at_key = {**known, s.C_k: nothing, s.B_k: key.radius}
    at_query = {**known, s.C_q: nothing, s.B_q: query.radius}
    # the keys move last: by then the queries are those of the centre
    at_centre = {**at_query, s.B_q: query.centre}
    local: Movements = {}
    accumulate(context.ring, local, query.local,
               context.value(sensitivity.QUERY_BIAS_ROTARY.rhs, at_key))
    accumulate(context.ring, local, key.local,
               context.value(sensitivity.KEY_BIAS_ROTARY.rhs, at_centre))
    return (context.value(slopes.ROTARY_QUERY_SLOPE.rhs, {**at_key, s.C_q: query.lip}),
            context.value(slopes.FACTOR_KEY_SLOPE.rhs, {**at_query, s.C_k: key.lip}), local)


def _side(weight: Parameter, bias: Parameter | None, norm: Normalization | None, radius: Any,
          context: Context) -> _Side:
    own_sides = replace(context, upper=context.own)
    found = _steps(weight, bias, norm, radius, context)
    own = _steps(weight, bias, norm, radius, own_sides)
    return _Side(found.lip, own.radius_out, found.radius_out, dict(found.local))


def _steps(weight: Parameter, bias: Parameter | None, norm: Normalization | None, radius: Any,
           context: Context) -> Step:
    """A linear layer and its normalization, as steps of the propagation."""
    steps = [linear_step(Linear(weight, bias), radius, context)]
    if norm is not None:
        steps.append(normalization_step(norm, steps[0].radius_out, context))
    return compose("side", steps, context.ring, radius)
