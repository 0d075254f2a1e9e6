"""Exact arithmetic that decides whether proved ends contain the true singular values."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from flint import arb, arb_mat, ctx, fmpq

from majorant.numerics.spectra import Spectrum


def _exact(w: torch.Tensor) -> arb_mat:
    rows = [[arb(fmpq(*float(x).as_integer_ratio())) for x in row] for row in w.tolist()]
    return arb_mat(rows)


def _count_above(gram: arb_mat, level: arb) -> int:
    """Number of eigenvalues of a symmetric matrix above `level`: Sylvester's law of inertia.

    The signs of the pivots of `G - level I`, in 400-bit balls; a pivot that may be 0 fails.
    """
    n = gram.nrows()
    m = [[gram[i, j] - (level if i == j else 0) for j in range(n)] for i in range(n)]
    above = 0
    for k in range(n):
        pivot = m[k][k]
        assert pivot != 0, "the level is too close to an eigenvalue for the precision"
        above += int(pivot > 0)
        for i in range(k + 1, n):
            factor = m[i][k] / pivot
            for j in range(k + 1, n):
                m[i][j] = m[i][j] - factor * m[k][j]
    return above


def _assert_contains(found: Spectrum, w: arb_mat) -> None:
    """For each `i`: at most `i` values exceed `upper_i`, and at least `i + 1` reach `lower_i`."""
    old = ctx.prec
    ctx.prec = 400
    try:
        # The levels below are absolute: bring the matrix to size about 1, exactly.
        shift = -int(np.frexp(found.spectral_norm)[1]) if found.spectral_norm else 0
        scale = arb(2) ** shift
        w = w * scale
        gram = w * w.transpose() if w.nrows() <= w.ncols() else w.transpose() * w
        upper, lower = found.upper(), found.lower()
        tiny = arb(2) ** -300
        for i in range(len(upper)):
            top = arb(fmpq(*float(upper[i]).as_integer_ratio())) * scale
            assert _count_above(gram, top * top + tiny) <= i, f"sigma_{i} is above its upper end"
            low = arb(fmpq(*float(lower[i]).as_integer_ratio())) * scale
            if low > 0:
                assert _count_above(gram, low * low - tiny) >= i + 1, f"sigma_{i} below its lower"
        if len(upper) < gram.nrows():
            # Beyond the stored values everything is zero: the rank is at most their number.
            assert _count_above(gram, arb(2) ** -200) <= len(upper)
    finally:
        ctx.prec = old


@pytest.fixture(scope="session")
def assert_contains() -> Callable[[Spectrum, arb_mat], None]:
    """`assert_contains(spectrum, matrix)` fails unless every proved end is on the right side."""
    return _assert_contains


@pytest.fixture(scope="session")
def exact() -> Callable[[torch.Tensor], arb_mat]:
    """`exact(w)`: the float64 matrix as balls of radius 0."""
    return _exact
