"""Spectra of products `A B^T` by their factors: exact in rank, no `N x N` matrix anywhere."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from majorant.numerics.spectra.rounding import (
    SLACK,
    TINY,
    UNIT,
    defect,
    norm_up,
    product_error,
    residual,
)
from majorant.numerics.spectra.scaling import exponent, scaled


@dataclass(frozen=True)
class Computed:
    """What one factorization gives for one matrix; see `Spectrum` for the fields."""

    singular_values: NDArray[np.float64]
    frobenius: float
    norm_21: float
    method: str
    relative: float = float("nan")
    absolute: float = float("nan")


def rescaled(c: Computed, k: int) -> Computed:
    """The spectrum of `2^k W` from that of `W`; what falls below the normal range is paid for."""
    half = k // 2

    def up(x: float) -> float:
        return x * 2.0**half * 2.0 ** (k - half)

    with np.errstate(over="ignore"):  # whoever names the matrix refuses what is not finite
        values = c.singular_values * 2.0**half * 2.0 ** (k - half)
    absolute = up(c.absolute) * SLACK + (2 * TINY if c.absolute > 0 else 0.0)
    return Computed(values, up(c.frobenius), up(c.norm_21), c.method, c.relative, absolute)


class SpectrumCheckFailed(ArithmeticError):
    """A computed spectrum contradicts the Frobenius norm: the library's answer is wrong."""


def factored_spectra(
    a: torch.Tensor,
    b: torch.Tensor,
    *,
    verified: bool = False,
    error_a: torch.Tensor | None = None,
    error_b: torch.Tensor | None = None,
) -> list[Computed]:
    """Spectra of the products `A_h B_h^T` of a batch: `a` is `(H, N1, r)`, `b` is `(H, N2, r)`.

    QR of each factor, then the singular values of the `r x r` core (theory 4.3): at most `r`
    values, and only as many as there are columns that are non-zero in both factors. Column norms
    of the product are those of `R_a b_j`. If `verified`, with the radii of V1; `error_a` and
    `error_b` `(H,)` bound the Frobenius distance of the factors given to the exact ones (no
    column then counts as exactly zero).

    Raises `SpectrumCheckFailed` if the squares do not sum to `||A B^T||_F^2`, which is computed
    from `A^T A` and `B^T B` without the factorization.

    >>> a = torch.eye(4, 2, dtype=torch.float64)[None]
    >>> factored_spectra(a, 3 * a)[0].singular_values
    array([3., 3.])
    """
    if a.shape[-1] > min(a.shape[-2], b.shape[-2]):
        return _wide(a, b, verified, error_a, error_b)
    k_a, k_b = exponent(a), exponent(b)
    if k_a or k_b:
        errors = [
            None if error is None else scaled(error, k) + TINY
            for error, k in ((error_a, k_a), (error_b, k_b))
        ]
        found = factored_spectra(
            scaled(a, k_a),
            scaled(b, k_b),
            verified=verified,
            error_a=errors[0],
            error_b=errors[1],
        )
        return [rescaled(c, k_a + k_b) for c in found]
    relative = absolute = None
    if verified:
        a, b = a.cpu(), b.cpu()
        values, r_a, relative, absolute = _verified(a, b)
        absolute = _with_input_errors(absolute, a, b, error_a, error_b)
    else:
        r_a = torch.linalg.qr(a, mode="r").R
        core = r_a @ torch.linalg.qr(b, mode="r").R.mT
        values = torch.linalg.svdvals(core)
    rotated = b @ r_a.mT
    columns = torch.linalg.vector_norm(rotated, dim=-1).sum(-1)
    frobenius = torch.linalg.vector_norm(rotated, dim=(-2, -1))
    _check(values, a, b)
    exact = error_a is None and error_b is None
    live = _live(a, b) if exact else [a.shape[-1]] * a.shape[0]
    return [
        Computed(
            singular_values=values[i, : live[i]].cpu().numpy().copy(),
            frobenius=float(frobenius[i]),
            norm_21=float(columns[i]),
            method="factors: QR, core SVD",
            relative=float("nan") if relative is None else float(relative[i]),
            absolute=float("nan") if absolute is None else float(absolute[i]),
        )
        for i in range(a.shape[0])
    ]


