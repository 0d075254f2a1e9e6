"""Many printed statements in few files: one load of the libraries instead of one for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.kernel.check import check_printed, closing_script, proof_file, run_text
from majorant.proofs.kernel.goal_scripts import cheap_script
from majorant.proofs.kernel.goals import goal_file
from majorant.proofs.kernel.result import KernelResult
from majorant.proofs.kernel.statement import KernelStatement


def check_all(
    statements: Iterable[KernelStatement], budget: float = 120.0
) -> dict[str, KernelResult]:
    """Results by name, as `check_printed` gives one by one; `budget` seconds for each statement.

    Statements of one module are compiled together, and so are those that name no theorem and are
    closed by generated scripts. If the kernel refuses the file, its statements are checked alone,
    so that one refusal never hides in another.
    """
    groups: dict[str, list[KernelStatement]] = {}
    results: dict[str, KernelResult] = {}
    for statement in statements:
        groups.setdefault("" if statement.scripted else statement.module, []).append(statement)
    for module, members in groups.items():
        results.update(_check_group(members, _by_theorem if module else _by_script, budget))
    return results


def _by_theorem(statement: KernelStatement) -> tuple[str, str]:
    script = closing_script(statement)
    return proof_file(statement, script), script


def _by_script(statement: KernelStatement) -> tuple[str, str]:
    script = cheap_script(statement)
    return goal_file(statement, script), script.text


def _check_group(
    members: Sequence[KernelStatement],
    prepare: Callable[[KernelStatement], tuple[str, str]],
    budget: float,
) -> dict[str, KernelResult]:
    found: dict[str, KernelResult] = {}
    fresh: list[tuple[KernelStatement, str, str]] = []
    for statement in members:
        try:
            text, script = prepare(statement)
        except UnsupportedExpression:
            continue  # reported below, alone
        kept = run_text(text, script, budget, only_cached=True)
        if kept is not None and kept.proved:
            found[statement.name] = kept
        else:
            fresh.append((statement, text, script))
    if len(fresh) > 1:
        joined = _joined([text for _, text, _ in fresh], [s.identifier for s, _, _ in fresh])
        joint = run_text(joined, "all together", budget * len(fresh))
        if joint is not None and joint.proved:
            share = joint.seconds / len(fresh)
            for statement, text, script in fresh:
                found[statement.name] = KernelResult(
                    "proved", script, share, "", joint.assumptions, joint.kind, text, joint.cached
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
