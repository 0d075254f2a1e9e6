"""Issue certificates: search for a proposal and sign it together with its inputs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from majorant.derivation.certificate import sign
from majorant.derivation.errors import UnusableInput
from majorant.numerics.certificates.chaining import prepare_chained
from majorant.numerics.certificates.closed import CHAINING, prepare_closed
from majorant.numerics.certificates.listed import prepare_listed
from majorant.numerics.certificates.prepared import Prepared
from majorant.numerics.certificates.problem import Empirical, Problem

BOUNDS = ("occam", "envelope", "schatten", "published", "norm", "parameter-count")
ALL_BOUNDS = (*BOUNDS, "norm-zhang")  # the last one for comparison with Zhang's lemma


def prepare(problem: Problem, bound: str = "occam", *, fineness: int | None = None,
            constants: str = "sharp", split: str = "best") -> Prepared:
    """Search one bound. `split="equal"` keeps the equal split of the accuracy.

    Raises `UnusableInput` for an unknown bound, and where the bound needs the number of tokens
    and `seq_len` is not given.
    """
    if bound not in ALL_BOUNDS:
        raise UnusableInput(f"bound {bound!r}: expected one of {', '.join(ALL_BOUNDS)}")
    if not any(p.size > 0 for p in problem.trained):
        raise UnusableInput("no trained parameter differs from zero (or from the reference): the "
                            "network does not depend on the sample, so there is no class to cover")
    options: dict[str, Any] = {"fineness": fineness, "constants": constants, "split": split}
    if bound == "envelope":
        return prepare_chained(problem, **options)
    if bound in CHAINING:
        if bound != "schatten" and problem.seq_len is None:
            raise UnusableInput(f"{bound}: its covers count the tokens of the sample; give the "
                                "number of tokens in a sequence (seq_len)")
        return prepare_closed(problem, bound, **options)
    return prepare_listed(problem, bound, **options)


def issue(problem: Problem, bound: str = "occam", **options: Any) -> dict[str, Any]:
    """A signed certificate (plain JSON) of one bound; `proofs.checker.check` gives its value.

    Options are those of `prepare`.
    """
    return certificate_of(prepare(problem, bound, **options))


def certificate_of(found: Prepared) -> dict[str, Any]:
    """The certificate of a searched bound at the problem's own sample size."""
    return sign(found.problem.inputs(), found.proposal(found.problem.n))


def certificate_at(found: Prepared, n: int) -> dict[str, Any]:
    """The certificate at another sample size with no empirical error (for `n*`)."""
    empirical = found.problem.empirical
    clean = Empirical(empirical.margin, 0, empirical.variances)
    return sign(replace(found.problem, n=n, empirical=clean).inputs(), found.proposal(n))
