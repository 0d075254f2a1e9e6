"""The outer majorant of an attention layer: A2 for each head, A3 in its first coefficient."""

from __future__ import annotations

from typing import Any

from majorant.derivation import symbols as s
from majorant.derivation.attention import head_lipschitz as lipschitz
from majorant.derivation.attention import head_majorant as majorant
from majorant.derivation.attention import logit_slopes as slopes
from majorant.derivation.majorants.series import Majorant
from majorant.derivation.network.smooth_stages import SeriesContext, normalization_outer
from majorant.derivation.network.stages import (
    Attention,
    Head,
    QueryKeyFactors,
    QueryKeyForm,
    ValueFactors,
    ValueForm,
)


def attention_outer(stage: Attention, inner: Majorant, context: SeriesContext) -> Majorant:
    """Majorant of the layer on the ball of the incoming radius, sums over heads included."""
    ring = context.ring
    order = inner.order + ring.extra_orders
    radius = ring.plain(inner.taylor[0])
    heads = [_head(head, radius, order, context) for head in stage.heads]
    if stage.output is not None:
        outer = heads[0].stacked(heads[1:]).scaled(context.norm(stage.output))
    else:
        outer = heads[0]
        for head in heads[1:]:
            outer = outer.plus(head)
        if stage.output_norm is not None and ring.extra_orders == 0:
            outer = _smaller(outer, _stacked_values(stage, radius, order, context))
    return outer.shifted(context.norm(stage.bias))


def _smaller(first: Majorant, second: Majorant) -> Majorant:
    """Coefficient by coefficient: each is a bound on the same derivative."""
    ring = first.ring
    return Majorant(ring, tuple(
        ring.minimum(x, y) for x, y in zip(first.taylor, second.taylor, strict=True)))


def _stacked_values(stage: Attention, radius: Any, order: int,
                    context: SeriesContext) -> Majorant:
    """`||W_o|| (sum_h m_k(P_h)^2)^(1/2)` with the heads before the output matrix."""
    parts = []
    for head in stage.heads:
        assert isinstance(head.values, ValueForm)
        value = context.norm(head.values.value_norm or head.values.form)
        parts.append(_weighted(head, value, radius, order, context))
    return parts[0].stacked(parts[1:]).scaled(context.norm(stage.output_norm))


def _head(head: Head, radius: Any, order: int, context: SeriesContext) -> Majorant:
    values = head.values
    if isinstance(values, ValueForm):
        return _weighted(head, context.norm(values.form), radius, order, context)
    inner = _weighted(head, context.norm(values.value), radius, order, context)
    inner = inner.shifted(context.norm(values.bias))
    assert isinstance(values, ValueFactors)
    return inner if values.output is None else inner.scaled(context.norm(values.output))


def _weighted(head: Head, value_norm: Any, radius: Any, order: int,
              context: SeriesContext) -> Majorant:
    """A2: values times `M_LSE'` of the logits; A3 replaces the first coefficient if sharp."""
    ring = context.ring
    logits = _logits(head.logits, radius, order, context)
    weights = logits.then(context.softmax(order + ring.extra_orders))
    known = {s.C_V: value_norm, s.b: radius}
    result = weights.times(_polynomial(majorant.HEAD_VALUES.rhs, known, order, context))
    # A3's cross term stays where the slope of a logit in the key depends on the key
    loose = isinstance(head.logits, QueryKeyFactors) and (
        head.logits.rotary or head.logits.normalizes)
    if context.cumulants in ("tilted", "sharp") and not loose:
        sharp = context.value(lipschitz.SHARP_SLOPES.rhs, {
            **{key: ring.plain(x) for key, x in known.items()},
            **_slopes(head.logits, radius, context)})
        first = ring.with_value(result.taylor[1], sharp)
        result = Majorant(ring, (result.taylor[0], first, *result.taylor[2:]))
    return result


def _polynomial(rhs: Any, known: dict[Any, Any], order: int, context: SeriesContext) -> Majorant:
    coefficients = majorant.polynomial_coefficients(rhs)
    taylor = [context.value(c, known) for c in coefficients[:order + 1]]
    taylor += [context.number(0)] * (order + 1 - len(taylor))
    return Majorant(context.ring, tuple(taylor))


def _known(logits: QueryKeyForm | QueryKeyFactors, radius: Any,
           context: SeriesContext) -> dict[Any, Any]:
    ring = context.ring
    if isinstance(logits, QueryKeyForm):
        return {s.b: radius, s.C_Q: context.norm(logits.form), s.B_form: context.norm(logits.bias)}
    scale = ring.mul(context.number(logits.multiplier),
                     ring.sqrt(context.number(logits.scale_squared)))
    return {s.b: radius, s.scale: scale,
            s.C_q: context.norm(logits.query), s.B_q: context.norm(logits.query_bias),
            s.C_k: context.norm(logits.key), s.B_k: context.norm(logits.key_bias)}


def _logits(logits: QueryKeyForm | QueryKeyFactors, radius: Any, order: int,
            context: SeriesContext) -> Majorant:
    if isinstance(logits, QueryKeyFactors) and logits.normalizes:
        return _normalized(logits, radius, order, context)
    if isinstance(logits, QueryKeyForm):
        rhs = majorant.FORM_LOGITS.rhs
    else:
        rhs = (majorant.ROTARY_LOGITS if logits.rotary else majorant.FACTOR_LOGITS).rhs
    return _polynomial(rhs, _known(logits, radius, context), order, context)


def _normalized(logits: QueryKeyFactors, radius: Any, order: int,
                context: SeriesContext) -> Majorant:
    """Queries and keys behind their normalizations (M4, F4), and their product (M3)."""
    sides = []
    for weight, bias, norm in ((logits.query, logits.query_bias, logits.query_norm),
                               (logits.key, logits.key_bias, logits.key_norm)):
        side = Majorant.identity(context.ring, radius, order).scaled(context.norm(weight))
        side = side.shifted(context.norm(bias))
        if norm is not None:
            side = side.then(normalization_outer(norm, side, context))
            side = side.shifted(context.norm(norm.bias))
        sides.append(side)
    scale = _known(logits, radius, context)[s.scale]
    return sides[0].times(sides[1]).scaled(scale)


def _slopes(logits: QueryKeyForm | QueryKeyFactors, radius: Any,
            context: SeriesContext) -> dict[Any, Any]:
    known = {key: context.ring.plain(x) for key, x in _known(logits, radius, context).items()}
    if isinstance(logits, QueryKeyForm):
        query, key = slopes.FORM_QUERY_SLOPE.rhs, slopes.FORM_KEY_SLOPE.rhs
    else:
        query, key = slopes.FACTOR_QUERY_SLOPE.rhs, slopes.FACTOR_KEY_SLOPE.rhs
    return {s.s_query: context.value(query, known), s.s_key: context.value(key, known)}
