"""Attention inside the propagation: A3 for the Lipschitz constant, A4 for the movements."""

from __future__ import annotations

from typing import Any

from majorant.derivation import symbols as s
from majorant.derivation.attention import head_lipschitz as lipschitz
from majorant.derivation.attention import head_sensitivity as sensitivity
from majorant.derivation.attention import logit_slopes as slopes
from majorant.derivation.network.context import Context
from majorant.derivation.network.normalized_logits import normalized_logits
from majorant.derivation.network.stages import (
    Attention,
    Head,
    QueryKeyFactors,
    QueryKeyForm,
    ValueFactors,
    ValueForm,
)
from majorant.derivation.network.step import Movements, Step, accumulate
from majorant.derivation.ring import power, total

_HEAD = {
    "sharp": lipschitz.SHARP_SLOPES,
    "series": lipschitz.SERIES_SLOPES,
    "crude": lipschitz.CRUDE_SLOPES,
}


def attention_step(stage: Attention, radius: Any, context: Context) -> Step:
    """Sum of heads (or heads stacked before one output matrix) plus a shift."""
    ring = context.ring
    parts = [_head(head, radius, context) for head in stage.heads]
    local: Movements = {}
    if stage.output is None:
        lip = total(ring, (part.lip for part in parts))
        radius_out = total(ring, (part.radius_out for part in parts))
        for part in parts:
            accumulate(ring, local, part.local)
        if stage.output_norm is not None:
            stacked = _stacked([_before_output(head, radius, context) for head in stage.heads],
                               context)
            lip = ring.minimum(lip, ring.mul(context.norm(stage.output_norm), stacked))
    else:
        output = context.norm(stage.output)
        stacked_radius = _stacked([part.radius_out for part in parts], context)
        lip = ring.mul(output, _stacked([part.lip for part in parts], context))
        radius_out = ring.mul(context.norm(stage.output, centre=True), stacked_radius)
        for part in parts:
            accumulate(ring, local, part.local, output)
        accumulate(ring, local, {stage.output.id: stacked_radius})
    if stage.bias is not None:
        radius_out = ring.add(radius_out, context.norm(stage.bias, centre=True))
        accumulate(ring, local, {stage.bias.id: context.number(1)})
    return Step("attention", radius, radius_out, lip, local)


def _stacked(parts: list[Any], context: Context) -> Any:
    """Norm of the concatenation of vectors with these norms."""
    ring = context.ring
    return ring.sqrt(total(ring, (power(ring, part, 2) for part in parts)))


def _head(head: Head, radius: Any, context: Context) -> Step:
    ring = context.ring
    rotary, query_slope, key_slope, logits = _logits(head.logits, radius, context)
    value_norm, radius_out, values = _values(head.values, radius, context)
    local: Movements = {}
    step = sensitivity.LOGITS_CRUDE if context.constants == "crude" else sensitivity.LOGITS
    accumulate(ring, local, logits,
               context.value(step.rhs, {s.C_V: value_norm, s.b: radius}))
    accumulate(ring, local, values)
    lip = _lipschitz(rotary, value_norm, query_slope, key_slope, radius, context)
    return Step("head", radius, radius_out, lip, local)


def _lipschitz(rotary: bool, value_norm: Any, query_slope: Any, key_slope: Any, radius: Any,
               context: Context) -> Any:
    constants = context.constants
    if rotary and constants == "sharp":
        constants = "series"  # the gradient of logit s in x_s depends on s: A3's cross term stays
    return context.value(_HEAD[constants].rhs, {
        s.C_V: value_norm, s.b: radius, s.s_query: query_slope, s.s_key: key_slope})


def _before_output(head: Head, radius: Any, context: Context) -> Any:
    """Lipschitz constant of the head before the output matrix, from the norm of W_v."""
    assert isinstance(head.values, ValueForm)
    rotary, query_slope, key_slope, _ = _logits(head.logits, radius, context)
    value_norm = context.norm(head.values.value_norm or head.values.form)
    return _lipschitz(rotary, value_norm, query_slope, key_slope, radius, context)


