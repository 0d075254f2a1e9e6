"""F5: derivatives 1 to 3 of a whole post-norm block, in closed form.

`LN(y + ff(y))`, `y = LN(x + att(x))`. The form in the derivatives of the parts is short; written
out it contains only norms, `b`, `a_1..a_3`, `N`, `eps` and sums over heads.
"""

from __future__ import annotations

import sympy as sp

from majorant.derivation.blocks.layer_derivatives import (
    ATTENTION,
    FEED_FORWARD,
    ORDERS,
    RING,
    attention_majorant,
    feed_forward_majorant,
    head_lemmas,
    normalization_majorant,
)
from majorant.derivation.bound import BOUNDS, Bound
from majorant.derivation.functions import DerivativeNorm
from majorant.derivation.layer_norm import NORMALIZATION_DERIVATIVES
from majorant.derivation.majorants.series import Majorant
from majorant.derivation.symbols import b

#: Derivatives of `x + att(x)`, of `y + ff(y)` and of the normalization, as symbols.
U = sp.symbols("U_1:4", positive=True)
W = sp.symbols("W_1:4", positive=True)
G = sp.symbols("G_1:4", positive=True)


def _layer(symbols: tuple[sp.Symbol, ...]) -> Majorant:
    return Majorant(RING, (b, *(
        symbol / sp.factorial(k) for k, symbol in zip(ORDERS, symbols, strict=True))))


def block_in_layers(k: int) -> sp.Expr:
    """`D_k` of the block in the derivatives of its four parts.

    >>> block_in_layers(1)
    G_1**2*U_1*W_1
    >>> block_in_layers(2)
    G_1*(G_1**2*U_1**2*W_2 + G_1*G_2*U_1**2*W_1**2 + G_1*U_2*W_1 + G_2*U_1**2*W_1)
    """
    parts = _layer(U), _layer(G), _layer(W), _layer(G)
    state = Majorant.identity(RING, b, max(ORDERS))
    for part in parts:
        state = state.then(part)
    return sp.factor(state.bound(k))


def block_written_out(k: int) -> sp.Expr:
    """`D_k` of the block in the norms of its matrices."""
    identity = (1, 0, 0)
    values: dict[sp.Symbol, sp.Expr] = {}
    for symbols, majorant, residual in (
            (U, attention_majorant(), identity), (W, feed_forward_majorant(b), identity),
            (G, normalization_majorant(b), (0, 0, 0))):
        for j, symbol, extra in zip(ORDERS, symbols, residual, strict=True):
            values[symbol] = extra + _factorial(j, majorant)
    return block_in_layers(k).subs(values, simultaneous=True)


def _factorial(k: int, majorant: Majorant) -> sp.Expr:
    coefficient = majorant.taylor[k]
    if isinstance(coefficient, sp.Sum):  # the factorial inside, so that nothing is left outside
        return sp.Sum(sp.factorial(k) * coefficient.function, *coefficient.limits)
    return sp.factorial(k) * coefficient


BLOCK = tuple(BOUNDS.add(Bound(
    name=f"block_derivative_{k}", title=f"Derivative of a post-norm block, order {k}",
    expression=block_written_out(k), lhs=DerivativeNorm(sp.Integer(k)),
    lemmas=(*dict.fromkeys((*head_lemmas(1), *head_lemmas(k), *ATTENTION[0].lemmas[-1:],
                            *FEED_FORWARD[0].lemmas,
                            *(lemma.id for lemma in NORMALIZATION_DERIVATIVES[:k]))),),
    factors=tuple((id, expression) for id, expression in (
        (head_lemmas(k)[0], _factorial(k, attention_majorant())),
        ("M5", _factorial(k, feed_forward_majorant(b))),
        (f"F4.{k}", _factorial(k, normalization_majorant(b))))),
    assumptions=("rows of the input of each layer have norm at most b",
                 "both normalizations have the same gain bound, eps and variance floor"),
    source="docs/theory F5",
    notes=f"{block_in_layers(k)} in the derivatives U of x + att(x), W of y + ff(y), G of LN",
)) for k in ORDERS)
