"""Proved ends contain the true singular values: exact arithmetic decides, not another float."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from flint import arb_mat, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.numerics.spectra import Computed, Spectrum, dense_spectrum, factored_spectra

Exact = Callable[[torch.Tensor], arb_mat]
Contains = Callable[[Spectrum, arb_mat], None]


def as_spectrum(c: Computed, shape: tuple[int, int]) -> Spectrum:
    return Spectrum(
        "test", 0, -1, "M_in", shape, c.singular_values, c.frobenius, c.norm_21, c.method, (),
        True, c.relative, c.absolute,
    )  # fmt: skip


def hilbert(n: int) -> torch.Tensor:
    i = torch.arange(1, n + 1, dtype=torch.float64)
    return 1 / (i[:, None] + i[None, :] - 1)


def kahan(n: int, angle: float = 1.2) -> torch.Tensor:
    s, c = np.sin(angle), np.cos(angle)
    upper = np.triu(-c * np.ones((n, n)), 1) + np.eye(n)
    return torch.tensor(np.diag(s ** np.arange(n)) @ upper)


def named(n: int) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(n)
    random = torch.randn(n, n, generator=generator, dtype=torch.float64)
    return {
        "diagonal": torch.diag(torch.arange(1, n + 1, dtype=torch.float64) / 3),
        "orthogonal": torch.linalg.qr(random).Q,
        "rank one": torch.outer(random[0], random[1]),
        "hilbert": hilbert(n),
        "kahan": kahan(n),
        "random": random,
        "tall": torch.randn(2 * n, n, generator=generator, dtype=torch.float64),
        "wide": torch.randn(n, 2 * n, generator=generator, dtype=torch.float64),
        "one row": random[:1],
        "one column": random[:, :1],
        "one entry": random[:1, :1],
        "zero": torch.zeros(n, n, dtype=torch.float64),
        "a zero row": torch.cat([random[:-1], torch.zeros(1, n, dtype=torch.float64)]),
        "tiny": random * 1e-120,
        "huge": random * 1e120,
        "squares underflow": random * 1e-220,
        "squares overflow": random * 1e200,
        "subnormal": random * 1e-310,
        "graded": torch.diag(10.0 ** -torch.arange(0, n, dtype=torch.float64)) @ random,
    }


@pytest.mark.parametrize("name", list(named(3)))
def test_ends_of_dense_matrices(name: str, assert_contains: Contains, exact: Exact) -> None:
    w = named(9)[name]
    found = as_spectrum(dense_spectrum(w, verified=True), (w.shape[0], w.shape[1]))
    assert_contains(found, exact(w))
    assert found.radius <= 1e-11 * found.spectral_norm + (1e-307 if name == "subnormal" else 0)


def test_weightwatcher_260_an_enclosure_of_the_smallest_singular_value() -> None:
    w = named(9)["random"]
    low, high = as_spectrum(dense_spectrum(w, verified=True), (9, 9)).smallest()
    assert 0 < low <= high <= low * (1 + 1e-9)
    h = named(12)["hilbert"]
    low, high = as_spectrum(dense_spectrum(h, verified=True), (12, 12)).smallest()
    assert 0 <= low <= high <= 1e-12
    zero = as_spectrum(dense_spectrum(named(9)["a zero row"], verified=True), (9, 9))
    assert zero.smallest() == (0.0, 0.0)


@settings(max_examples=25, deadline=None)
@given(
    n1=st.integers(1, 7),
    n2=st.integers(1, 7),
    r=st.integers(1, 4),
    seed=st.integers(0, 2**31),
    grade=st.sampled_from([1e-3, 1.0, 1e4]),
)
def test_ends_of_products(
    assert_contains: Contains, exact: Exact, n1: int, n2: int, r: int, seed: int, grade: float
) -> None:
    generator = torch.Generator().manual_seed(seed)
    a = torch.randn(1, n1, r, generator=generator, dtype=torch.float64)
    b = torch.randn(1, n2, r, generator=generator, dtype=torch.float64)
    a[..., 0] *= grade
    if seed % 3 == 0:
        a[..., -1] = 0
    if seed % 5 == 0:
        b[..., 0] = b[..., -1]
    found = as_spectrum(factored_spectra(a, b, verified=True)[0], (n1, n2))
    old = ctx.prec
    ctx.prec = 400
    product = exact(a[0]) * exact(b[0]).transpose()
    ctx.prec = old
    assert_contains(found, product)


@pytest.mark.parametrize("factor", [1 - 1e-13, 1 + 1e-13])
def test_values_that_are_off_by_1e_13_are_refused_by_this_check(
    factor: float, assert_contains: Contains, exact: Exact
) -> None:
    """The check can fail: radii of zero around slightly wrong values do not contain the truth."""
    for seed in range(3):
        w = torch.randn(8, 8, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        c = dense_spectrum(w, verified=True)
        off = Computed(c.singular_values * factor, c.frobenius, c.norm_21, c.method, 0.0, 0.0)
        with pytest.raises(AssertionError, match=r"sigma_\d"):
            assert_contains(as_spectrum(off, (8, 8)), exact(w))


def test_measured_float32_values_lie_below_the_truth() -> None:
    w = torch.randn(64, 96, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    single = torch.linalg.svdvals(w.float().double().float()).double().numpy()
    found = as_spectrum(dense_spectrum(w.float().double(), verified=True), (64, 96))
    below = int((single < found.lower()).sum())
    assert below > 10
    assert bool((found.upper() >= found.singular_values).all())
    assert bool((found.lower() <= found.singular_values).all())


@pytest.mark.parametrize("n", [40, 90])
@pytest.mark.parametrize("kind", ["random", "graded"])
def test_routes_agree_and_are_tight(n: int, kind: str) -> None:
    """The Gram route, verified and not, against QR and the SVD, with what each promises."""
    w = named(n)["wide" if kind == "random" else kind]
    plain, proved = dense_spectrum(w), dense_spectrum(w, verified=True)
    truth = torch.linalg.svdvals(w).numpy()
    found = as_spectrum(proved, (w.shape[0], w.shape[1]))
    assert ("Gram" in plain.method) == ("Gram" in proved.method) == (kind == "random")
    np.testing.assert_allclose(plain.singular_values, truth, rtol=1e-9, atol=1e-13 * truth[0])
    slack = 1e-14 * truth[0]
    assert bool((found.upper() >= truth - slack).all())
    assert bool((found.lower() <= truth + slack).all())
    assert found.radius <= 1e-10 * found.spectral_norm
