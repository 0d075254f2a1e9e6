"""Upper bounds on rounding errors of float64 linear algebra, themselves rounded up.

Model of arithmetic: every entry of a computed product with inner dimension `k` is some ordering
of `k` products and `k - 1` additions, each with relative error at most `u = 2^-53` (fused
operations included), so that `|fl(AB) - AB| <= gamma(k) |A| |B|` entry by entry (Higham, Accuracy
and Stability of Numerical Algorithms, 2nd ed., section 3.5), plus `k 2^-1022` where numbers
underflow. Routines that save multiplications (Strassen) or split float64 into smaller formats are
outside this model: verified ends are always computed on the CPU.
"""

import math

import torch

UNIT = 2.0**-53
TINY = 2.0**-1022
# Scalar expressions below have far fewer than 2^12 operations on non-negative numbers.
SLACK = 1 + 2.0**-40


def gamma(operations: int) -> float:
    """`n u / (1 - n u)`, rounded up, for `n` up to 10^9.

    >>> gamma(4) >= 4 * 2.0**-53 / (1 - 4 * 2.0**-53)
    True
    """
    if operations > 10**9:
        raise ValueError(f"gamma({operations}): more than 10^9 operations per entry.")
    return operations * UNIT * 1.00001


def norm_up(x: torch.Tensor) -> torch.Tensor:
    """Upper bound on the Frobenius norm of each matrix in a batch `(..., m, n)`.

    >>> bool(norm_up(torch.ones(2, 2, dtype=torch.float64)) >= 2.0)
    True
    """
    count = x.shape[-1] * x.shape[-2]
    computed = torch.linalg.vector_norm(x, dim=(-2, -1))
    return (computed * (1 + gamma(count + 4)) + math.sqrt(count * TINY)) * SLACK


def product_error(
    inner: int, left: torch.Tensor, right: torch.Tensor, entries: int
) -> torch.Tensor:
    """Upper bound on `||fl(A B) - A B||_F` from upper bounds `left`, `right` on the norms.

    `inner` is the inner dimension, `entries` the number of entries of the product.
    """
    return (gamma(inner) * left * right + inner * math.sqrt(entries) * TINY) * SLACK


def defect(q: torch.Tensor) -> torch.Tensor:
    """Upper bound on `||Q^T Q - I||_F` for each matrix in a batch `(..., m, k)`.

    >>> bool(defect(torch.eye(3, dtype=torch.float64)) < 1e-13)
    True
    """
    rows, columns = q.shape[-2:]
    gram = q.mT @ q
    gram.diagonal(dim1=-2, dim2=-1).sub_(1.0)
    size = norm_up(q)
    return (
        norm_up(gram) * (1 + 2 * UNIT) + product_error(rows, size, size, columns * columns)
    ) * SLACK


def residual(target: torch.Tensor, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Upper bound on `||T - A B||_F` for batches; `A` is `(..., m, k)`, `B` is `(..., k, n)`."""
    inner = left.shape[-1]
    entries = target.shape[-1] * target.shape[-2]
    gap = target - left @ right
    size = product_error(inner, norm_up(left), norm_up(right), entries)
    return (norm_up(gap) * (1 + 2 * UNIT) + size) * SLACK
