"""One block in closed form: its Lipschitz constant and its sensitivities."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network.faithful import post_norm_encoder, pre_norm_decoder
from majorant.derivation.network.families import normalized
from majorant.derivation.network.propagation import parameters, propagate
from majorant.derivation.network.stages import Network
from majorant.derivation.printing import latex, text
from majorant.derivation.printing.python_source import python_source
from majorant.derivation.ring import ExactRing
from majorant.derivation.symbols import C_Q, C_V, A_phi, C_in, C_out, L_phi, N, N_ff, b, d_h

_NAMES = {
    "block0.head0.QK": C_Q, "block0.head0.V": C_V, "block0.M_in": C_in, "block0.M_out": C_out,
}

# Descriptions carry whole numbers; these primes occur nowhere else and are replaced by symbols.
_WIDTH, _HIDDEN = 10007, 10009
_SIZES = {_WIDTH: N, _HIDDEN: N_ff, _WIDTH // 2: d_h}


def _described(family: str, activation: str) -> Network:
    if family == "normalized":
        return normalized(1, 1, _WIDTH, _HIDDEN, activation)
    if family == "faithful":
        return post_norm_encoder(1, 1, _WIDTH, _HIDDEN, activation, eps="0", floor=True)
    if family == "gated":
        return pre_norm_decoder(1, 2, _WIDTH, _HIDDEN, activation, eps="0", floor=True, kind="rms",
                                gated=True, rotary=True, key_heads=1, biases=False, outputs=2)
    raise UnusableInput(f"block {family!r}: expected normalized, faithful or gated")


def block_closed_form(family: str, activation: str = "gelu") -> list[dict[str, str]]:
    """Rows `name, text, latex, python`: `Lip` of one block and `kappa` of each of its parameters.

    `latex` is the whole equation, `python` a function of the formula's symbols (without imports).

    `normalized`: unit rows. `faithful`: a post-norm block with biases and LayerNorm, rows of norm
    at most `b`; gains, biases and variance floors appear as symbols. `gated`: a pre-norm block
    with RMSNorm, rotary positions, two query heads that share their keys and values, a gated
    feed-forward layer, and a read-out. Further heads add terms of the same form.
    Raises `UnusableInput` for another family. Source: A3, A4, theory 1.4-1.6.

    >>> [row["name"] for row in block_closed_form("normalized")][:2]
    ['Lip', 'kappa[block0.head0.QK]']
    """
    network = _described(family, activation)
    norms: dict[str, sp.Expr] = {network.input_radius: sp.S.One if family == "normalized" else b}
    for name in parameters(network):
        short = name.removeprefix("block0.").replace(".", "_")
        norms[name] = _NAMES.get(name, sp.Symbol(short, nonnegative=True))
    for name in ("block0.norm1.floor", "block0.norm2.floor", "final.norm.floor"):
        norms[name] = sp.Symbol(name.removeprefix("block0.").replace(".", "_"), positive=True)
    phi_0 = sp.Symbol("phi_0", nonnegative=True)
    found = propagate(network, norms, ExactRing(), activations={activation: (L_phi, A_phi, phi_0)})
    rows = [("Lip", found.lip)]
    rows += [(f"kappa[{name}]", value) for name, value in found.kappa.items()]
    rows = [(name, value.xreplace({q: _sized(q) for q in value.atoms(sp.Rational)}))
            for name, value in rows]
    return [{"name": name, "text": text(value), "latex": f"{_name_latex(name)} = {latex(value)}",
             "python": _function(family, name, value)} for name, value in rows]


def _name_latex(name: str) -> str:
    r"""The left-hand side of an equation.

    >>> print(_name_latex("Lip"), _name_latex("kappa[block0.M_in]"))
    \mathrm{Lip} \kappa_{\mathrm{block0.M\_in}}
    """
    plain = name.replace("_", r"\_")
    if name.startswith("kappa["):
        return rf"\kappa_{{\mathrm{{{plain.removeprefix('kappa[').removesuffix(']')}}}}}"
    return rf"\mathrm{{{plain}}}"


def _function(family: str, name: str, value: sp.Expr) -> str:
    """A Python function `FAMILY_NAME`; its module needs `math`."""
    called = "".join(c if c.isalnum() else "_" for c in f"{family}_{name}").strip("_")
    return python_source(value, called, docstring=f"{name} of one block.").removeprefix(
        "import math\n\n\n")


def _sized(number: sp.Rational) -> sp.Expr:
    """A number with the sizes in it as symbols."""
    found: sp.Expr = number
    for prime, symbol in _SIZES.items():
        power = sp.multiplicity(prime, number.p) - sp.multiplicity(prime, number.q) if number else 0
        found = found / sp.Integer(prime) ** power * symbol**power
    return found
