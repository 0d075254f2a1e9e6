"""`majorant verify`: all obligations of all shipped lemmas, or of some and what they use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from majorant.derivation.errors import MajorantError
from majorant.derivation.lemma import LEMMAS, Lemma, Obligation
from majorant.proofs.kernel import KernelResult, check_all
from majorant.proofs.kernel.coqc import find_coqc
from majorant.proofs.ledger.discharge import Discharged, discharge, kernel_statement
from majorant.proofs.ledger.shipped import closure, shipped_lemmas

# Seconds for Coq on one statement; the development is compiled once, before.
KERNEL_BUDGET = 120.0


@dataclass(frozen=True)
class Ledger:
    """The outcome for every obligation, in the order of the lemmas' ids."""

    obligations: tuple[Discharged, ...]

    def count(self, status: str) -> int:
        """How many obligations have this status."""
        return sum(item.status == status for item in self.obligations)

    @property
    def exit_code(self) -> int:
        """1 if any obligation is refuted, else 3 if any is undecided, else 0."""
        if self.count("refuted"):
            return 1
        return 3 if self.count("unknown") else 0

    def to_json(self) -> dict[str, Any]:
        """The object of `majorant verify --json`."""
        return {
            "obligations": [item.to_json() for item in self.obligations],
            **{status: self.count(status) for status in ("proved", "refuted", "unknown")},
        }


def selected(ids: Sequence[str]) -> tuple[Lemma, ...]:
    """The lemmas that `ids` name, with all that they use; every lemma without ids.

    An obligation's id selects its lemma. Raises `MajorantError` for an unknown id.

    >>> "C2" in {lemma.id for lemma in selected(["C3"])}
    True
    """
    lemmas = shipped_lemmas()
    if not ids:
        return lemmas
    owners = {o.id: lemma.id for lemma in lemmas for o in lemma.obligations}
    wanted = [owners.get(name, name) for name in ids]
    for name in wanted:
        if name not in LEMMAS:
            raise MajorantError(f"{name!r}: no lemma or obligation has this id; "
                                "`majorant derive --list` prints them")
    return closure(wanted)


def verify(
    ids: Sequence[str] = (), *, kernel: bool = False, budget: float = 20.0,
    progress: Callable[[int, int, str], None] | None = None,
) -> Ledger:
    """Discharge the obligations of the selected lemmas.

    With `kernel`, only obligations that name a theorem of the Coq development, all of them by Coq.

    >>> verify(["U3"], budget=20).exit_code
    0
    """
    work: list[tuple[Lemma, Obligation]] = [
        (lemma, obligation) for lemma in selected(ids) for obligation in lemma.obligations
        if not kernel or obligation.coq is not None]
    named = [o for _, o in work if o.coq is not None]
    proofs: dict[str, KernelResult] = {}
    if kernel or find_coqc() is not None:
        if progress:
            progress(0, len(work), "kernel")
        proofs = check_all((kernel_statement(o) for o in named), KERNEL_BUDGET)
    done: list[Discharged] = []
    for number, (lemma, obligation) in enumerate(work, 1):
        done.append(discharge(lemma, obligation, budget=budget, kernel=proofs.get(obligation.id)))
        if progress:
            progress(number, len(work), obligation.id)
    return Ledger(tuple(done))
