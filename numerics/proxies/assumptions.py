"""The status of the assumption that the theory of the proxies makes: spectral norms at most 1."""

from __future__ import annotations

from dataclasses import dataclass

from majorant.numerics.spectra import SpectrumSet


@dataclass(frozen=True)
class AssumptionReport:
    """Spectral norm of every matrix, which exceed 1, and what follows.

    `norms` maps names to norms; `above` are the names whose norm exceeds 1, largest first.
    """

    norms: dict[str, float]
    above: tuple[str, ...]
    consequence: str


def assumption_report(spectra: SpectrumSet) -> AssumptionReport:
    """Which matrices exceed spectral norm 1, and what that does to the factors.

    >>> from majorant.numerics.spectra import spectra
    >>> report = assumption_report(spectra("demo"))
    >>> len(report.norms), len(report.above) > 100
    (156, True)
    """
    norms = {found.name: found.spectral_norm for found in spectra}
    above = sorted((name for name, norm in norms.items() if norm > 1), key=lambda x: -norms[x])
    if above:
        text = (
            f"{len(above)} of {len(norms)} matrices exceed spectral norm 1, so the products of "
            "block constants grow exponentially with depth. Nothing here assumes that norms are "
            "at most 1: the measured norms enter every factor and every bound.")
    else:
        text = (f"all {len(norms)} matrices have spectral norm at most 1; the measured norms "
                "are used all the same.")
    return AssumptionReport(norms, tuple(above), text)
