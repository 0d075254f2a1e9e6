"""Gram matrices and their eigenvalues, by whichever library does it with least work.

On the CPU that is numpy: it recognizes `W W^T` and forms one triangle only, and its eigenvalue
routines take about half the time of torch's (768 x 768, one thread: 60 ms against 111 ms).
"""

import numpy as np
import torch


def gram(wide: torch.Tensor) -> torch.Tensor:
    """`W W^T`.

    >>> gram(torch.tensor([[1.0, 2.0]], dtype=torch.float64))
    tensor([[5.]], dtype=torch.float64)
    """
    if wide.is_cuda:
        return wide @ wide.T
    array = wide.numpy()
    return torch.from_numpy(array @ array.T)


def column_norms(w: torch.Tensor) -> torch.Tensor:
    """Euclidean norms of the columns of `w`, in one pass whatever its strides.

    >>> column_norms(torch.tensor([[3.0, 0.0], [4.0, 2.0]], dtype=torch.float64))
    tensor([5., 2.], dtype=torch.float64)
    """
    if w.is_cuda:
        return torch.linalg.vector_norm(w, dim=0)
    array = w.numpy()
    return torch.from_numpy(np.sqrt(np.einsum("ij,ij->j", array, array)))


def eigenvalues(symmetric: torch.Tensor) -> torch.Tensor:
    """Eigenvalues of a symmetric matrix, ascending."""
    if symmetric.is_cuda:
        return torch.linalg.eigvalsh(symmetric)
    return torch.from_numpy(np.linalg.eigvalsh(symmetric.numpy()))


def eigenvectors(symmetric: torch.Tensor) -> torch.Tensor:
    """Eigenvectors of a symmetric matrix as columns, eigenvalues ascending; CPU."""
    return torch.from_numpy(np.linalg.eigh(symmetric.numpy()).eigenvectors)