def _wide(
    a: torch.Tensor,
    b: torch.Tensor,
    verified: bool,
    error_a: torch.Tensor | None,
    error_b: torch.Tensor | None,
) -> list[Computed]:
    # More columns than rows: orthogonalizing A^T instead would gain nothing in rank. Pad the rows
    # with zeros, which changes neither the singular values nor the norms of the product.
    rank = a.shape[-1]
    pad_a = torch.nn.functional.pad(a, (0, 0, 0, max(0, rank - a.shape[-2])))
    pad_b = torch.nn.functional.pad(b, (0, 0, 0, max(0, rank - b.shape[-2])))
    limit = min(a.shape[-2], b.shape[-2])
    return [
        Computed(
            singular_values=c.singular_values[:limit],
            frobenius=c.frobenius,
            norm_21=c.norm_21,
            method=c.method,
            relative=c.relative,
            absolute=c.absolute,
        )
        for c in factored_spectra(pad_a, pad_b, verified=verified, error_a=error_a, error_b=error_b)
    ]


def _live(a: torch.Tensor, b: torch.Tensor) -> list[int]:
    """Per product, the number of columns that are non-zero in both factors: it bounds the rank."""
    rank = a.shape[-1]
    suspects = (a.abs().amax(-2) == 0) | (b.abs().amax(-2) == 0)
    return [rank - int(row.sum()) for row in suspects]


def _check(values: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> None:
    direct = ((a.mT @ a) * (b.mT @ b)).sum((-2, -1))
    scale = a.square().sum((-2, -1)) * b.square().sum((-2, -1))
    gap = (values.square().sum(-1) - direct).abs()
    # Cancellation in `direct` is at most gamma(N) times `scale`.
    bad = ~(gap <= 1e-11 * scale + 1e-10 * direct.abs())
    if bool(bad.any()):
        i = int(torch.nonzero(bad)[0])
        raise SpectrumCheckFailed(
            f"product {i} of the batch: the squared singular values sum to "
            f"{float(values[i].square().sum()):.17g}, ||A B^T||_F^2 is {float(direct[i]):.17g}."
        )


def _verified(
    a: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """`(s, R_a, relative, absolute)` for a batch, all errors bounded a priori.

    With `A = Q_a R_a + E_a`, `B = Q_b R_b + E_b`, `R_a R_b^T = U S V^T + E_c`:
    `sigma_i(A B^T)` differs from `s_i` by the orthogonality defects of the four `Q, U, V`
    (relative) and by `||E_c|| + ||E_a|| ||B|| + ||Q_a|| ||R_a|| ||E_b||` (absolute).
    """
    rank = a.shape[-1]
    q_a, r_a = torch.linalg.qr(a)
    q_b, r_b = torch.linalg.qr(b)
    core = r_a @ r_b.mT
    u, s, vh = torch.linalg.svd(core)
    skew = defect(q_a) + defect(q_b) + defect(u) + defect(vh.mT)
    if not bool((skew < 0.25).all()):
        raise SpectrumCheckFailed("a factorization returned vectors that are not orthogonal.")
    size_ra, size_rb = norm_up(r_a), norm_up(r_b)
    us = u * s[..., None, :]
    e_core = (
        residual(core, us, vh)
        + 2 * UNIT * norm_up(us) * norm_up(vh)  # the rounding of U S
        + product_error(rank, size_ra, size_rb, rank * rank)
    )
    e_a, e_b = residual(a, q_a, r_a), residual(b, q_b, r_b)
    relative = (skew / 2) * (1 + skew) * SLACK
    absolute = ((1 + skew) * (e_core + size_ra * e_b) + e_a * norm_up(b)) * SLACK
    return s, r_a, relative, absolute


def _with_input_errors(
    absolute: torch.Tensor,
    a: torch.Tensor,
    b: torch.Tensor,
    error_a: torch.Tensor | None,
    error_b: torch.Tensor | None,
) -> torch.Tensor:
    zero = torch.zeros_like(absolute)
    e_a = zero if error_a is None else error_a
    e_b = zero if error_b is None else error_b
    return (absolute + e_a * (norm_up(b) + e_b) + norm_up(a) * e_b) * SLACK
