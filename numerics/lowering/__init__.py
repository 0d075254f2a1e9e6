"""One expression, three evaluators: torch kernels, mpmath functions, rigorous ball functions.

`torch_kernel` is imported when it is first asked for, so that a program that only needs balls
(the checker of certificates) does not load torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from majorant.numerics.lowering.balls import ball_function as ball_function
from majorant.numerics.lowering.high_precision import mpmath_function as mpmath_function
from majorant.numerics.lowering.log_domain import log_form as log_form
from majorant.numerics.lowering.log_domain import stable_form as stable_form

if TYPE_CHECKING:
    from majorant.numerics.lowering.kernels import torch_kernel as torch_kernel


def __getattr__(name: str) -> Any:
    if name == "torch_kernel":
        from majorant.numerics.lowering.kernels import torch_kernel

        return torch_kernel
    raise AttributeError(name)