def _values(values: ValueForm | ValueFactors, radius: Any,
            context: Context) -> tuple[Any, Any, Movements]:
    """Norm of the value map (own side), radius of the head's output, movements."""
    ring = context.ring
    affine = sensitivity.AFFINE_RADIUS.rhs
    if isinstance(values, ValueForm):
        upper = context.norm(values.form, centre=True)
        radius_out = context.value(
            affine, {s.C_V: upper, s.b: radius, s.B_bias: context.number(0)})
        return context.norm(values.form), radius_out, {values.form.id: radius}
    radius_out = context.value(affine, {
        s.C_V: context.norm(values.value, centre=True), s.b: radius,
        s.B_bias: context.norm(values.bias, centre=True)})
    norm, output = context.norm(values.value), context.number(1)
    local: Movements = {}
    if values.output is not None:
        output = context.norm(values.output)
        accumulate(ring, local, {values.output.id: radius_out})
        norm = ring.mul(norm, output)
        radius_out = ring.mul(radius_out, context.norm(values.output, centre=True))
    accumulate(ring, local, {values.value.id: ring.mul(radius, output)})
    if values.bias is not None:
        accumulate(ring, local, {values.bias.id: output})
    return norm, radius_out, local


def _logits(logits: QueryKeyForm | QueryKeyFactors, radius: Any,
            context: Context) -> tuple[bool, Any, Any, Movements]:
    """Whether the sharp constant is out, both slopes (own side), movements of the logits."""
    if isinstance(logits, QueryKeyForm):
        values = {s.C_Q: context.norm(logits.form), s.b: radius,
                  s.B_form: context.norm(logits.bias)}
        local = {logits.form.id: context.value(sensitivity.FORM.rhs, values)}
        if logits.bias is not None:
            local[logits.bias.id] = context.value(sensitivity.FORM_BIAS.rhs, values)
        return (False, context.value(slopes.FORM_QUERY_SLOPE.rhs, values),
                context.value(slopes.FORM_KEY_SLOPE.rhs, values), local)
    return _factored_logits(logits, radius, context)


def _factored_logits(logits: QueryKeyFactors, radius: Any,
                     context: Context) -> tuple[bool, Any, Any, Movements]:
    ring = context.ring
    scale = ring.mul(context.number(logits.multiplier),
                     ring.sqrt(context.number(logits.scale_squared)))
    if logits.normalizes:
        return (True, *normalized_logits(logits, scale, radius, context))
    own = {s.scale: scale, s.b: radius, s.C_q: context.norm(logits.query),
           s.B_q: context.norm(logits.query_bias), s.C_k: context.norm(logits.key),
           s.B_k: context.norm(logits.key_bias)}
    # the keys move last: by then the queries are those of the centre
    centre = {**own, s.C_q: context.norm(logits.query, centre=True),
              s.B_q: context.norm(logits.query_bias, centre=True)}
    rotary = logits.rotary
    query = sensitivity.QUERY_ROTARY if rotary else sensitivity.QUERY
    query_bias = sensitivity.QUERY_BIAS_ROTARY if rotary else sensitivity.QUERY_BIAS
    local: Movements = {}
    accumulate(ring, local, {logits.query.id: context.value(query.rhs, own)})
    accumulate(ring, local, {logits.key.id: context.value(sensitivity.KEY.rhs, centre)})
    if logits.query_bias is not None:
        accumulate(ring, local, {logits.query_bias.id: context.value(query_bias.rhs, own)})
    if logits.key_bias is not None:
        moved = (context.value(sensitivity.KEY_BIAS_ROTARY.rhs, centre)
                 if rotary else context.number(0))
        accumulate(ring, local, {logits.key_bias.id: moved})
    query_slope = context.value(
        (slopes.ROTARY_QUERY_SLOPE if rotary else slopes.FACTOR_QUERY_SLOPE).rhs, own)
    key_slope = context.value(slopes.FACTOR_KEY_SLOPE.rhs, own)
    if logits.form_norm is not None and not rotary:
        form = {s.C_Q: context.norm(logits.form_norm), s.b: radius}
        query_slope = ring.minimum(
            query_slope, context.value(slopes.FORM_QUERY_SLOPE.rhs, form))
        biased = {**form, s.B_form: ring.mul(scale, ring.mul(own[s.B_q], own[s.C_k]))}
        key_slope = ring.minimum(key_slope, context.value(slopes.FORM_KEY_SLOPE.rhs, biased))
    return rotary, query_slope, key_slope, local
