"""The project's own suite: true claims are proved, their false twins refuted, nothing is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from majorant.proofs.claims import Claim, parse_claim, read_claims
from majorant.proofs.provers import decide

FILE = Path(__file__).parent.parent / "data" / "claims.toml"
CLAIMS = read_claims(FILE)
BUDGET = 30.0


def twin(table: dict[str, object]) -> Claim:
    given = table.get("twin_given", table["given"])
    assert isinstance(given, str | list)
    return parse_claim(str(table["twin"]), given)


def test_the_suite_is_large_and_every_claim_has_a_twin() -> None:
    assert len(CLAIMS) >= 100
    for table in CLAIMS:
        original = parse_claim(table["claim"], table["given"])
        assert str(original) != str(twin(table)), table["claim"]


@pytest.mark.slow
@pytest.mark.parametrize("table", CLAIMS, ids=[t["claim"] for t in CLAIMS])
def test_true_claims_are_proved(table: dict[str, object]) -> None:
    given = table["given"]
    assert isinstance(given, list)
    verdict = decide(parse_claim(str(table["claim"]), given), BUDGET)
    assert verdict.status != "refuted", verdict.witness
    assert verdict.status == "proved", verdict.reason
    assert verdict.by and verdict.certificate


@pytest.mark.slow
@pytest.mark.parametrize("table", CLAIMS, ids=[str(t["twin"]) for t in CLAIMS])
def test_false_twins_are_refuted(table: dict[str, object]) -> None:
    verdict = decide(twin(table), BUDGET)
    assert verdict.status != "proved", verdict.certificate
    assert verdict.status == "refuted", verdict.reason
    assert verdict.witness is not None and verdict.witness.point is not None
