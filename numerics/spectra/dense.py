"""Spectra of stored matrices by the fastest route that is accurate enough, checked each time."""

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.spectra.factored import Computed, SpectrumCheckFailed, rescaled
from majorant.numerics.spectra.rounding import (
    SLACK,
    UNIT,
    defect,
    gamma,
    norm_up,
    product_error,
    residual,
)
from majorant.numerics.spectra.scaling import exponent, scaled
from majorant.numerics.spectra.symmetric import column_norms, eigenvalues, eigenvectors, gram

# Through W W^T a singular value loses (sigma_1/sigma_i)^2 u; above this ratio of eigenvalues
# what is left is better than 1e-10 relative.
_GRAM_RATIO = 1e-5
# LAPACK's divide-and-conquer SVD counts its workspace, 4 k^2 numbers, in 32 bits.
_SVD_LIMIT = 20_000
_EIGH_LIMIT = 32_000


def dense_spectrum(w: torch.Tensor, *, verified: bool = False) -> Computed:
    """All singular values of one matrix `(N1, N2)`, float64, any device.

    The Gram matrix of the shorter side if `sigma_min/sigma_1` allows it, else QR of the tall
    orientation and the singular values of `R`. If `verified`, with the radii of V1, on the CPU.
    Raises `SpectrumCheckFailed` if the squares do not sum to `||W||_F^2`, `UnusableInput` for a
    matrix too large for the routines that its spectrum needs.

    >>> found = dense_spectrum(torch.diag(torch.tensor([1.0, 3.0, 2.0], dtype=torch.float64)))
    >>> found.singular_values, found.norm_21
    (array([3., 2., 1.]), 6.0)
    """
    k = exponent(w)
    if k:
        return rescaled(dense_spectrum(scaled(w, k), verified=verified), k)
    columns = column_norms(w)
    frobenius = float(torch.linalg.vector_norm(w))
    if frobenius == 0.0:
        zero = torch.zeros(0, dtype=torch.float64).numpy()
        exact = 0.0 if verified else float("nan")
        return Computed(zero, 0.0, 0.0, "zero matrix", exact, exact)
    wide = w if w.shape[0] <= w.shape[1] else w.T
    relative = absolute = float("nan")
    if verified:
        values, relative, absolute, method = _verified(wide.cpu())
    else:
        values, method = _values(wide)
    total = float(values.square().sum())
    if not abs(total - frobenius**2) <= 1e-9 * frobenius**2:
        raise SpectrumCheckFailed(
            f"{method}: the squared singular values sum to {total:.17g}, ||W||_F^2 is "
            f"{frobenius**2:.17g}."
        )
    kept = values[: _rank_bound(w, columns)].cpu().numpy().copy()
    return Computed(kept, frobenius, float(columns.sum()), method, relative, absolute)


def _values(wide: torch.Tensor) -> tuple[torch.Tensor, str]:
    short, long = wide.shape
    if short == 1:
        return torch.linalg.vector_norm(wide).reshape(1), "norm of a vector"
    if short > 32 or short > _SVD_LIMIT:
        squares = eigenvalues(gram(wide))
        if bool(squares[0] >= _GRAM_RATIO * squares[-1]):
            return squares.flip(0).sqrt(), "Gram matrix"
    if short > _SVD_LIMIT:
        raise _too_large(short)
    if long > short:
        return torch.linalg.svdvals(torch.linalg.qr(wide.T, mode="r").R), "QR, SVD of R"
    return torch.linalg.svdvals(wide), "SVD"


def _verified(wide: torch.Tensor) -> tuple[torch.Tensor, float, float, str]:
    short = wide.shape[0]
    if short > _EIGH_LIMIT:
        raise _too_large(short)
    rotated = _rotated(wide)
    if rotated is not None:
        return rotated
    if short > _SVD_LIMIT:
        raise _too_large(short)
    u, s, vh = torch.linalg.svd(wide, full_matrices=False)
    skew = float(defect(u) + defect(vh.mT))
    if not skew < 0.25:
        raise SpectrumCheckFailed("the SVD returned vectors that are not orthogonal.")
    us = u * s
    rounding = 2 * UNIT * float(norm_up(us) * norm_up(vh))
    absolute = (float(residual(wide, us, vh)) + rounding) * SLACK
    return s, (skew / 2) * (1 + 2 * skew) * SLACK, absolute, "SVD, verified"


def _rotated(wide: torch.Tensor) -> tuple[torch.Tensor, float, float, str] | None:
    """Singular values as the row norms of `X^T W`, `X` the eigenvectors of the Gram matrix.

    `X^T W = Y + E` and `Y = D Z` with the row norms `D`, as computed: if the rows of `Z` are
    nearly orthonormal, `sigma_i(W)` is `d_i` up to the defects of `X` and `Z` (relative) and
    `||E||` (absolute). Two products instead of an SVD with vectors; `Y` is formed a few columns at
    a time. `None` if `Z` is too skew, as it is for badly conditioned matrices.
    """
    short, long = wide.shape
    x = eigenvectors(gram(wide))
    z = torch.zeros_like(x)
    for columns in wide.split(short, dim=1):
        z += gram(x.T @ columns)
    d = z.diagonal().sqrt()
    if not bool((d > 1e-100).all()):  # products of two of them must not underflow
        return None
    z = z / d[:, None] / d[None, :]
    z.diagonal().sub_(1.0)
    # Entries of Y Y^T err by gamma(long) d_i d_j, the square roots and divisions by a few units.
    skew_z = float(norm_up(z)) * (1 + 8 * UNIT) + (gamma(long + 8) + 16 * UNIT) * short
    skew = (skew_z + float(defect(x))) * SLACK
    if not skew < 1e-6:
        return None
    error = float(product_error(short, norm_up(x), norm_up(wide), short * long))
    relative = (skew / 2) * (1 + 2 * skew) * SLACK
    values = d.sort(descending=True).values
    return values, relative, (1 + skew) * error * SLACK, "Gram matrix rotated, verified"


def _too_large(short: int) -> UnusableInput:
    return UnusableInput(
        f"a matrix whose shorter side is {short}: its singular values need a workspace that "
        f"LAPACK counts in 32 bits (limit {_SVD_LIMIT}, {_EIGH_LIMIT} for a well-conditioned "
        "one). Split the matrix, or leave it out."
    )


def _rank_bound(w: torch.Tensor, norms: torch.Tensor) -> int:
    """The smaller of the numbers of columns and of rows that are not exactly zero.

    A norm may underflow to 0 although the column is not zero, so such columns are looked at.
    """
    suspects = norms == 0
    columns = len(norms) - int(suspects.sum())
    if columns < len(norms):
        columns += int((w[:, suspects] != 0).any(0).sum())
    # One entry that is not zero settles a row; the first columns nearly always hold one.
    rows = (w[:, :8] != 0).any(1)
    if not bool(rows.all()):
        rows = (w != 0).any(1)
    return min(columns, int(rows.sum()))
