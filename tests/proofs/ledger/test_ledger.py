"""The ledger: every obligation of every shipped lemma, and the pages generated from it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from majorant.derivation.errors import MajorantError
from majorant.derivation.lemma import Kind
from majorant.proofs.kernel.coqc import find_coqc
from majorant.proofs.ledger import Ledger, closure, shipped_lemmas, verify
from majorant.proofs.ledger.pages import claims, proof_name, theorem_map
from majorant.proofs.ledger.verify import selected

DOCS = Path(__file__).parents[3] / "docs"


def test_ids_are_unique_and_every_use_exists() -> None:
    lemmas = shipped_lemmas()
    ids = Counter(o.id for lemma in lemmas for o in lemma.obligations)
    assert [name for name, count in ids.items() if count > 1] == []
    for lemma in lemmas:
        assert closure([lemma.id])[-1] is lemma


def test_few_results_are_cited_with_statement_and_reference() -> None:
    cited = [lemma for lemma in shipped_lemmas() if lemma.kind is Kind.CITED]
    assert len(cited) <= 8, [lemma.id for lemma in cited]
    for lemma in cited:
        assert len(lemma.source.statement) > 40, lemma.id
        assert lemma.source.authors, lemma.id


def test_every_lemma_has_an_obligation_a_citation_or_a_reason_for_words_only() -> None:
    for lemma in shipped_lemmas():
        known = (bool(lemma.obligations), lemma.kind is Kind.CITED, bool(lemma.prose))
        assert any(known), lemma.id
        assert not (lemma.obligations and lemma.prose), lemma.id
    assert sum(bool(lemma.prose) for lemma in shipped_lemmas()) <= 3


def test_the_map_names_theorems_and_scripts() -> None:
    named = {proof_name(o) for lemma in shipped_lemmas() for o in lemma.obligations if o.coq}
    assert "`Staircases.U4`" in named
    assert not any("auto" in name for name in named)


def test_an_obligation_selects_its_lemma_and_an_unknown_id_is_refused() -> None:
    names = {lemma.id for lemma in selected(["U3.step"])}
    assert "U3" in names
    with pytest.raises(MajorantError, match="no lemma or obligation"):
        selected(["Z99"])


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """All obligations, once."""
    return verify()


@pytest.mark.slow
@pytest.mark.skipif(find_coqc() is None, reason="needs Coq")
def test_no_obligation_is_refuted_or_open(ledger: Ledger) -> None:
    left = [f"{o.id}: {o.status} {o.reason}" for o in ledger.obligations if o.status != "proved"]
    assert not left, "\n".join(left)


@pytest.mark.slow
@pytest.mark.skipif(find_coqc() is None, reason="needs Coq")
def test_kernel_obligations_are_proved_by_the_kernel(ledger: Ledger) -> None:
    named = {o.id for lemma in shipped_lemmas() for o in lemma.obligations if o.coq}
    assert len(named) > 40
    for item in ledger.obligations:
        if item.id in named:
            assert item.by == "coq", item
            assert item.kind.startswith("kernel"), item


@pytest.mark.slow
@pytest.mark.skipif(find_coqc() is None, reason="needs Coq")
@pytest.mark.parametrize(("page", "text"), [("theorem-map.md", theorem_map), ("claims.md", claims)])
def test_generated_pages_are_not_stale(ledger: Ledger, page: str, text: object) -> None:
    assert callable(text)
    expected = text(shipped_lemmas(), ledger.obligations)
    assert (DOCS / page).read_text(encoding="utf-8") == expected, (
        f"docs/{page} is stale: run `majorant verify --docs docs`")
