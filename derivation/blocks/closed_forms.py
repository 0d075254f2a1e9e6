"""Every closed form of F5 and F6, orders 1 to 3, as text and LaTeX: what the command lists."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.blocks.block_derivatives import BLOCK, block_in_layers
from majorant.derivation.blocks.depth import alike_blocks, network_derivative
from majorant.derivation.blocks.layer_derivatives import ATTENTION, FEED_FORWARD, HEAD, ORDERS
from majorant.derivation.layer_norm import normalization_taylor
from majorant.derivation.printing import latex, text

#: What each form bounds, in words, in the order of the table.
PARTS = {
    "head": "one attention head",
    "attention": "attention with H heads",
    "feed-forward": "feed-forward layer",
    "normalization": "LayerNorm or RMSNorm",
    "block-in-parts": "post-norm block in the derivatives U of x + att(x), W of y + ff(y), G of "
                      "the normalization",
    "block": "post-norm block written out",
    "network": "L blocks with derivatives lambda_l, beta_l, gamma_l",
    "network-alike": "L blocks with the same lambda > 1, beta, gamma",
}


def closed_forms() -> list[dict[str, str | int]]:
    """Rows `part, about, k, text, latex`: the depth, heads, width and gains are explicit.

    >>> [row["text"] for row in closed_forms() if row["part"] == "network-alike"][:1]
    ['lambda**L']
    """
    rows: list[dict[str, str | int]] = []
    for part, about in PARTS.items():
        for k in ORDERS:
            form = _form(part, k)
            rows.append({"part": part, "about": about, "k": k, "text": text(form),
                         "latex": latex(form)})
    return rows


def _form(part: str, k: int) -> sp.Expr:
    shipped = {"head": HEAD, "attention": ATTENTION, "feed-forward": FEED_FORWARD, "block": BLOCK}
    if part in shipped:
        return shipped[part][k - 1].expression
    if part == "normalization":
        return sp.factorial(k) * normalization_taylor(k)
    if part == "block-in-parts":
        return block_in_layers(k)
    return network_derivative(k) if part == "network" else alike_blocks(k)
