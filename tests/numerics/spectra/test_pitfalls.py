"""Faults of other tools' spectra, as claims about ours."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.spectra import (
    Spectrum,
    SpectrumCheckFailed,
    dense_spectrum,
    factored_spectra,
    spectra,
)


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_weightwatcher_51_a_product_of_rank_20_has_20_singular_values() -> None:
    a, b = normal(1, 90, 20), normal(1, 70, 20, seed=1)
    for verified in (False, True):
        found = factored_spectra(a, b, verified=verified)[0]
        assert len(found.singular_values) == 20
        assert bool((found.singular_values > 1).all())
    # Columns that are zero in one factor lower the rank exactly.
    a[..., 3:7] = 0
    b[..., 15:] = 0
    assert len(factored_spectra(a, b)[0].singular_values) == 20 - 4 - 5


def test_measured_dense_svd_of_a_product_reports_round_off_as_spectrum() -> None:
    """Theory 4.3: at p = 1/24, 704 values of size 1e-14 count for more than the spectrum."""
    a, b = normal(1, 768, 64) / 28, normal(1, 768, 64, seed=1) / 28
    dense = torch.linalg.svdvals((a @ b.mT)[0]).numpy()
    exact = factored_spectra(a, b)[0].singular_values
    np.testing.assert_allclose(dense[:64], exact, rtol=1e-12)
    p = 1 / 24
    noise = float((dense[64:] ** p).sum())
    assert len(dense) == 768
    assert noise > 2 * float((exact**p).sum())


def test_weightwatcher_302_all_values_are_computed_never_a_truncation() -> None:
    w = normal(60, 90)
    for verified in (False, True):
        assert len(dense_spectrum(w, verified=verified).singular_values) == 60


@pytest.mark.parametrize("verified", [False, True])
@pytest.mark.parametrize(
    "w",
    [
        normal(1, 7),
        normal(7, 1),
        normal(1, 1),
        torch.zeros(4, 5, dtype=torch.float64),
        torch.zeros(1, 1, dtype=torch.float64),
        torch.outer(normal(6), normal(4, seed=1)),
        torch.eye(50, dtype=torch.float64),
        torch.cat([normal(40, 50), torch.zeros(5, 50, dtype=torch.float64)]),
        normal(45, 45) @ torch.diag(10.0 ** -torch.arange(45, dtype=torch.float64) / 3),
    ],
    ids=["row", "column", "entry", "zeros", "zero", "rank1", "identity", "zero-rows", "graded"],
)
def test_weightwatcher_128_190_edge_shapes(w: torch.Tensor, verified: bool) -> None:
    found = dense_spectrum(w, verified=verified)
    truth = torch.linalg.svdvals(w).numpy()
    got = np.zeros(len(truth))
    got[: len(found.singular_values)] = found.singular_values
    np.testing.assert_allclose(got, truth, rtol=1e-9, atol=1e-13 * max(truth[0], 1e-300))
    assert found.frobenius == pytest.approx(float(w.norm()), rel=1e-14)
    assert found.norm_21 == pytest.approx(float(w.norm(dim=0).sum()), rel=1e-14)


def test_galore_4_7_never_more_than_the_economy_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary-size matrix: no array with both sides as long as the longer one."""
    largest = 0

    def watch(library: Any, name: str) -> None:
        routine = getattr(library, name)

        def watched(x: Any, *args: Any, **kw: Any) -> Any:
            nonlocal largest
            assert not kw.get("full_matrices", False)
            out = routine(x, *args, **kw)
            for part in out if isinstance(out, tuple) else (out,):
                largest = max(largest, math.prod(part.shape))
            return out

        monkeypatch.setattr(library, name, watched)

    for name in ("qr", "svd", "svdvals", "eigh", "eigvalsh"):
        watch(torch.linalg, name)
    for name in ("eigh", "eigvalsh"):
        watch(np.linalg, name)
    w = normal(20_000, 40)
    w[:, 1] = w[:, 0] * (1 + 1e-9)  # badly conditioned: the Gram route does not serve
    for verified in (False, True):
        assert len(dense_spectrum(w, verified=verified).singular_values) == 40
    assert 0 < largest <= w.numel()


def test_pytorch_190509_workspaces_beyond_32_bits_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from majorant.numerics.spectra import dense

    monkeypatch.setattr(dense, "_SVD_LIMIT", 40)
    monkeypatch.setattr(dense, "_EIGH_LIMIT", 80)
    good = normal(60, 90)
    assert "Gram" in dense_spectrum(good).method  # another route serves
    assert "Gram" in dense_spectrum(good, verified=True).method
    bad = torch.outer(normal(60), normal(90))
    for verified in (False, True):
        with pytest.raises(UnusableInput, match="32 bits"):
            dense_spectrum(bad, verified=verified)
    with pytest.raises(UnusableInput, match="32 bits"):
        dense_spectrum(normal(90, 100), verified=True)


def test_numpy_19410_zeros_from_the_library_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = lambda x, *_, **__: torch.zeros(min(x.shape[-2:]), dtype=x.dtype)  # noqa: E731
    monkeypatch.setattr(torch.linalg, "svdvals", zeros)
    with pytest.raises(SpectrumCheckFailed, match="squared singular values"):
        dense_spectrum(normal(20, 30))
    monkeypatch.setattr(torch.linalg, "svdvals", lambda x: torch.zeros(x.shape[:-1], dtype=x.dtype))
    with pytest.raises(SpectrumCheckFailed, match="squared singular values"):
        factored_spectra(normal(2, 20, 3), normal(2, 30, 3))
    monkeypatch.undo()
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda x: np.ones(len(x)))
    with pytest.raises(SpectrumCheckFailed, match="squared singular values"):
        dense_spectrum(normal(50, 60))


def test_wrong_vectors_from_the_library_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    true = torch.linalg.qr

    def skewed(x: torch.Tensor, **kw: object) -> object:
        q, r = true(x)
        q = q.clone()
        q[..., 0] = q[..., 1]
        return q, r

    monkeypatch.setattr(torch.linalg, "qr", skewed)
    with pytest.raises(SpectrumCheckFailed, match="not orthogonal"):
        factored_spectra(normal(1, 20, 3), normal(1, 30, 3), verified=True)


def test_slightly_wrong_factors_only_cost_radius(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of 1e-11 in R, which the sum of squares lets pass, is inside the radius."""
    a, b = normal(1, 20, 3), normal(1, 30, 3, seed=1)
    truth = factored_spectra(a, b)[0].singular_values
    true = torch.linalg.qr

    def off(x: torch.Tensor, **kw: object) -> object:
        q, r = true(x)
        return q, r * (1 + 1e-11)

    monkeypatch.setattr(torch.linalg, "qr", off)
    c = factored_spectra(a, b, verified=True)[0]
    s = Spectrum("x", 0, 0, "QK", (20, 30), c.singular_values, c.frobenius, c.norm_21, "", (),
                 True, c.relative, c.absolute)  # fmt: skip
    assert bool((s.lower() <= truth).all())
    assert bool((s.upper() >= truth).all())
    assert 1e-11 < s.radius / s.spectral_norm < 1e-9


def test_an_unverified_spectrum_has_no_ends() -> None:
    found = spectra("demo")["blocks.0.heads.0.QK"]
    assert np.isnan(found.radius)
    for ask in (found.upper, found.lower, found.smallest):
        with pytest.raises(ValueError, match="not verified"):
            ask()
