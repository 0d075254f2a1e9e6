"""Elementwise torch operations by the names of the lowering table.

Undefined points give NaN or an infinity in the forward pass, never an exception; where one side
of a case distinction is not taken, its argument is replaced before the operation, so that the
gradient of the other side stays finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import torch
from torch import Tensor

from majorant.numerics.lowering.torch_kl import kl_inverse

Value = Any  # a Tensor, or a Python float for a folded constant


def tensor_like(value: Value, other: Value) -> Tensor:
    """`value` as a tensor of the dtype and device of `other`."""
    if isinstance(value, Tensor):
        return value
    if isinstance(other, Tensor):
        return torch.as_tensor(value, dtype=other.dtype, device=other.device)
    return torch.as_tensor(value, dtype=torch.float64)


def maximum(*args: Value) -> Tensor:
    """The largest of several tensors or scalars, broadcast."""
    sample = next(arg for arg in args if isinstance(arg, Tensor))
    return reduce(torch.maximum, [tensor_like(arg, sample) for arg in args])


def minimum(*args: Value) -> Tensor:
    """The least of several tensors or scalars, broadcast."""
    sample = next(arg for arg in args if isinstance(arg, Tensor))
    return reduce(torch.minimum, [tensor_like(arg, sample) for arg in args])


def positive_power(x: Value, p: Value) -> Tensor:
    """`x^p` for `x > 0`, otherwise 0; computed as `exp(p log x)`.

    What depends on `x` alone is done before `p` broadcasts: three passes over the large product,
    in place where no gradient is asked for.
    """
    x = tensor_like(x, p)
    positive = x > 0
    logarithm = torch.log(torch.where(positive, x, 1.0))
    weight = torch.where(torch.isnan(x), x, positive.to(x.dtype))
    power = (p * logarithm).exp_()
    return power * weight if power.requires_grad else power.mul_(weight)


def above(x: Value, tau: Value) -> Tensor:
    """1 where `x > tau`, 0 elsewhere, NaN where either is NaN."""
    x = tensor_like(x, tau)
    unknown = torch.isnan(x + tau)
    return torch.where(unknown, x + tau, (x > tau).to(x.dtype))


def log_plus(x: Tensor) -> Tensor:
    """`max(0, log x)`, 0 for `x <= 1`."""
    return torch.log(torch.clamp(x, min=1.0))


def extended_log(x: Tensor) -> Tensor:
    """`log x`, -oo at 0; the gradient at 0 is 0."""
    zero = x == 0
    return torch.where(zero, torch.full_like(x, -math.inf), torch.log(torch.where(zero, 1.0, x)))


def log_scaled(level: Value, p: Value) -> Tensor:
    """`p * level`, -oo where `level` is -oo."""
    level = tensor_like(level, p)
    vanishes = level == -math.inf
    if not bool(vanishes.any()):
        return p * level  # the usual case, without passes over the broadcast product
    return torch.where(vanishes, level, p * torch.where(vanishes, 0.0, level))


def log_sum_exp(terms: Tensor, dim: int) -> Tensor:
    """`log(sum(exp(terms)))` over one axis; -oo members allowed, gradients finite.

    The largest term is split off, so that `log(1 + exp(u))` keeps its digits for small `exp(u)`.
    """
    largest, at = terms.detach().max(dim, keepdim=True)
    shift = torch.where(torch.isfinite(largest), largest, torch.zeros_like(largest))
    shifted = terms - shift
    first = torch.expm1(shifted.gather(dim, at))
    rest = torch.exp(shifted).scatter(dim, at, first).sum(dim)
    empty = largest.squeeze(dim) == -math.inf
    logarithm = torch.log1p(torch.where(empty, torch.zeros_like(rest), rest))
    return torch.where(empty, torch.full_like(rest, -math.inf), shift.squeeze(dim) + logarithm)


def log_sum_exp_over(terms: Tensor, dim: int) -> Tensor:
    """`log(sum(exp(terms)))` over an index: torch's fused form, to about 1e-16 of `1 + |log|`.

    Where every term of some sum is -oo, `log_sum_exp` keeps the gradients finite.
    """
    result = torch.logsumexp(terms, dim)
    return log_sum_exp(terms, dim) if bool((result == -math.inf).any()) else result


def log_add_exp(*args: Value) -> Tensor:
    """`log(exp(u_1) + ... + exp(u_n))`."""
    sample = next(arg for arg in args if isinstance(arg, Tensor))
    terms = torch.broadcast_tensors(*(tensor_like(arg, sample) for arg in args))
    return log_sum_exp(torch.stack(list(terms)), 0)


def bernoulli_kl(q: Value, r: Value) -> Tensor:
    """`kl(q, r)` with `0 log 0 = 0`."""
    q = tensor_like(q, r)
    r = tensor_like(r, q)
    return (
        torch.xlogy(q, q) - torch.xlogy(q, r)
        + torch.xlogy(1 - q, 1 - q) - torch.special.xlog1py(1 - q, -r)
    )


def polygamma(order: float, x: Tensor) -> Tensor:
    """`digamma` and its derivatives; the order is a constant."""
    return torch.polygamma(int(order), x)


def binomial(n: Value, k: Value) -> Tensor:
    """`n! / (k! (n-k)!)` through `lgamma`."""
    n = tensor_like(n, k)
    k = tensor_like(k, n)
    return torch.exp(torch.lgamma(n + 1) - torch.lgamma(k + 1) - torch.lgamma(n - k + 1))


def kl_inverse_of(q: Value, c: Value) -> Tensor:
    """`sup{r in [q, 1] : kl(q, r) <= c}`."""
    q = tensor_like(q, c)
    return kl_inverse(q, tensor_like(c, q))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "exp": torch.exp,
    "log": torch.log,
    "log1p": torch.log1p,
    "expm1": torch.expm1,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "asin": torch.asin,
    "acos": torch.acos,
    "atan": torch.atan,
    "atan2": lambda y, x: torch.atan2(tensor_like(y, x), tensor_like(x, y)),
    "sinh": torch.sinh,
    "cosh": torch.cosh,
    "tanh": torch.tanh,
    "asinh": torch.asinh,
    "acosh": torch.acosh,
    "atanh": torch.atanh,
    "sinc": lambda x: torch.sinc(x / math.pi),
    "erf": torch.erf,
    "erfc": torch.erfc,
    "gamma": lambda x: torch.exp(torch.lgamma(torch.where(x > 0, x, math.nan))),
    "loggamma": lambda x: torch.lgamma(torch.where(x > 0, x, math.nan)),
    "digamma": torch.digamma,
    "polygamma": polygamma,
    "factorial": lambda n: torch.exp(torch.lgamma(n + 1)),
    "binomial": binomial,
    "zeta": lambda s: torch.special.zeta(s, torch.ones_like(s)),
    "abs": torch.abs,
    "sign": torch.sign,
    "floor": torch.floor,
    "ceiling": torch.ceil,
    "maximum": maximum,
    "minimum": minimum,
    "positive_power": positive_power,
    "above": above,
    "bernoulli_kl": bernoulli_kl,
    "kl_inverse": kl_inverse_of,
    "log_plus": log_plus,
    "extended_log": extended_log,
    "log_add_exp": log_add_exp,
    "log_scaled": log_scaled,
}
