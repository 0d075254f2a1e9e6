"""Gradient ascent of the violation in torch, many starts at once (float64, untrusted)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from flint import fmpq

from majorant.proofs.provers.problem import Problem
from majorant.proofs.provers.program import Program, Step
from majorant.proofs.provers.sampling import Array, candidates

_CONSTANTS = {"pi": np.pi, "e": np.e, "euler": 0.5772156649015329, "catalan": 0.915965594177219}

_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": torch.exp,
    "log": torch.log,
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "atan": torch.atan,
    "asin": torch.asin,
    "acos": torch.acos,
    "sinh": torch.sinh,
    "cosh": torch.cosh,
    "tanh": torch.tanh,
    "erf": torch.erf,
    "gamma": lambda u: torch.exp(torch.lgamma(u)),
    "loggamma": torch.lgamma,
    "floor": torch.floor,
    "ceiling": torch.ceil,
    "sign": torch.sign,
    "Abs": torch.abs,
}


_JOINS = {"add": "add", "mul": "mul", "max": "maximum", "min": "minimum"}


def _step(step: Step, arguments: list[Any], points: Any) -> Any:
    operation, data = step.operation, step.data
    if operation == "rational":
        assert isinstance(data, fmpq)
        return torch.tensor(float(int(data.numerator) / int(data.denominator)), dtype=points.dtype)
    if operation == "named":
        return torch.tensor(_CONSTANTS[str(data)], dtype=points.dtype)
    if operation == "variable":
        assert isinstance(data, int)
        return points[:, data]
    if operation in ("add", "mul", "max", "min"):
        join: Any = getattr(torch, _JOINS[operation])
        total = arguments[0]
        for argument in arguments[1:]:
            total = join(total, argument)
        return total
    if operation == "ipow":
        assert isinstance(data, int)
        return arguments[0] ** data
    if operation in ("rpow", "xpowlog"):
        assert isinstance(data, fmpq)
        raised = arguments[0] ** (int(data.numerator) / int(data.denominator))
        return raised if operation == "rpow" else raised * torch.log(arguments[0])
    if operation == "pow":
        return torch.pow(arguments[0], arguments[1])
    if operation == "polygamma":
        assert isinstance(data, int)
        return torch.polygamma(data, arguments[0])
    return _FUNCTIONS[operation](arguments[0])


def climb(problem: Problem, starts: Array, deadline: float, steps: int = 300) -> Array:
    """End points of Adam on the relative gap, the most violated first.

    `starts` has shape `(number, variables)`; constraints enter as penalties, the constant ends
    of the variables by clamping. Returns an array of the same width.
    """
    torch.set_num_threads(1)
    variables = list(problem.domain.variables)
    if not variables:
        return starts
    fresh = candidates(problem.domain, 64, 77)
    points = torch.tensor(np.concatenate([starts[:32], fresh]), dtype=torch.float64)
    constraints = [c.expr for c in problem.domain.constraints]
    program = Program([problem.left, problem.right, *constraints], variables)
    low = torch.tensor([_end(problem, v, True) for v in variables], dtype=torch.float64)
    high = torch.tensor([_end(problem, v, False) for v in variables], dtype=torch.float64)
    points = torch.minimum(torch.maximum(points, low), high).requires_grad_(True)
    optimizer = torch.optim.Adam([points], lr=0.02)
    for number in range(steps):
        if time.monotonic() > deadline:
            break
        optimizer.zero_grad()
        values: list[Any] = []
        for step in program.steps:
            values.append(_step(step, [values[a] for a in step.arguments], points))
        left, right, *rest = (values[p] for p in program.outputs)
        loss = (right - left) / (left.abs() + right.abs() + 1e-300).detach()
        if problem.equality:
            loss = -loss.abs()
        for value in rest:
            loss = loss + torch.relu(-value)
        loss = torch.where(torch.isfinite(loss), loss, torch.zeros_like(loss))
        if not loss.requires_grad:
            break
        loss.sum().backward()
        assert points.grad is not None
        points.grad.nan_to_num_(0.0, 0.0, 0.0)
        optimizer.step()
        with torch.no_grad():
            points.copy_(torch.minimum(torch.maximum(points, low), high).nan_to_num(0.5))
        if number == steps // 2:
            optimizer.param_groups[0]["lr"] = 0.002
    return points.detach().numpy()


def _end(problem: Problem, variable: Any, lower: bool) -> float:
    bound = problem.domain.lower(variable) if lower else problem.domain.upper(variable)
    if bound is None:
        return -np.inf if lower else np.inf
    return float(bound.value.evalf(30))
