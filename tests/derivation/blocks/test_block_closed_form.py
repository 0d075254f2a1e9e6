"""`derive --block`: closed forms of one block against the propagation of numbers."""

from __future__ import annotations

import pytest
import sympy as sp

from majorant.derivation.network import normalized, parameters, propagate
from majorant.derivation.network.closed_form import block_closed_form
from majorant.derivation.network.faithful import post_norm_encoder, pre_norm_decoder
from majorant.derivation.network.stages import Network
from majorant.derivation.ring import ExactRing

# the same blocks at other widths: what is printed must not know the widths it was derived at
NETWORKS: dict[str, Network] = {
    "normalized": normalized(1, 1, 6, 10, "gelu"),
    "faithful": post_norm_encoder(1, 1, 6, 10, "gelu", eps="0", floor=True),
    "gated": pre_norm_decoder(1, 2, 6, 10, "gelu", eps="0", floor=True, kind="rms", gated=True,
                              rotary=True, key_heads=1, biases=False, outputs=2),
}
SHORT = {"head0_QK": "C_Q", "head0_V": "C_V", "M_in": "C_in", "M_out": "C_out"}


@pytest.mark.parametrize("family", NETWORKS)
def test_the_printed_forms_are_the_propagated_numbers(family: str) -> None:
    network = NETWORKS[family]
    ids = [*parameters(network), "block0.norm1.floor", "block0.norm2.floor", "final.norm.floor"]
    numbers = {name: sp.Rational(3 + at, 7) for at, name in enumerate(ids)}
    radius = sp.S.One if family == "normalized" else sp.Rational(5, 4)
    L, A, phi_0 = sp.Rational(9, 8), sp.Rational(1, 2), sp.Rational(2, 3)
    found = propagate(network, numbers | {network.input_radius: radius}, ExactRing(),
                      activations={"gelu": (L, A, phi_0)})
    at = {"b": radius, "N": 6, "N_ff": 10, "d_h": 3, "L_phi": L, "A_phi": A, "phi_0": phi_0}
    for name, value in numbers.items():
        short = name.removeprefix("block0.").replace(".", "_")
        at[SHORT.get(short, short)] = value
    expected = {"Lip": found.lip} | {f"kappa[{k}]": v for k, v in found.kappa.items()}
    rows = {row["name"]: row["text"] for row in block_closed_form(family)}
    assert rows.keys() == expected.keys()
    symbols = {name: sp.Symbol(name) for name in at}
    for name, text in rows.items():
        formula = sp.sympify(text, locals=symbols)
        value = formula.subs({symbols[key]: x for key, x in at.items()})
        assert not value.free_symbols, (name, value)
        assert float(value) == pytest.approx(float(expected[name]), rel=1e-12), name
