"""What would lower a bound most: derivatives of the entropy in the norms, by autograd."""

from __future__ import annotations

import torch

from majorant.derivation.network import propagate
from majorant.numerics.certificates.covering import Plan
from majorant.numerics.certificates.problem import Problem, norms_of
from majorant.numerics.rings.log_tensors import LogTensorRing


def leverage(problem: Problem, found: Plan) -> dict[str, float]:
    """Nats of entropy per unit of log norm of each parameter, at the plan's covers.

    With the radii free, moving a norm moves every sensitivity downstream and upstream; at the
    optimum the entropy changes by `weight_a` per unit of `log kappa_a` and of `log C_a`, where
    `weight_a = -dH_a/dlog eps_a`.
    """
    own, centres = norms_of(problem, found.grid)
    leaves = {name: torch.tensor(value, dtype=torch.float64,
                                 requires_grad=value > -torch.inf) for name, value in own.items()}
    fixed = {name: torch.tensor(value, dtype=torch.float64) for name, value in centres.items()}
    flow = propagate(problem.network, leaves, LogTensorRing(),
                     found.constants, centres=fixed)  # type: ignore[arg-type]
    kappa, total = flow.kappa, torch.zeros((), dtype=torch.float64)
    for parameter, row, log_eps in zip(problem.trained, found.rows, found.log_eps, strict=True):
        if not row.dims:
            continue
        gap = torch.tensor(row.log_reach, dtype=torch.float64) - log_eps
        weight = float((torch.tensor(row.dims, dtype=torch.float64) * torch.sigmoid(gap)).sum())
        total = total + weight * (kappa[parameter.id] + leaves[parameter.id])
    names = [p.id for p in problem.trained if leaves[p.id].requires_grad]
    grads = torch.autograd.grad(total, [leaves[name] for name in names], allow_unused=True)
    return {name: 0.0 if grad is None else float(grad)
            for name, grad in zip(names, grads, strict=True)}
