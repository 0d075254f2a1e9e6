"""`majorant derivatives`: bounds on `D_1..D_S` of an activation or of a whole network, as numbers.

Every number is an enclosure of the bound's value in ball arithmetic: `lower` and `upper` differ
only by rounding and by the radii of the verified singular values. Both are bounds' ends, not ends
of the true derivative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flint import arb, ctx

from majorant.derivation.activations import activation_table
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network
from majorant.derivation.network.replace import activations_of, with_activation
from majorant.derivation.network.series import propagate_series
from majorant.numerics.activations.any_order import LAST, with_order
from majorant.numerics.enclosure import ends
from majorant.numerics.rings import BallRing

PRECISION = 128


def activation_derivatives(activation: str, order: int = 8) -> dict[str, Any]:
    """Certified suprema `a_1..a_order` of one activation, with the location of the maximum.

    Beyond order 24 the upper end is the closed form of F1 or F2, the lower end 0.
    Raises `UnusableInput` for an unknown activation, and for order >= 2 of ReLU.

    >>> activation_derivatives("silu", 2)["orders"][1]["upper"]
    0.5
    """
    table = activation_table()
    if activation not in table:
        raise UnusableInput(f"activation {activation!r}: unknown. Known: "
                            f"{', '.join(sorted(table))}")
    facts = with_order(activation, _checked(order))
    rows = []
    ring = BallRing()
    with ctx.workprec(PRECISION):
        for k in range(1, order + 1):
            lower, upper = facts.supremum(k)
            above = ends(ring.fraction(upper))
            below = ends(ring.fraction(lower))
            row = {"k": k, "lower": below["lower"], "upper": above["upper"],
                   "log10_lower": below["log10_lower"], "log10_upper": above["log10_upper"]}
            at = facts.suprema[k - 1].at if k <= len(facts.suprema) else None
            rows.append({**row, "at": at})
    rest = f"; beyond order {LAST} from above only, in closed form" if order > LAST else ""
    return {"activation": activation, "orders": rows, "assumptions": [],
            "about": f"suprema of the derivatives of {activation}, certified in ball arithmetic"
                     + rest}


def network_derivatives(
    network: Network, norms: Mapping[str, arb], order: int = 4, activation: str | None = None,
    assumptions: Sequence[str] = (),
) -> dict[str, Any]:
    """Bounds on `D_1..D_order` of a described network at norms given as balls.

    The operator norms are those of `(2, inf)` on the input, the largest row on the output, over
    all inputs whose rows have norm at most `norms["input"]`; every partial derivative of order k
    is at most the k-th number. `activation` replaces the network's own.
    """
    if activation is not None:
        network = with_activation(network, activation)
    table = dict(activation_table())
    for name in activations_of(network) & table.keys():
        table[name] = with_order(name, _checked(order))
    with ctx.workprec(PRECISION):
        majorant = propagate_series(network, norms, BallRing(), _checked(order),
                                    activations=table)
        bounds = [ends(majorant.bound(k)) for k in range(order + 1)]
    rows = [{"k": k, **bounds[k]} for k in range(1, order + 1)]
    return {"activation": activation, "orders": rows, "values": bounds[0],
            "assumptions": list(assumptions),
            "about": "bounds on the derivatives of the network in operator norm; they also bound "
                     "every partial derivative of that order"}


def checkpoint_norms(
    source: str | Path, order: int, activation: str | None = None,
    input_radius: float | None = None, progress: Any = None,
) -> tuple[Any, Network, dict[str, arb], list[str]]:
    """The opened model, its description, verified norms as balls, and what they assume.

    A final division by the Euclidean norm is left out, which is stated. Raises `UnusableInput` as
    `open_model` and `describe` do, and for an order that the network (with `activation`, if one
    is given) does not have, before any spectrum is computed.
    """
    from majorant.numerics.checkpoints import open_model
    from majorant.numerics.networks.describe import describe
    from majorant.numerics.networks.norms import norm_balls
    from majorant.numerics.spectra import spectra

    _checked(order)
    model = open_model(source)
    described = describe(model, input_radius=input_radius, euclidean_exit="drop")
    network = described.network if activation is None else with_activation(
        described.network, activation)
    with ctx.workprec(PRECISION):
        # a refusal (ReLU at order 2, say) should not wait for the spectra
        propagate_series(network, _ones(described.sources), BallRing(), order)
        found = spectra(model, verified=True, progress=progress)
        norms = norm_balls(described, found)
    return model, described.network, norms, list(described.assumptions)


def checkpoint_derivatives(
    source: str | Path, order: int = 4, activation: str | None = None,
    input_radius: float | None = None, progress: Any = None,
) -> dict[str, Any]:
    """Bounds on `D_1..D_order` of the real architecture of a checkpoint (`demo`, a folder, ...).

    Raises `UnusableInput` as `checkpoint_norms` does.
    """
    model, network, norms, assumptions = checkpoint_norms(
        source, order, activation, input_radius, progress)
    result = network_derivatives(network, norms, order, activation, assumptions)
    return {"source": model.source.label, "architecture": model.family, **result}


def derivatives(
    source: str | Path | None = None, order: int = 4, activation: str | None = None,
    input_radius: float | None = None, progress: Any = None,
) -> dict[str, Any]:
    """What the verb prints: of an activation alone, or of a checkpoint (with that activation).

    >>> [row["k"] for row in derivatives(activation="gelu", order=3)["orders"]]
    [1, 2, 3]
    """
    if source is None:
        return activation_derivatives(activation or "gelu", order)
    return checkpoint_derivatives(source, order, activation, input_radius, progress)


def _ones(sources: Mapping[str, Any]) -> dict[str, arb]:
    return {**dict.fromkeys(sources, arb(1)), "input": arb(1)}


def _checked(order: int) -> int:
    if order < 1:
        raise UnusableInput(f"order: expected a whole number from 1, got {order}")
    return order
