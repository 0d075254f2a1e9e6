"""No law found by optimization has a larger joint cumulant than A1 allows (k = 2..6)."""

from __future__ import annotations

import pytest

from majorant.derivation.attention.cumulants import cumulant_bound
from majorant.experiments.derivatives import largest_cumulant


@pytest.mark.parametrize(("k", "known"), [(2, 1.0), (3, 1.0), (4, 2.0), (5, 4.086), (6, 16.0)])
def test_no_law_exceeds_the_constants(k: int, known: float, record_property) -> None:  # type: ignore[no-untyped-def]
    bound = float(cumulant_bound(k, "tilted")[1])
    best = max(largest_cumulant(k, atoms) for atoms in (2, 8))
    record_property(f"cumulant {k}", f"found {best:.4f}, bound {bound:.4f}")
    assert best <= bound * (1 + 1e-12)
    assert best >= 0.45 * known  # the search is not asleep
