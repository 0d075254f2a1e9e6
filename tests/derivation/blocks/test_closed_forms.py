"""F5: the closed forms are what the numeric propagation gives, and print."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp

from majorant.derivation import symbols as s
from majorant.derivation.activations.facts import ActivationFacts, Supremum
from majorant.derivation.blocks.block_derivatives import BLOCK, block_in_layers
from majorant.derivation.blocks.layer_derivatives import ATTENTION, FEED_FORWARD, HEAD
from majorant.derivation.bound import BOUNDS
from majorant.derivation.layer_norm import (
    FREE_DERIVATIVES,
    NORMALIZATION_DERIVATIVES,
    radial_coefficient,
)
from majorant.derivation.majorants.series import Majorant
from majorant.derivation.network import post_norm_encoder
from majorant.derivation.network.series import propagate_series
from majorant.derivation.network.smooth_stages import _FIRST, _STEP
from majorant.derivation.network.stages import Attention, Block, FeedForward, Network, Residual
from majorant.derivation.ring import ExactRing


def test_the_numbers_of_a_head_at_norm_4() -> None:
    at = {s.C_Q: 4, s.C_V: 1, s.b: 1}
    assert [HEAD[k].expression.subs(at) for k in range(3)] == [4 + sp.sqrt(17), 88, 1432]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_heads_add(k: int) -> None:
    at = {s.C_Q_of[1, j]: sp.Rational(j, 2) for j in (1, 2)}
    at |= {s.C_V_of[1, j]: sp.Integer(j) for j in (1, 2)} | {s.b: 2}
    layer = ATTENTION[k - 1].expression.subs({s.H: 2}).doit().subs(at)
    heads = sum(HEAD[k - 1].expression.subs({s.C_Q: sp.Rational(j, 2), s.C_V: j, s.b: 2})
                for j in (1, 2))
    assert sp.simplify(layer - heads) == 0


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_block_in_closed_form_is_the_propagated_block(k: int) -> None:
    """With every radius equal to b: one composition of the written-out layers."""
    one = Fraction(1)
    facts = {"phi": ActivationFacts("phi", one, (Fraction(0), Fraction(0)), tuple(
        Supremum(j, Fraction(j + 1, 2), Fraction(j + 1, 2), "") for j in (1, 2, 3)))}
    network = post_norm_encoder(1, 1, 4, 4, "phi", eps="1/4", floor=True)
    # gain 1/2 and no biases: radius sqrt(4)/2 = 1 after each norm, as before it
    stages = network.blocks[0].stages
    residual = stages[0]
    assert isinstance(residual, Residual)
    attention = residual.branch[0]
    assert isinstance(attention, Attention)
    plain = Attention((type(attention.heads[0])(
        type(attention.heads[0].logits)(attention.heads[0].logits.form),  # type: ignore[union-attr, arg-type]
        attention.heads[0].values),))
    second = stages[2]
    assert isinstance(second, Residual)
    ff = second.branch[0]
    assert isinstance(ff, FeedForward)
    block = Block("block0", (Residual((plain,)), stages[1],
                             Residual((FeedForward(ff.w_in, ff.w_out, "phi"),)), stages[3]))
    network = Network("faithful", 4, "input", (block,), pooling="tokens")
    half, zero = sp.Rational(1, 2), sp.Integer(0)
    norms = {"input": sp.Integer(1), "block0.head0.QK": sp.Integer(2),
             "block0.head0.V": sp.Integer(3), "block0.M_in": half, "block0.M_out": sp.Integer(5)}
    for norm in ("norm1", "norm2"):
        norms |= {f"block0.{norm}.gain": half, f"block0.{norm}.bias": zero,
                  f"block0.{norm}.floor": zero}
    majorant = propagate_series(network, norms, ExactRing(), k, activations=facts)
    closed = BLOCK[k - 1].expression.subs({s.H: 1}).doit().subs({
        s.C_Q_of[1, 1]: 2, s.C_V_of[1, 1]: 3, s.C_in: half, s.C_out: 5, s.b: 1, s.G_gain: half,
        s.N: 4, s.eps_norm: sp.Rational(1, 4), s.v_floor: 0,
        s.a_phi_1: 1, s.a_phi_2: sp.Rational(3, 2), s.a_phi_3: 2})
    assert math.isclose(float(closed), float(majorant.bound(k)), rel_tol=1e-12)


def test_the_composition_in_layers() -> None:
    assert str(block_in_layers(1)) == "G_1**2*U_1*W_1"
    assert block_in_layers(3).is_polynomial()


def test_every_closed_form_prints() -> None:
    for bound in (*HEAD, *ATTENTION, *FEED_FORWARD, *BLOCK):
        assert BOUNDS[bound.name] is bound
        assert bound.latex()
        assert bound.text()


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("floor", [True, False])
def test_normalization_lemmas_are_the_taylor_coefficients(k: int, floor: bool) -> None:
    """The propagation multiplies `_FIRST` by `_STEP` and the constant of each order."""
    lemma = (NORMALIZATION_DERIVATIVES if floor else FREE_DERIVATIVES)[k - 1]
    product = radial_coefficient(k, floor) * _FIRST * _STEP ** (k - 1)
    if not floor:
        product = product.subs(s.v_floor, 0)
    assert sp.simplify(lemma.rhs / (sp.factorial(k) * product)) == 1


def test_majorants_of_layers_share_one_ring() -> None:
    assert isinstance(Majorant.identity(ExactRing(), s.b, 2), Majorant)
