"""Issue certificates: search for a proposal and sign it together with its inputs."""

from __future__ import annotations

from typing import Any

from majorant.derivation.certificate import sign
from majorant.derivation.errors import UnusableInput
from majorant.numerics.certificates.covering import plan, proposal
from majorant.numerics.certificates.problem import Problem
from majorant.numerics.optimize.covers import COUNTING_KINDS, MATRIX_KINDS

BOUNDS = ("occam", "parameter-count")


def issue(problem: Problem, bound: str = "occam", *, fineness: int | None = None,
          constants: str = "sharp", split: str = "best") -> dict[str, Any]:
    """A signed certificate (plain JSON) of one bound; `proofs.checker.check` gives its value.

    `split="equal"` writes the published allocation instead of C8's. Raises `UnusableInput` for an
    unknown bound.
    """
    if bound not in BOUNDS:
        raise UnusableInput(f"bound {bound!r}: expected one of {', '.join(BOUNDS)}")
    counting = bound == "parameter-count"
    found = plan(problem, fineness=fineness, constants=constants,
                 kinds=COUNTING_KINDS if counting else MATRIX_KINDS,
                 split="equal" if counting else split)
    return sign(problem.inputs(), proposal(problem, found, bound))
