"""Torch kernels: an expression as a batched, differentiable function of tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from majorant.derivation.errors import UnusableInput
from majorant.numerics.lowering.arguments import argument_names
from majorant.numerics.lowering.torch_frame import Frame
from majorant.numerics.lowering.torch_operations import OPERATIONS
from majorant.numerics.lowering.torch_printer import FRAME, TORCH, TorchPrinter

NAMESPACE = SimpleNamespace(**OPERATIONS, inf=math.inf)


def torch_kernel(expr: sp.Expr, args: Sequence[sp.Basic]) -> Callable[..., Tensor]:
    """A function of `args` that computes `expr` elementwise, in the dtype of its inputs.

    A Symbol takes a tensor or a number; all broadcast together (the batch). An IndexedBase with
    `d` indices takes a tensor whose first `d` axes are the indices (first entry: index 1) and
    whose other axes broadcast with the batch. The result has the shape of the batch, also for a
    constant expression. Integers become floating point before any arithmetic; without a floating
    tensor among the inputs the dtype is float64. Gradients flow to every input.

    Raises `UnsupportedExpression` (node and path) when built, and `UnusableInput` when called
    with tensors that do not fit.

    >>> x = sp.Symbol("x", positive=True)
    >>> sigma, i = sp.IndexedBase("sigma"), sp.Symbol("i", integer=True, positive=True)
    >>> kernel = torch_kernel(sp.Sum(sigma[i], (i, 1, 3)) ** x, [sigma, x])
    >>> kernel(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 2.0]))
    tensor([ 6., 36.])
    """
    names = argument_names(args)
    # Python names for the arguments: unique, and not those of a torch operation.
    python = {arg: f"a{position}" for position, arg in enumerate(names)}
    ranks = {arg: index_count(expr, arg) for arg in names if isinstance(arg, sp.IndexedBase)}
    printer = TorchPrinter(python, {python[arg]: name for arg, name in names.items()})
    # The operations are an argument too: lambdify makes a global of every symbol of `expr`, and a
    # symbol called `gamma` must not hide the function.
    symbols = [sp.Symbol(name) for name in (FRAME, TORCH, *python.values())]
    source = sp.lambdify(symbols, expr, modules=[{}], printer=printer, use_imps=False)

    def kernel(*values: Any) -> Tensor:
        tensors = as_tensors(list(names.values()), values)
        shapes, ready = [], []
        for arg, tensor in zip(names, tensors, strict=True):
            rank = ranks.get(arg, 0)
            if tensor.ndim < rank:
                raise UnusableInput(
                    f"{names[arg]}: expected at least {rank} axes (its indices), got shape "
                    f"{tuple(tensor.shape)}"
                )
            shapes.append(tensor.shape[rank:])
            ready.append(tensor)
        try:
            batch = torch.broadcast_shapes(*shapes)
        except RuntimeError as error:
            listed = ", ".join(
                f"{name} {tuple(shape)}" for name, shape in zip(names.values(), shapes, strict=True)
            )
            raise UnusableInput(f"batch shapes do not broadcast: {listed}") from error
        sample = ready[0] if ready else torch.zeros((), dtype=torch.float64)
        frame = Frame(len(batch), sample.dtype, sample.device)
        return torch.broadcast_to(frame.tensor(source(frame, NAMESPACE, *ready)), batch)

    kernel.__doc__ = f"Torch kernel of {expr} in ({', '.join(names.values())})."
    return kernel


def index_count(expr: sp.Expr, family: sp.IndexedBase) -> int:
    """How many indices the expression uses on a family (0 if it does not occur)."""
    counts = {
        len(entry.indices) for entry in expr.atoms(sp.Indexed) if entry.base == family
    }
    if len(counts) > 1:
        raise UnusableInput(f"{family}: indexed with {sorted(counts)} indices in one expression")
    return counts.pop() if counts else 0


def as_tensors(names: Sequence[str], values: Sequence[Any]) -> list[Tensor]:
    """Values as tensors of one floating dtype on one device."""
    if len(values) != len(names):
        raise UnusableInput(f"expected {len(names)} values ({', '.join(names)}), got {len(values)}")
    tensors = []
    dtype: torch.dtype | None = None
    device: torch.device | None = None
    for name, value in zip(names, values, strict=True):
        tensor = one_tensor(name, value)
        tensors.append(tensor)
        if hasattr(value, "dtype"):
            if tensor.is_floating_point():
                dtype = tensor.dtype if dtype is None else torch.promote_types(dtype, tensor.dtype)
            if device is not None and tensor.device != device and tensor.ndim:
                raise UnusableInput(f"{name}: on {tensor.device}, but other inputs are on {device}")
            device = tensor.device if device is None or tensor.ndim else device
    return [tensor.to(dtype=dtype or torch.float64, device=device) for tensor in tensors]


def one_tensor(name: str, value: Any) -> Tensor:
    """One value as a real tensor."""
    if isinstance(value, bool | complex):
        raise UnusableInput(f"{name}: expected a real number, got {value!r}")
    if isinstance(value, Fraction | sp.Number):
        value = float(value)
    try:
        tensor = value if isinstance(value, Tensor) else torch.as_tensor(value)
        if not isinstance(value, Tensor) and not hasattr(value, "dtype"):
            tensor = torch.as_tensor(value, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise UnusableInput(
            f"{name}: expected a tensor or a number, got {type(value).__name__} ({error}); pad "
            "ragged families"
        ) from error
    if tensor.is_complex() or tensor.dtype == torch.bool:
        raise UnusableInput(f"{name}: expected real numbers, got {tensor.dtype}")
    return tensor
