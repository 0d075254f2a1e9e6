"""The largest derivative that gradient ascent finds in a class, beside its bound (chapter 5.3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from majorant.derivation.network import Network, Parameter, parameters
from majorant.derivation.network.series import propagate_series
from majorant.experiments.derivatives.specimens import SPECIMENS, TOKENS
from majorant.numerics.derivatives.measured import directional, in_ball, row_norm
from majorant.numerics.networks.forward import forward
from majorant.numerics.rings import LogFloatRing

#: Norm of every parameter and of the input rows; steps of the ascent at order 1.
NORM, RADIUS, STEPS = 1.0, 1.0, 160


def normed(parameter: Parameter, raw: Tensor, norm: float) -> Tensor:
    """The tensor scaled to this norm, in the sense of the parameter's kind."""
    if parameter.kind == "matrix":
        return norm * raw / torch.linalg.matrix_norm(raw, 2)
    if parameter.kind == "vector":
        return norm * raw / raw.norm()
    return norm * raw / raw.abs().max()


def largest_derivative(network: Network, order: int, norms: Mapping[str, float], steps: int,
                       seed: int, tokens: int = TOKENS) -> float:
    """Largest `||D^k f[h, .., h]||` found over inputs, directions and weights of these norms.

    Nested forward mode in float64, differentiated once more for the ascent (Adam). Every number
    is a value of a true derivative, so it must lie below the bound.
    """
    generator = torch.Generator().manual_seed(seed)

    def free(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64).requires_grad_()

    known = parameters(network)
    raw = {key: free(p.rows, p.cols) if p.kind == "matrix" else free(p.cols)
           for key, p in known.items()}
    x, h = free(tokens, network.width), free(tokens, network.width)
    optimizer = torch.optim.Adam([x, h, *raw.values()], lr=0.05)
    best = 0.0
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 0.08 * (1 - step / steps) + 0.002
        tensors = {key: normed(p, raw[key], norms[key]) for key, p in known.items()}
        rows = in_ball(x, norms["input"])
        direction = h / h.norm(dim=-1, keepdim=True)

        def f(rows: Tensor, tensors: Mapping[str, Tensor] = tensors) -> Tensor:
            return forward(network, tensors, rows)

        value = row_norm(directional(f, rows, [direction] * order))
        best = max(best, float(value.detach()))
        optimizer.zero_grad()
        torch.autograd.backward([-value.log()])
        optimizer.step()
    return best


def bounds(name: str, order: int) -> list[float]:
    """Bounds on `D_0..D_order` of a specimen, at the norms of the search.

    >>> round(bounds("feed-forward", 2)[2], 6)  # sup of the second derivative of GELU
    0.797885
    """
    logs = dict.fromkeys(parameters(SPECIMENS[name]), math.log(NORM)) | {"input": math.log(RADIUS)}
    found = propagate_series(SPECIMENS[name], logs, LogFloatRing(), order)
    return [math.exp(found.bound(k)) for k in range(order + 1)]


def tightness(orders: Sequence[int] = (1, 2, 3, 4), seeds: int = 2, steps: int = STEPS,
              names: Sequence[str] = tuple(SPECIMENS), progress: Any = None,
              ) -> list[dict[str, Any]]:
    """Rows `network, k, found, bound, ratio`; `ratio` is bound over found, at least 1.

    All norms are `NORM`, input rows have norm at most `RADIUS`; steps are divided by the cost of
    the order.
    """
    rows: list[dict[str, Any]] = []
    for number, name in enumerate(names):
        network = SPECIMENS[name]
        norms = dict.fromkeys(parameters(network), NORM) | {"input": RADIUS}
        limits = bounds(name, max(orders))
        for k in orders:
            if progress:
                progress(number, len(names), f"{name}, order {k}")
            found = max(largest_derivative(network, k, norms, max(20, steps // k), seed)
                        for seed in range(seeds))
            rows.append({"network": name, "k": k, "found": found, "bound": limits[k],
                         "ratio": limits[k] / found})
    return rows
