"""Many printed statements in few files: one load of the libraries instead of one for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.kernel.check import check_printed, exact_script, proof_file, run_text
from majorant.proofs.kernel.result import KernelResult
from majorant.proofs.kernel.statement import KernelStatement


def check_all(
    statements: Iterable[KernelStatement], budget: float = 120.0
) -> dict[str, KernelResult]:
    """Results by name, as `check_printed` gives one by one; `budget` seconds for each statement.

    Statements of one module are compiled together. If the kernel refuses the file, its statements
    are checked alone, so that one refusal never hides in another.
    """
    groups: dict[str, list[KernelStatement]] = {}
    results: dict[str, KernelResult] = {}
    for statement in statements:
        groups.setdefault(statement.module, []).append(statement)
    for members in groups.values():
        results.update(_check_module(members, budget))
    return results


def _check_module(members: Sequence[KernelStatement], budget: float) -> dict[str, KernelResult]:
    texts: dict[str, str] = {}
    for statement in members:
        try:
            texts[statement.name] = proof_file(statement, exact_script(statement))
        except UnsupportedExpression:
            continue  # reported below, alone
    found: dict[str, KernelResult] = {}
    for statement in members:
        if statement.name in texts:
            kept = run_text(
                texts[statement.name], exact_script(statement), budget, only_cached=True
            )
            if kept is not None and kept.proved:
                found[statement.name] = kept
    fresh = [s for s in members if s.name in texts and s.name not in found]
    if len(fresh) > 1:
        script = exact_script(fresh[0])
        joint = run_text(
            _joined([texts[s.name] for s in fresh], [s.identifier for s in fresh]),
            script, budget * len(fresh),
        )
        if joint is not None and joint.proved:
            share = joint.seconds / len(fresh)
            for statement in fresh:
                found[statement.name] = KernelResult(
                    "proved", exact_script(statement), share, "", joint.assumptions, joint.kind,
                    texts[statement.name], joint.cached,
                )
    for statement in members:
        if statement.name not in found:
            found[statement.name] = check_printed(statement, budget)
    return found


def _joined(texts: Sequence[str], names: Sequence[str]) -> str:
    """One file: the common header once, the theorems of each, the axioms of all at the end."""
    header = texts[0].split("\n\n", 1)[0]
    bodies = []
    for text, name in zip(texts, names, strict=True):
        bodies.append(text.split("\n\n", 1)[1].replace(f"Print Assumptions {name}.\n", ""))
    together = f"Definition all_printed := ({', '.join(names)}).\nPrint Assumptions all_printed.\n"
    return "\n\n".join([header, *bodies, together])
