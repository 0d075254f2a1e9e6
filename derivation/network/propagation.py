"""Propagate norms through a network: radii, Lipschitz constants, sensitivities (1.5, 1.6, A5).

Generic over the ring: SymPy expressions give the closed forms, balls the checker's numbers,
log-floats the search. The formulas of the single stages are the lemmas' expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from majorant.derivation.activations.facts import activation_table
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import stage_steps, stages
from majorant.derivation.network.attention_step import attention_step
from majorant.derivation.network.context import Constants, Context, activation_constants
from majorant.derivation.network.step import Movements, Step, accumulate, compose
from majorant.derivation.ring import Ring, product

_STEPS: dict[type, Callable[[Any, Any, Context], Step]] = {
    stages.Attention: attention_step,
    stages.FeedForward: stage_steps.feed_forward_step,
    stages.GatedFeedForward: stage_steps.gated_step,
    stages.Normalization: stage_steps.normalization_step,
    stages.Projection: stage_steps.projection_step,
    stages.Linear: stage_steps.linear_step,
    stages.Pointwise: stage_steps.pointwise_step,
}


@dataclass(frozen=True)
class Propagation:
    """The steps of a network (entry, blocks, exit, readout) at given norms."""

    ring: Ring[Any]
    steps: tuple[Step, ...]

    @property
    def lip(self) -> Any:
        """Lipschitz constant of the whole network, input rows to outputs."""
        return product(self.ring, (step.lip for step in self.steps))

    @property
    def radii(self) -> dict[str, Any]:
        """Norm of the rows that enter each step, and of the `output`."""
        return {**{step.name: step.radius_in for step in self.steps},
                "output": self.steps[-1].radius_out}

    @property
    def lips(self) -> dict[str, Any]:
        """Lipschitz constant of each step."""
        return {step.name: step.lip for step in self.steps}

    @property
    def alphas(self) -> dict[str, Any]:
        """`alpha` of each step: Lipschitz constant of everything after it."""
        result, after = {}, self.ring.fraction(Fraction(1))
        for step in reversed(self.steps):
            result[step.name] = after
            after = self.ring.mul(step.lip, after)
        return dict(reversed(result.items()))

    @property
    def kappa(self) -> dict[str, Any]:
        """How far the output moves per unit of each parameter, radius included (A5)."""
        result: Movements = {}
        alphas = self.alphas
        for step in self.steps:
            accumulate(self.ring, result, step.local, alphas[step.name])
        return result

    @property
    def norm_kappas(self) -> dict[str, dict[str, Any]]:
        """For each normalization, how far its input moves per unit of each parameter (G7)."""
        whole = compose("network", self.steps, self.ring, None)
        return {probe.name: dict(probe.local) for probe in whole.probes}


def propagate(
    network: stages.Network,
    norms: Mapping[str, Any],
    ring: Ring[Any],
    constants: Constants = "sharp",
    centres: Mapping[str, Any] | None = None,
    activations: Mapping[str, tuple[Any, Any, Any]] | None = None,
) -> Propagation:
    """Radii, Lipschitz constants and sensitivities of `network` in `ring`.

    `norms` maps each parameter id to an upper bound of its norm (spectral for matrices,
    Euclidean for vectors, largest entry for gains), `network.input_radius` and the ids of extra
    numbers to theirs. `centres` maps ids to bounds on the norms of the centres of covers where
    they differ (C9): radii use the larger of the two. `activations` maps names to ring elements
    `(L_phi, A_phi, |phi(0)|)` and defaults to the certified table.

    Raises `UnusableInput` for a parameter without a norm or an unknown activation. Source: A3-A5.

    >>> import sympy as sp
    >>> from majorant.derivation.network.families import normalized
    >>> from majorant.derivation.ring import ExactRing
    >>> network = normalized(blocks=1, heads=1, width=8, hidden=8, activation="relu")
    >>> norms = {p: sp.Integer(2) for p in parameters(network)} | {"input": sp.Integer(1)}
    >>> propagate(network, norms, ExactRing()).lip == 8 * (2 + sp.sqrt(5))
    True
    """
    upper: Mapping[str, Any] = norms
    if centres is not None:
        upper = {key: ring.maximum(value, centres[key]) if key in centres else value
                 for key, value in norms.items()}
    table = activation_constants(ring, activation_table()) if activations is None else activations
    context = Context(ring, norms, upper, table, constants)
    radius = context.norm(network.input_radius, centre=True)
    groups = [("entry", network.entry), *((block.name, block.stages) for block in network.blocks),
              ("exit", network.exit), ("readout", network.readout)]
    steps: list[Step] = []
    for name, group in groups:
        if group:
            steps.append(_sequence(name, group, radius, context))
            radius = steps[-1].radius_out
    if not steps:
        raise UnusableInput("the network has no blocks, no entry, no exit and no readout")
    if len({step.name for step in steps}) < len(steps):
        raise UnusableInput("two blocks of the network have the same name")
    return Propagation(ring, tuple(steps))


def _sequence(name: str, group: tuple[stages.Stage, ...], radius: Any, context: Context) -> Step:
    steps: list[Step] = []
    here = radius
    for stage in group:
        steps.append(_step(stage, here, context))
        here = steps[-1].radius_out
    return compose(name, steps, context.ring, radius)


def _step(stage: stages.Stage, radius: Any, context: Context) -> Step:
    if isinstance(stage, stages.Residual):
        branch = _sequence("residual", stage.branch, radius, context)
        ring = context.ring
        return Step("residual", radius, ring.add(radius, branch.radius_out),
                    ring.add(context.number(1), branch.lip), branch.local, branch.probes)
    return _STEPS[type(stage)](stage, radius, context)


def parameters(network: stages.Network) -> dict[str, stages.Parameter]:
    """All parameters of a network by id, in order of first use.

    Raises `UnusableInput` if one id stands for two shapes.
    """
    found: dict[str, stages.Parameter] = {}
    _collect(network, found)
    return found


def _collect(part: Any, found: dict[str, stages.Parameter]) -> None:
    if isinstance(part, stages.Parameter):
        if found.setdefault(part.id, part) != part:
            raise UnusableInput(f"{part.id}: used as {found[part.id]} and as {part}")
    elif isinstance(part, tuple):
        for item in part:
            _collect(item, found)
    elif hasattr(part, "__dataclass_fields__"):
        for name in part.__dataclass_fields__:
            _collect(getattr(part, name), found)
