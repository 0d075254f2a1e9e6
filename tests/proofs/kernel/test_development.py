"""The development compiles, its axioms are allowed, and the cache is keyed by content."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from majorant.proofs.kernel import coqc, development
from majorant.proofs.kernel.assumptions import classify, parse_assumptions
from majorant.proofs.kernel.check import HEADER, run_text
from majorant.proofs.kernel.development import Compiled, build_order, sources


@pytest.mark.slow
def test_every_module_compiles(development: Compiled) -> None:
    assert development.failed == {}
    assert development.modules == set(sources())


def test_no_axiom_and_no_gap_in_the_sources() -> None:
    for name, text in sources().items():
        code = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
        assert not re.search(r"\b(Admitted|Axiom|Parameter|Conjecture|admit|give_up)\b", code), name


def test_statements_know_definitions_only() -> None:
    for name in ("Statements", "NetworkStatements"):
        assert development_dependencies(name) == ("Definitions",)


def development_dependencies(name: str) -> tuple[str, ...]:
    return development.dependencies(sources()[name])


def test_modules_are_ordered_by_what_they_require() -> None:
    texts = sources()
    order = build_order(texts)
    for name, text in texts.items():
        for needed in development.dependencies(text):
            assert order.index(needed) < order.index(name)


def test_key_changes_with_any_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in sources().items():
        (tmp_path / f"{name}.v").write_text(text)
    monkeypatch.setattr(development, "SOURCES", tmp_path)
    monkeypatch.setattr(development, "coq_version", lambda path: "some version")
    before = development.development_key("coqc")
    assert before == development.development_key("coqc")
    file = tmp_path / "Sums.v"
    file.write_text(file.read_text() + "\n(* changed *)\n")
    assert development.development_key("coqc") != before


def test_cache_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from majorant.proofs.kernel.cache import cache_root

    monkeypatch.setenv("MAJORANT_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    package = Path(coqc.__file__).resolve().parents[2]
    monkeypatch.delenv("MAJORANT_CACHE")
    assert not cache_root().resolve().is_relative_to(package)


def test_parse_assumptions_reads_types_on_the_next_line() -> None:
    output = (
        "Axioms:\nClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}\n"
        "ClassicalDedekindReals.sig_forall_dec\n  : forall P : nat -> Prop,\n    True\n"
        "Somewhere.choice : False\n"
    )
    names = parse_assumptions(output)
    assert names == (
        "ClassicalDedekindReals.sig_not_dec",
        "ClassicalDedekindReals.sig_forall_dec",
        "Somewhere.choice",
    )
    assert classify(names) == ("kernel (primitive arithmetic)", ("Somewhere.choice",))


def test_primitive_arithmetic_is_labelled() -> None:
    names = ("Classical_Prop.classic", "PrimFloat.add", "Uint63.add_spec", "float")
    kind, refused = classify(names)
    assert kind == "kernel (primitive arithmetic)"
    assert refused == ()


@pytest.mark.slow
def test_an_axiom_that_is_not_allowed_is_refused(development: Compiled) -> None:
    text = HEADER.format(requires="") + (
        "\nAxiom cheat : forall x : R, x <= 0.\n"
        "Theorem one : 1 <= 0.\nProof. exact (cheat 1). Qed.\nPrint Assumptions one.\n"
    )
    result = run_text(text, "exact cheat.", 100.0)
    assert result is not None
    assert result.status == "unknown"
    assert "not allowed: cheat" in result.reason
