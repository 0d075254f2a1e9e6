"""The shipped theorems: composed steps as `Bound` objects, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import sympy as sp

from majorant.derivation.bound import BOUNDS, Bound
from majorant.derivation.errors import UnusableInput
from majorant.derivation.functions import MarginError, Risk
from majorant.derivation.published.head_constant import Constants
from majorant.derivation.theorems.composition import Step
from majorant.derivation.theorems.envelope import envelope_bound, staircase_bound
from majorant.derivation.theorems.norm import norm_bound, zhang_bound
from majorant.derivation.theorems.occam import (
    augmented_bound,
    compressed_bound,
    occam_bound,
    occam_risk_bound,
)
from majorant.derivation.theorems.parameter_count import (
    parameter_count_bound,
    parameter_count_occam,
)
from majorant.derivation.theorems.published import published_bound
from majorant.derivation.theorems.schatten import schatten_bound
from majorant.derivation.theorems.sensitivities import sensitivity_lemmas

Block = Literal["normalized", "faithful"]

_SAMPLE = "n independent training examples; the guarantee holds with probability 1 - delta."
_CLASSES = (
    "kappa_of[a] and the norms behind it are computed from values on the grids that price pays "
    "for, not from measured ones (U3); so is every spectral quantity."
)
_LOSS = "The loss has values in [0, 1] and is Lambda-Lipschitz in the output."
_MARGIN = (
    "The margin is Rho-Lipschitz in the output (1 for two classes, sqrt(2) for logits); a margin "
    "of 0 is an error. The margin error comes from a floating-point forward pass."
)
_REFERENCE = (
    "Reference weights do not depend on the sample; S_of, C_of, k_of, F_of are those of the "
    "difference to them, radii use the reference norm plus that of the difference."
)
_BLOCKS = {
    "normalized": "Block family normalized: rows are projected to the unit ball after each "
    "sublayer, no residuals, no LayerNorm; kappa_of as in kappa-QK, kappa-V, kappa-M_in, "
    "kappa-M_out.",
    "faithful": "Block family faithful: residuals, normalizations, biases, gates; kappa_of and "
    "kappa_vec_of from the calculus of sensitivities (A4, A5), or the normalized family's.",
}

_RISK: dict[str, tuple[Callable[[], Step], str]] = {
    "published": (published_bound, "The published spectrum-adaptive bound, constants kept"),
    "schatten": (schatten_bound, "Schatten bound by envelopes, with chaining on a tree"),
    "envelope": (envelope_bound, "Envelope bound: no index, staircases, free scales"),
    "envelope-staircase": (staircase_bound, "Envelope bound by the volume of staircases"),
    "norm": (norm_bound, "Norm-based bound for Frobenius classes by dual Sudakov"),
    "norm-zhang": (zhang_bound, "Norm-based bound for Frobenius classes by Zhang's lemma"),
    "parameter-count": (parameter_count_bound, "Counting parameters, through Dudley's integral"),
    "occam-risk": (occam_risk_bound, "Risk of a Lipschitz loss by a spectral code"),
    "compressed": (compressed_bound, "Risk of a compressed network by its code"),
}
_ERROR: dict[str, tuple[Callable[[], Step], str]] = {
    "occam": (occam_bound, "Classification error by a spectral code"),
    "occam-augmented": (augmented_bound, "Spectral code with real LayerNorm variances"),
    "parameter-count-occam": (parameter_count_occam, "Counting parameters inside a code"),
}
_SOURCES = {
    "published": "Sakai, Imaizumi 2026 (arXiv 2605.07297); constants: docs/theory",
    "norm": "in the manner of Edelman, Goel, Kakade, Zhang 2022 (arXiv 2110.10090)",
    "norm-zhang": "Edelman, Goel, Kakade, Zhang 2022 (arXiv 2110.10090); Zhang 2002",
    "compressed": "in the manner of Arora et al. 2018 and Lotfi et al. 2024",
}

_COVERS = (
    "C4 at its best threshold is C3 at each rank. Certificates may cover a matrix by C1, C3 or "
    "C4s (sharper, internal: `majorant derive envelope-staircase`); their ledger says which."
)
_NOTES = {
    "envelope": _COVERS,
    "occam": _COVERS,
    "occam-augmented": _COVERS,
    "envelope-staircase": "Scales, thresholds, cuts and radii are free: for a fixed class the "
    "least value is one number. This is what certificates of `envelope` evaluate.",
}

THEOREMS = (*_RISK, *_ERROR)


def theorem(
    name: str,
    block: Block = "faithful",
    constants: Constants = "sharp",
    reference: bool = False,
) -> Bound:
    """The theorem called `name` for one block family, with the lemmas behind its sensitivities.

    The formula is the same for both families: they differ in `kappa_of`. With `reference` all
    covers are taken around fixed weights (C9). Raises `UnusableInput` for another name.

    >>> theorem("occam", "normalized").lhs
    MarginError(0)
    """
    table = _ERROR if name in _ERROR else _RISK
    if name not in table:
        raise UnusableInput(f"{name!r}: expected one of {', '.join(THEOREMS)}")
    build, title = table[name]
    step = build()
    compressed = name == "compressed"
    lemmas = step.lemmas if compressed else (*step.lemmas, *sensitivity_lemmas(block, constants))
    assumptions: tuple[str, ...] = (_SAMPLE, _MARGIN if name in _ERROR else _LOSS)
    if not compressed:
        assumptions += (_CLASSES, _BLOCKS[block])
    if reference:
        lemmas = (*lemmas, "C9")
        assumptions += (_REFERENCE,)
    return Bound(
        name=name,
        title=title,
        expression=step.expression,
        hypotheses=step.hypotheses,
        lemmas=tuple(dict.fromkeys(lemmas)),
        factors=step.factors,
        assumptions=assumptions,
        lhs=MarginError(sp.S.Zero) if name in _ERROR else Risk(),
        source=_SOURCES.get(name, "majorant, docs/theory"),
        notes=_NOTES.get(name, ""),
    )


def _register() -> None:
    for name in THEOREMS:
        BOUNDS.add(theorem(name))
    tree = published_bound("internal")
    improved = replace(
        theorem("published"),
        name="published-tree",
        title="The published bound with chaining on a tree and internal covers",
        expression=tree.expression,
        factors=tree.factors,
        lemmas=(*tree.lemmas, *sensitivity_lemmas("faithful")),
    )
    BOUNDS.add(improved)


_register()
