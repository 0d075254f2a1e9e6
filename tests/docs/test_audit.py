"""The worked audit in the documentation: every claim has the verdict that the page reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from majorant.proofs.check import check_text
from majorant.proofs.claims import read_claims

TABLES = read_claims(Path(__file__).parents[2] / "docs" / "examples" / "audit.toml")


@pytest.mark.parametrize("table", TABLES, ids=lambda t: str(t["name"])[:60])
def test_claim_of_the_audit(table: dict[str, object]) -> None:
    given = table.get("given", [])
    assert isinstance(given, list)
    verdict = check_text(str(table["claim"]), given, budget_s=20)
    assert verdict.status == table.get("expect", "proved"), verdict.reason
