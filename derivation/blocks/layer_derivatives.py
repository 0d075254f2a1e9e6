"""F5: derivatives 1 to 3 of each layer of a block, in closed form.

The expressions come out of the same series code that gives the numbers, run over symbols.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from majorant.derivation.activations.facts import ActivationFacts
from majorant.derivation.attention.cumulant_lemma import CUMULANT_LEMMAS
from majorant.derivation.attention.head_lipschitz import HEAD_SHARP
from majorant.derivation.attention.head_majorant import HEAD_MAJORANT
from majorant.derivation.bound import BOUNDS, Bound
from majorant.derivation.functions import DerivativeNorm
from majorant.derivation.layer_norm import normalization_taylor
from majorant.derivation.majorants import rules
from majorant.derivation.majorants.series import Majorant
from majorant.derivation.network.series import propagate_series
from majorant.derivation.network.stages import (
    Attention,
    Block,
    Head,
    Network,
    Parameter,
    QueryKeyForm,
    ValueForm,
)
from majorant.derivation.ring import ExactRing
from majorant.derivation.symbols import (
    C_Q,
    C_V,
    C_in,
    C_out,
    C_Q_of,
    C_V_of,
    H,
    a_phi_1,
    a_phi_2,
    a_phi_3,
    b,
    h,
)

ORDERS = (1, 2, 3)
RING = ExactRing()
_SOURCE = "docs/theory F5; task of Limmer, Kratsios, Yang, Saqur, Horvath (arXiv 2405.16563)"


@lru_cache(maxsize=1)
def head_majorant() -> Majorant:
    """Majorant of one head in `C_Q, C_V, b`, to order 3 (A2 with A3 at order 1).

    >>> head_majorant().bound(2)
    2*C_V*(2*C_Q**2*b**3 + 3*C_Q*b)
    """
    network = Network("faithful", 1, "input", (Block("block0", (Attention((Head(
        QueryKeyForm(Parameter("Q", "matrix", 1, 1)),
        ValueForm(Parameter("V", "matrix", 1, 1))),)),)),), pooling="tokens")
    none: dict[str, ActivationFacts] = {}
    found = propagate_series(network, {"Q": C_Q, "V": C_V, "input": b}, RING, max(ORDERS),
                             activations=none)
    return Majorant(RING, tuple(C_V * sp.expand(sp.powdenest(x / C_V)) for x in found.taylor))


def over_heads(expression: sp.Expr) -> sp.Expr:
    """The sum over the heads of an expression of one head."""
    heads = {C_Q: C_Q_of[1, h], C_V: C_V_of[1, h]}
    return sp.Sum(expression.subs(heads, simultaneous=True), (h, 1, H))


def attention_majorant() -> Majorant:
    """Majorant of the sum of `H` heads, as sums over the head index."""
    return Majorant(RING, tuple(over_heads(x) for x in head_majorant().taylor))


def feed_forward_majorant(radius: sp.Expr) -> Majorant:
    """`C_out M_Phi(C_in t)` in `C_in, C_out, a_1, a_2, a_3`; values at most `radius`."""
    outer = Majorant(RING, (radius, *(
        a * sp.Rational(1, sp.factorial(k))
        for k, a in zip(ORDERS, (a_phi_1, a_phi_2, a_phi_3), strict=True))))
    return outer.argument_scaled(C_in).scaled(C_out).with_values(radius)


def normalization_majorant(radius: sp.Expr) -> Majorant:
    """F4 in `G_gain, N, eps_norm, v_floor`; values at most `radius`."""
    return Majorant(RING, (radius, *(normalization_taylor(k) for k in ORDERS)))


def _bound(name: str, title: str, k: int, expression: sp.Expr, lemmas: tuple[str, ...]) -> Bound:
    found: Bound = BOUNDS.add(Bound(
        name=f"{name}_{k}", title=f"{title}, order {k}", expression=expression,
        lhs=DerivativeNorm(sp.Integer(k)), lemmas=lemmas, source=_SOURCE,
        assumptions=("rows of the input have norm at most b",)))
    return found


def head_lemmas(k: int) -> tuple[str, ...]:
    """What the derivative of order k of a head stands on."""
    if k == 1:
        return (HEAD_SHARP.id,)
    return HEAD_MAJORANT.id, *(lemma.id for lemma in CUMULANT_LEMMAS[:k + 1])


HEAD = tuple(_bound(
    "head_derivative", "Derivative of an attention head", k, head_majorant().bound(k),
    head_lemmas(k)) for k in ORDERS)
ATTENTION = tuple(_bound(
    "attention_derivative", "Derivative of an attention layer with H heads", k,
    over_heads(head_majorant().bound(k)),
    (*head_lemmas(k), rules.SUM.id)) for k in ORDERS)
FEED_FORWARD = tuple(_bound(
    "feed_forward_derivative", "Derivative of a feed-forward layer", k,
    feed_forward_majorant(sp.Integer(0)).bound(k),
    (rules.LINEAR.id, rules.COMPOSITION.id, rules.SCALED_ARGUMENT.id)) for k in ORDERS)
