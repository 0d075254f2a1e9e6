"""F7: the same network with different activations, `D_1..D_s` side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flint import arb

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network
from majorant.numerics.derivatives.bounds import network_derivatives

ACTIVATIONS = ("relu", "gelu", "silu", "softplus", "tanh")


def compare_activations(
    network: Network, norms: Mapping[str, arb], order: int = 4,
    activations: Sequence[str] = ACTIVATIONS,
) -> list[dict[str, Any]]:
    """One row an activation: `activation`, `orders` as in `derivatives`, `note`.

    Where only order 1 exists (ReLU) the row stops there and the note says why.

    >>> from majorant.derivation.network import parameters, post_norm_encoder
    >>> net = post_norm_encoder(1, 1, 4, 4, eps="1")
    >>> one = dict.fromkeys(parameters(net), arb(1)) | {"input": arb(1)}
    >>> [len(row["orders"]) for row in compare_activations(net, one, 2, ("relu", "gelu"))]
    [1, 2]
    """
    rows = []
    for name in activations:
        note = ""
        try:
            found = network_derivatives(network, norms, order, name)
        except UnusableInput as refusal:
            if order == 1:
                raise
            found, note = network_derivatives(network, norms, 1, name), str(refusal)
        rows.append({"activation": name, "orders": found["orders"], "note": note})
    return rows


def activations_markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    """The comparison as a table of decimal logarithms."""
    order = max(len(row["orders"]) for row in rows)
    lines = ["| activation | " + " | ".join(f"log10 D_{k}" for k in range(1, order + 1)) + " |",
             "| --- |" + " ---: |" * order]
    for row in rows:
        cells = [f"{entry['log10_upper']:.2f}" for entry in row["orders"]]
        cells += ["none"] * (order - len(cells))
        lines.append(f"| {row['activation']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def plot_activations(rows: Sequence[Mapping[str, Any]], path: str | Path) -> Path:
    """Decimal logarithm of the bound against the order, one line an activation (matplotlib).

    Raises `UnusableInput` if matplotlib is absent.
    """
    try:
        import matplotlib
    except ImportError:
        raise UnusableInput("plots need matplotlib: pip install 'majorant[plot]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for row in rows:
        orders = [entry["k"] for entry in row["orders"]]
        axes.plot(orders, [entry["log10_upper"] for entry in row["orders"]], "o-",
                  label=row["activation"])
    axes.set(xlabel="order k", ylabel="log10 of the bound on D_k")
    axes.set_xticks(sorted({entry["k"] for row in rows for entry in row["orders"]}))
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
    return Path(path)
