"""A3: Lipschitz constant of one attention head, in three strengths.

`att(X) = softmax(X Q X^T) X V` on rows of norm at most `b`, in the (2, inf) norm, for every mask
that leaves each row an unmasked key. Two slopes describe the logits: `s_query` bounds the norm of
the map from the query token to the differences of logits that matter (`C_Q b` for a plain form),
`s_key` bounds the gradient of logit s in key token s.

* `crude`  : the covariance step without centring, `|E vy - Ev Ey| <= 2`;
* `series` : `|Cov(v, y)| <= 1` and `sum p_s |v_s - E v| <= 1`;
* `sharp`  : the value of a key token and its logit move together, and the cross term of
  `sum_s p_s || V u + (y_s - E y) Q^T x_t ||^2` vanishes because `Q^T x_t` is the same for all s.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.functions import Setting
from majorant.derivation.lemma import LEMMAS, Direction, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.symbols import C_Q, C_V, b, s_key, s_query

_EDELMAN = Source("Edelman, Goel, Kakade, Zhang 2022", "Lemma 4.3 and Appendix A",
                  arxiv="2110.10090")
_OURS = Source("docs/theory", "A3")

#: The Lipschitz constant that the lemmas of this file bound.
LIP_HEAD = sp.Function("Lip")(sp.Symbol("att"))
_INCREASING: dict[sp.Basic, Direction] = dict.fromkeys((C_V, b, s_query, s_key), "increasing")

_derivative = sp.Symbol("derivative", real=True)
_SHARP = C_V * (b * s_query + sp.sqrt(1 + b**2 * s_key**2))
_COVARIANCE = C_V * (1 + b * (s_query + s_key))
_UNCENTRED = C_V * (1 + 2 * b * (s_query + s_key))
_PLAIN = {s_query: C_Q * b, s_key: C_Q * b}


def _proved(id: str, theorem: str, values: dict[sp.Basic, sp.Expr], rhs: sp.Expr = _SHARP,
            setting: str = "head_slope") -> Obligation:
    """The directional derivative at any input, for every law of the attention weights."""
    slopes = (s.subs(values) for s in (s_query, s_key))
    return Obligation(
        id=id, statement=sp.Le(_derivative, rhs.subs(values, simultaneous=True), evaluate=False),
        kind=Kind.KERNEL, hypotheses=(Setting(setting, C_V, b, *slopes, _derivative),),
        coq=theorem, note="covariance step and root-mean-square step",
    )


SHARP_SLOPES = LEMMAS.add(Lemma(
    id="A3s", name="head_lipschitz_slopes",
    title="Lipschitz constant of a head from its two logit slopes",
    lhs=LIP_HEAD, relation="<=", rhs=_SHARP,
    kind=Kind.ALGEBRA, label=Label.UPPER, source=_OURS, monotone=_INCREASING,
    obligations=(_proved("A3s.derivative", "Laws.A3s", {}),),
    requires=frozenset({"key-gradient-common"}), provides=frozenset({"lipschitz"}),
    notes="Needs the gradient of logit s in x_s to be the same for all s: no rotary positions.",
))

SERIES_SLOPES = LEMMAS.add(Lemma(
    id="A3c", name="head_lipschitz_slopes_series",
    title="Lipschitz constant of a head from its two logit slopes, covariance step",
    lhs=LIP_HEAD, relation="<=", rhs=_COVARIANCE,
    kind=Kind.ALGEBRA, label=Label.UPPER, source=Source("docs/theory", "A1 sharp, A2"),
    monotone=_INCREASING, provides=frozenset({"lipschitz"}),
    obligations=(_proved("A3c.derivative", "Heads.A3c", {}, _COVARIANCE, "free_head_slope"),),
    notes="Holds with rotary positions, where the gradient of logit s in x_s depends on s.",
))

CRUDE_SLOPES = LEMMAS.add(Lemma(
    id="A3e", name="head_lipschitz_slopes_crude",
    title="Lipschitz constant of a head from its two logit slopes, without centring",
    lhs=LIP_HEAD, relation="<=", rhs=_UNCENTRED,
    kind=Kind.ALGEBRA, label=Label.UPPER, source=_EDELMAN, monotone=_INCREASING,
    obligations=(Obligation(
        id="A3e.above_covariance", kind=Kind.ALGEBRA,
        statement=sp.Le(_COVARIANCE, _UNCENTRED, evaluate=False),
        mutant=sp.Le(_COVARIANCE, sp.Rational(99, 100) * _UNCENTRED, evaluate=False),
        note="equal where the slopes are 0"),),
    provides=frozenset({"lipschitz"}),
))

_PLAIN_MONOTONE: dict[sp.Basic, Direction] = dict.fromkeys((C_Q, C_V, b), "increasing")


def _plain(slopes: Lemma, id: str, name: str, title: str, source: Source,
           obligations: tuple[Obligation, ...] = ()) -> Lemma:
    """The slope lemma at `s_query = s_key = C_Q b`."""
    return Lemma(
        id=id, name=name, title=title, lhs=LIP_HEAD, relation="<=",
        rhs=slopes.rhs.subs(_PLAIN, simultaneous=True), kind=Kind.ALGEBRA, label=Label.UPPER,
        source=source, monotone=_PLAIN_MONOTONE, provides=frozenset({"lipschitz"}),
        uses=(slopes.id,), obligations=obligations,
    )


def _smaller(id: str, left: Lemma, right: Lemma) -> Obligation:
    """The constant of one strength is at most that of the next, at `C_V = b = 1`."""
    ours, theirs = (lemma.rhs.subs(_PLAIN, simultaneous=True).subs({C_V: 1, b: 1})
                    for lemma in (left, right))
    return Obligation(
        id=id, statement=sp.Le(ours, theirs, evaluate=False), kind=Kind.ALGEBRA,
        mutant=sp.Le(ours, sp.Rational(99, 100) * theirs, evaluate=False),
        note="equal at C_Q = 0, so no smaller factor will do")


HEAD_SHARP = LEMMAS.add(_plain(
    SHARP_SLOPES, "A3", "head_lipschitz_sharp", "Lipschitz constant of an attention head", _OURS,
    (_proved("A3.derivative", "Laws.A3", _PLAIN),
     _smaller("A3.below_series", SHARP_SLOPES, SERIES_SLOPES))))
HEAD_SERIES = LEMMAS.add(_plain(
    SERIES_SLOPES, "A3.series", "head_lipschitz_series",
    "Lipschitz constant of an attention head, by the majorant series with sharp cumulants",
    Source("docs/theory", "A2 at order 1"),
    (_smaller("A3.series_below_published", SERIES_SLOPES, CRUDE_SLOPES),)))
HEAD_CRUDE = LEMMAS.add(_plain(
    CRUDE_SLOPES, "A3.crude", "head_lipschitz_crude",
    "Lipschitz constant of an attention head, as published", _EDELMAN,
    (_smaller("A3.crude.above_sharp", SHARP_SLOPES, CRUDE_SLOPES),)))
