"""One block in closed form: its Lipschitz constant and its sensitivities, with one head."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network.faithful import post_norm_encoder
from majorant.derivation.network.families import normalized
from majorant.derivation.network.propagation import parameters, propagate
from majorant.derivation.printing import latex, text
from majorant.derivation.ring import ExactRing
from majorant.derivation.symbols import C_Q, C_V, A_phi, C_in, C_out, L_phi, N, N_ff, b

_NAMES = {
    "block0.head0.QK": C_Q, "block0.head0.V": C_V, "block0.M_in": C_in, "block0.M_out": C_out,
}

# Descriptions carry whole numbers; these primes occur nowhere else and are replaced by symbols.
_WIDTH, _HIDDEN = 10007, 10009


def block_closed_form(family: str, activation: str = "gelu") -> list[dict[str, str]]:
    """Rows `name, text, latex`: `Lip` of one block and `kappa` of each of its parameters.

    `normalized`: unit rows. `faithful`: a post-norm block with biases and LayerNorm, rows of norm
    at most `b`; gains, biases and variance floors appear as symbols. Sums over heads have one
    term here.
    Raises `UnusableInput` for another family. Source: A3, A4, theory 1.4-1.6.

    >>> [row["name"] for row in block_closed_form("normalized")][:2]
    ['Lip', 'kappa[block0.head0.QK]']
    """
    if family == "normalized":
        network = normalized(1, 1, _WIDTH, _HIDDEN, activation)
        radius: sp.Expr = sp.Integer(1)
    elif family == "faithful":
        network = post_norm_encoder(1, 1, _WIDTH, _HIDDEN, activation, eps="0", outputs=None,
                                    floor=True)
        radius = b
    else:
        raise UnusableInput(f"block {family!r}: expected normalized or faithful")
    norms: dict[str, sp.Expr] = {network.input_radius: radius}
    for name in parameters(network):
        short = name.removeprefix("block0.").replace(".", "_")
        norms[name] = _NAMES.get(name, sp.Symbol(short, nonnegative=True))
    for name in ("block0.norm1.floor", "block0.norm2.floor"):
        norms[name] = sp.Symbol(name.removeprefix("block0.").replace(".", "_"), positive=True)
    phi_0 = sp.Symbol("phi_0", nonnegative=True)
    found = propagate(network, norms, ExactRing(), activations={activation: (L_phi, A_phi, phi_0)})
    rows = [("Lip", found.lip)]
    rows += [(f"kappa[{name}]", value) for name, value in found.kappa.items()]
    sizes = {sp.sqrt(_WIDTH): sp.sqrt(N), sp.sqrt(_HIDDEN): sp.sqrt(N_ff)}
    rows = [(name, value.xreplace(sizes)) for name, value in rows]
    return [{"name": name, "text": text(value), "latex": latex(value)} for name, value in rows]
