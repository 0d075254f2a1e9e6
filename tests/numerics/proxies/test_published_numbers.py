"""Parity with the numbers that the authors' published formulas give on the demo model.

Computed once by the published procedure: dense float64 SVDs of each N x N product.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints import resolve
from majorant.numerics.proxies import (
    assumption_report,
    grid_choices,
    leading_factors,
    log_alphas,
    log_contributions,
    log_sensitivities,
    published_proxies,
)
from majorant.numerics.proxies.grid import grid
from majorant.numerics.spectra import SpectrumSet, spectra

PUBLISHED = {
    "demo": {"B_spectrum": 20573.029732297553, "B_norm": 6.853679052618954e28,
             "alpha": 2.8291486812142265e22},
    "scaled": {"B_spectrum": 20323.189995482182, "B_norm": 10750283.348102126,
               "alpha": 2310.512614657317},
}
COUNTS = {
    "demo": {"M_in": {0: 6}, "M_out": {0: 6}, "QK": {0: 72}, "V": {0: 72}},
    "scaled": {"M_in": {0: 6}, "M_out": {0: 6}, "V": {0: 72},
               "QK": {0: 60, 0.833333: 1, 1.25: 1, 2: 10}},
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SpectrumSet]:
    """The demo model, and the same with every 2-D parameter of its layers times 0.2 (float32)."""
    folder = resolve("demo").folder
    scaled = tmp_path_factory.mktemp("scaled")
    tensors = load_file(folder / "model.safetensors")
    for name, value in tensors.items():
        if "encoder.layer" in name and value.ndim == 2:
            tensors[name] = value * 0.2
    save_file(tensors, scaled / "model.safetensors")
    (scaled / "config.json").write_text(Path(folder / "config.json").read_text())
    return {"demo": spectra("demo"), "scaled": spectra(scaled)}


@pytest.mark.parametrize("name", ["demo", "scaled"])
def test_proxies_agree_with_the_published_numbers(
    models: dict[str, SpectrumSet], name: str
) -> None:
    found = published_proxies(models[name])
    expected = PUBLISHED[name]
    assert found.resolution == 12
    assert math.exp(found.log_spectrum) == pytest.approx(expected["B_spectrum"], rel=1e-9)
    assert math.exp(found.log_norm) == pytest.approx(expected["B_norm"], rel=1e-9)
    assert math.exp(log_alphas(models[name])[0]) == pytest.approx(expected["alpha"], rel=1e-9)


@pytest.mark.parametrize("name", ["demo", "scaled"])
def test_the_same_indices_are_chosen(models: dict[str, SpectrumSet], name: str) -> None:
    chosen = grid_choices(models[name], log_sensitivities(models[name]), 12)
    counts: dict[str, Counter[float]] = {}
    for choice, spectrum in zip(chosen, models[name], strict=True):
        counts.setdefault(spectrum.role, Counter())[round(choice.index, 6)] += 1
    assert counts == COUNTS[name]


def test_round_off_noise_explains_the_difference_at_small_index(
    models: dict[str, SpectrumSet],
) -> None:
    """The dense route counts round-off as singular values; the factors do not (theory 4.3)."""
    demo = models["demo"]
    exact = demo["blocks.0.heads.0.QK"].singular_values
    rng = np.random.default_rng(0)
    basis = [np.linalg.qr(rng.standard_normal((384, 384)))[0] for _ in range(2)]
    dense_matrix = basis[0][:, : len(exact)] * exact @ basis[1][:, : len(exact)].T
    dense = np.linalg.svd(dense_matrix, compute_uv=False)
    values = torch.from_numpy(np.stack([np.pad(exact, (0, 384 - len(exact))), dense]))
    logs = log_contributions(values, torch.zeros(2, dtype=torch.float64), 384, grid(12))
    curves = logs.exp().numpy()
    assert dense[len(exact)] < 1e-12, "the extra values are round-off"
    # Where round-off does not matter (index 1 and above) both agree.
    np.testing.assert_allclose(curves[0, 12:], curves[1, 12:], rtol=1e-9)
    # At the smallest positive index the dense curve is too high by more than half, and at 0 it
    # counts all 384 values.
    assert curves[1, 1] > 1.2 * curves[0, 1]
    assert curves[1, 0] == pytest.approx(384.0)
    assert curves[0, 0] == pytest.approx(math.sqrt(384 * len(exact)))


def test_envelope_is_below_schatten_and_schatten_below_published(
    models: dict[str, SpectrumSet],
) -> None:
    for found in models.values():
        for constants in ("crude", "series", "sharp"):
            factors = leading_factors(found, log_sensitivities(found, constants), 12)
            assert factors.envelope <= factors.schatten <= factors.published + 1e-12


def test_sharper_constants_never_raise_a_sensitivity(models: dict[str, SpectrumSet]) -> None:
    demo = models["demo"]
    crude, series, sharp = (log_sensitivities(demo, c) for c in ("crude", "series", "sharp"))
    assert bool((sharp <= series).all()) and bool((series <= crude).all())
    assert bool((sharp < crude).any())


def test_norms_above_one_are_reported(models: dict[str, SpectrumSet]) -> None:
    report = assumption_report(models["demo"])
    assert len(report.above) == sum(norm > 1 for norm in report.norms.values()) == 150
    assert "exceed spectral norm 1" in report.consequence


def test_proxies_of_other_blocks_are_refused_with_the_reason(tmp_path: Path) -> None:
    from transformers import LlamaConfig, LlamaModel

    torch.manual_seed(0)
    config = LlamaConfig(hidden_size=16, intermediate_size=24, num_hidden_layers=1,
                         num_attention_heads=4, num_key_value_heads=2, vocab_size=32)
    LlamaModel(config).save_pretrained(tmp_path)
    with pytest.raises(UnusableInput, match="plain blocks"):
        published_proxies(spectra(tmp_path))


def test_ninety_six_blocks_stay_finite() -> None:
    """Block constants of 1e4 over 96 blocks leave float64; the logarithm does not."""
    from majorant.derivation.published.alpha import alpha_after
    from majorant.derivation.symbols import C_in_of, C_out_of, C_Q_of, C_V_of, H, L, L_phi, l
    from majorant.numerics.lowering import log_form, torch_kernel

    kernel = torch_kernel(log_form(alpha_after(l, "crude")),
                          [C_Q_of, C_V_of, C_in_of, C_out_of, L, H, L_phi, l])
    ones = torch.ones(96, dtype=torch.float64)
    heads = torch.ones(96, 1, dtype=torch.float64)
    value = kernel(heads, heads * 1e4 / 5, ones, ones, 96, 1, 1.0, 1)
    assert float(value) == pytest.approx(95 * math.log(1e4), rel=1e-12)
