"""F7: the same network with different activations, `D_1..D_s` side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flint import arb

from majorant.derivation.activations import activation_table
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network
from majorant.numerics.derivatives.bounds import (
    activation_derivatives,
    checkpoint_norms,
    network_derivatives,
)

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
    return _rows(activations, order, lambda name, highest: network_derivatives(
        network, norms, highest, name))


def comparison(
    source: str | Path | None, activations: Sequence[str], order: int = 4,
    input_radius: float | None = None, progress: Any = None,
) -> dict[str, Any]:
    """What `majorant derivatives --compare` prints: activations alone, or on one checkpoint.

    `comparison` has one row an activation, `orders` is the first of them (so that the keys are
    those of `derivatives`).
    Raises `UnusableInput` for an unknown activation and as `checkpoint_norms` does.

    >>> found = comparison(None, ("gelu", "relu"), 3)
    >>> [len(row["orders"]) for row in found["comparison"]]
    [3, 1]
    """
    if not activations:
        raise UnusableInput("--compare: name at least one activation, for example gelu,silu")
    known = activation_table()
    unknown = [name for name in activations if name not in known]
    if unknown:
        raise UnusableInput(f"activation {', '.join(unknown)}: unknown. Known: "
                            f"{', '.join(sorted(known))}")
    head: dict[str, Any] = {}
    assumptions: list[str] = []
    if source is None:
        rows = _rows(activations, order, lambda name, highest: activation_derivatives(
            name, highest))
        about = "suprema of the derivatives of the activations, certified in ball arithmetic"
    else:
        # one pass over the spectra; each activation then refuses for itself
        model, network, norms, assumptions = checkpoint_norms(
            source, 1, activations[0], input_radius, progress)
        head = {"source": model.source.label, "architecture": model.family}
        rows = compare_activations(network, norms, order, activations)
        about = "bounds on the derivatives of the same network with each activation"
    return {**head, "activation": rows[0]["activation"], "orders": rows[0]["orders"],
            "comparison": rows, "assumptions": assumptions, "about": about}


def _rows(activations: Sequence[str], order: int,
          compute: Callable[[str, int], dict[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for name in activations:
        note = ""
        try:
            found = compute(name, order)
        except UnusableInput as refusal:
            if order == 1:
                raise
            found, note = compute(name, 1), str(refusal)
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
