"""Proxies, leading factors and sensitivities as `Bound` objects: never called bounds."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.bound import BOUNDS, Bound
from majorant.derivation.comparison import (
    envelope_contribution,
    envelope_factor,
    published_factor,
    published_over_schatten,
    schatten_contribution,
    schatten_factor,
)
from majorant.derivation.functions import OutputDistance
from majorant.derivation.published import (
    alpha_after,
    grid_resolution,
    norm_proxy,
    published_contribution,
    published_sensitivity,
    spectrum_proxy,
)
from majorant.derivation.published.sensitivity import ROLES
from majorant.derivation.symbols import eps
from majorant.derivation.theorems.ratio import leading_ratio_closed, term_ratio
from majorant.derivation.theorems.sensitivities import normalized_sensitivity, sensitivity_lemmas

_PAPER = "Sakai, Imaizumi 2026 (arXiv 2605.07297); docs/theory 4.2"
_OURS = "majorant, docs/theory 4.4"
_NOISE = (
    "Singular values of products must come from their factors: the round-off of a dense "
    "decomposition dominates at small p > 0 (docs/theory 4.3)."
)


def _proxy(
    name: str,
    title: str,
    expression: sp.Expr,
    source: str,
    lemmas: tuple[str, ...] = (),
    notes: str = "",
) -> Bound:
    return BOUNDS.add(
        Bound(
            name=name,
            title=title,
            expression=expression,
            lemmas=lemmas,
            status="proxy",
            source=source,
            notes=notes,
        )
    )


B_SPECTRUM = _proxy(
    "B_spectrum", "The published spectrum-adaptive proxy", spectrum_proxy(), _PAPER, notes=_NOISE
)
B_NORM = _proxy("B_norm", "The published norm-based proxy", norm_proxy(), _PAPER)
ALPHA = _proxy("alpha", "Published Lipschitz constant after block l", alpha_after(), _PAPER)
for _constants in ("series", "sharp"):
    _proxy(
        f"alpha-{_constants}",
        f"Lipschitz constant after block l, {_constants} head constant",
        alpha_after(constants=_constants),
        "majorant, docs/theory A2, A3",
        ("A3.series" if _constants == "series" else "A3", "B.ff"),
    )
    _proxy(
        f"B_norm-{_constants}",
        f"Norm-based proxy, {_constants} head constant",
        norm_proxy(_constants),
        _PAPER,
        ("A3.series" if _constants == "series" else "A3", "B.ff"),
    )
GRID = _proxy("grid_m", "Resolution of the grid of Schatten indices", grid_resolution(), _PAPER)
PUBLISHED_CONTRIBUTION = _proxy(
    "published_contribution",
    "Published contribution of one matrix",
    published_contribution(),
    _PAPER,
    notes="Not monotone in p: the best index depends on the spectrum.",
)
SCHATTEN_CONTRIBUTION = _proxy(
    "schatten_contribution",
    "Leading factor of the Schatten bound for one matrix",
    schatten_contribution(),
    _OURS,
    ("D1", "D2"),
)
ENVELOPE_CONTRIBUTION = _proxy(
    "envelope_contribution",
    "Leading factor of the envelope bound for one matrix",
    envelope_contribution(),
    _OURS,
    ("D3",),
)
PUBLISHED_FACTOR = _proxy(
    "published_factor", "Published leading factor over all matrices", published_factor(), _PAPER
)
SCHATTEN_FACTOR = _proxy(
    "schatten_factor",
    "Schatten leading factor over all matrices",
    schatten_factor(),
    _OURS,
    ("D1", "D2"),
    notes="Never above published_factor on a grid that contains p = 0 (D2).",
)
ENVELOPE_FACTOR = _proxy(
    "envelope_factor",
    "Envelope leading factor over all matrices",
    envelope_factor(),
    _OURS,
    ("D3",),
    notes="No index at all; read at c = 1/4, the upper end of the entropy integral.",
)
RATIO = _proxy(
    "published_over_schatten",
    "Ratio published/ours: the published contribution over the Schatten contribution",
    published_over_schatten(),
    _OURS,
    ("D1",),
    notes="(N / c_new)^{p/(p+2)}: above 1 exactly when the Schatten contribution is below N.",
)
RATIO_WITH_CONSTANTS = _proxy(
    "published_term_over_schatten_term",
    "Ratio published/ours: one square matrix in both theorems, constants kept, logarithms as 1",
    leading_ratio_closed(),
    _OURS,
    ("C6", "C4p", "G4", "G2.textbook", "G2"),
    notes="All constants are kept; only the two logarithms are set to 1. "
    "published_over_schatten_in_full has them too.",
)
RATIO_IN_FULL = _proxy(
    "published_over_schatten_in_full",
    "Ratio published/ours: the terms of one matrix in both theorems, nothing left out",
    term_ratio(),
    _OURS,
    ("C6", "C4p", "G4", "G2.textbook", "G2"),
    notes="A quotient of two bounds, not of two errors: nothing is left out of either.",
)

for _role in ROLES:
    _proxy(
        f"published-kappa-{_role}",
        f"Published gamma * alpha * L of {_role}",
        published_sensitivity(_role),
        _PAPER,
    )
    BOUNDS.add(
        Bound(
            name=f"kappa-{_role}",
            title=f"Movement of the output when {_role} of block l moves by eps (normalized)",
            expression=normalized_sensitivity(_role) * eps,
            lemmas=sensitivity_lemmas("normalized"),
            lhs=OutputDistance(),
            assumptions=(
                "Rows lie in the unit ball; phi(0) = 0; both matrices obey the norm bounds. "
                "Multiply by the Lipschitz constant of the read-out.",
            ),
            source="majorant, docs/theory A3-A5",
        )
    )
