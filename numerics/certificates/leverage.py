"""What would lower a bound most: the elasticity of `n*` in every norm, by autograd.

A bound reacts to a sensitivity `kappa_a` and to the size of parameter `a`; every norm also moves
the sensitivities of the parameters before and after it. At the optimum radii, shares and scales
may be held fixed (the envelope theorem), so partial derivatives are enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from majorant.derivation.network import propagate
from majorant.numerics.certificates.covering import Plan
from majorant.numerics.certificates.problem import Gridded, Problem, norms_of
from majorant.numerics.rings.log_tensors import LogTensorRing


@dataclass(frozen=True)
class Pull:
    """How much a bound reacts: per unit of `log kappa_a` and per unit of the log of the size."""

    kappa: float
    size: float

    def scaled(self, factor: float) -> Pull:
        """Both times `factor`.

        >>> Pull(2.0, 1.0).scaled(0.5)
        Pull(kappa=1.0, size=0.5)
        """
        return Pull(self.kappa * factor, self.size * factor)

    def plus(self, other: Pull) -> Pull:
        """The sum of two.

        >>> Pull(2.0, 1.0).plus(Pull(1.0, 0.0))
        Pull(kappa=3.0, size=1.0)
        """
        return Pull(self.kappa + other.kappa, self.size + other.size)


def plan_pulls(problem: Problem, found: Plan) -> dict[str, Pull]:
    """Nats of entropy per unit of `log kappa_a` and of `log C_a`: both are `-dH_a/dlog eps_a`."""
    pulls = {}
    for parameter, row, log_eps in zip(problem.trained, found.rows, found.log_eps, strict=True):
        if row.dims:
            gap = torch.tensor(row.log_reach, dtype=torch.float64) - log_eps
            weight = float((torch.tensor(row.dims, dtype=torch.float64) * gap.sigmoid()).sum())
            pulls[parameter.id] = Pull(weight, weight)
    return pulls


def leverage(problem: Problem, grid: Gridded, constants: str,
             pulls: Mapping[str, Pull]) -> dict[str, float]:
    """What `pulls` count, per unit of the log of each trained parameter's norm."""
    own, centres = norms_of(problem, grid)
    leaves = {name: torch.tensor(value, dtype=torch.float64,
                                 requires_grad=value > -torch.inf) for name, value in own.items()}
    fixed = {name: torch.tensor(value, dtype=torch.float64) for name, value in centres.items()}
    flow = propagate(problem.network, leaves, LogTensorRing(),
                     constants, centres=fixed)  # type: ignore[arg-type]
    kappa, total = flow.kappa, torch.zeros((), dtype=torch.float64)
    for name, pull in pulls.items():
        total = total + pull.kappa * kappa[name] + pull.size * leaves[name]
    names = [p.id for p in problem.trained if leaves[p.id].requires_grad]
    if not total.requires_grad:  # no trained norm enters: everything downstream is zero
        return dict.fromkeys(names, 0.0)
    grads = torch.autograd.grad(total, [leaves[name] for name in names], allow_unused=True)
    return {name: 0.0 if grad is None else float(grad)
            for name, grad in zip(names, grads, strict=True)}
