"""Agreement with the numbers of a published reference run on the demo model."""

import csv
from pathlib import Path

import numpy as np
import pytest

from majorant.numerics.spectra import SpectrumSet, spectra

DATA = Path(__file__).parents[2] / "data" / "minilm_spectra.csv"


@pytest.fixture(scope="module")
def demo() -> SpectrumSet:
    return spectra("demo")


def rows() -> list[dict[str, str]]:
    with DATA.open() as handle:
        return list(csv.DictReader(line for line in handle if not line.startswith("#")))


@pytest.mark.parametrize("column", ["spectral_norm", "frobenius", "norm_21"])
def test_sixty_matrices_agree_to_1e_9(demo: SpectrumSet, column: str) -> None:
    assert len(rows()) == 60
    for row in rows():
        ours = getattr(demo[row["name"]], column)
        assert ours == pytest.approx(float(row[column]), rel=1e-9), row["name"]


def test_ranks_agree(demo: SpectrumSet) -> None:
    for row in rows():
        assert demo[row["name"]].rank == int(row["rank"]), row["name"]


def test_all_156_matrices_are_there(demo: SpectrumSet) -> None:
    assert len(demo) == 156
    assert {len(demo.of(role)) for role in ("QK", "V")} == {72}
    assert {len(demo.of(role)) for role in ("M_in", "M_out")} == {6}
    assert demo.origin.bert_like
    assert [round(float(x), 3) for x in demo.spectral_norms("M_out")[0]] == [8.001]


def test_proved_ends_contain_the_published_norms() -> None:
    found = spectra("demo", verified=True)
    for row in rows():
        s = found[row["name"]]
        # The published numbers are float64 SVDs of the dense products: good to a few units.
        slack = 1e-13 * s.spectral_norm
        assert s.lower()[0] - slack <= float(row["spectral_norm"]) <= s.upper()[0] + slack
        assert s.radius <= 1e-10 * s.spectral_norm
        assert np.all(s.lower() > 0)
