"""Proxies, leading factors, chosen indices and the assumption report of one model, as data."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from majorant.derivation.published.head_constant import Constants
from majorant.numerics.proxies import (
    assumption_report,
    factor_log_sensitivities,
    grid_choices,
    leading_factors,
    log_alphas,
    published_proxies,
    reason_without,
)
from majorant.numerics.proxies.gated import ROLES as GATED_ROLES
from majorant.numerics.proxies.gated import gated_activation
from majorant.numerics.proxies.proxies import resolution
from majorant.numerics.spectra import SpectrumSet

CONSTANTS: tuple[Constants, ...] = ("crude", "series", "sharp")
PROXY_NOTE = ("Proxies and leading factors are not bounds: constants, logarithms and 1/sqrt(n) are "
              "left out. They compare shapes; the bounds are listed apart.")


ZERO_NOTE = ("A factor of 0: every matrix is zero, or what follows it is, so nothing depends on "
             "the weights.")


GATED_NOTE = (
    "This model's blocks have rotary heads and gates, for which no sensitivities were published: "
    "its leading factors take those of the network calculus (A3-A5), for the twin without "
    "residuals, normalizations and biases, with the activation {activation}. Compare them with "
    "other such models only.")


def _plain(spectra: SpectrumSet) -> bool:
    return {found.role for found in spectra} == {"QK", "V", "M_in", "M_out"}


def _gated(spectra: SpectrumSet) -> bool:
    return {found.role for found in spectra} == GATED_ROLES


def _number(log: float) -> dict[str, float | None]:
    value = math.exp(log) if log < 700 else None
    return {"value": value, "log10": log / math.log(10)}


def _proxies(spectra: SpectrumSet, constants: Constants) -> dict[str, Any]:
    found = published_proxies(spectra, constants)
    spectrum, norm = _number(found.log_spectrum), _number(found.log_norm)
    return {"B_spectrum": spectrum["value"], "B_spectrum_log10": spectrum["log10"],
            "B_norm": norm["value"], "B_norm_log10": norm["log10"], "grid_m": found.resolution}


def factor_report(spectra: SpectrumSet) -> dict[str, Any]:
    """Everything that needs no sample size, JSON-able; numbers have `log10` twins.

    Keys: `architecture`, `matrices`, `proxies` (or None with `proxies_reason`), `factors` (for
    the crude constant), `factors_by_constants`, `chosen` (per matrix), `chosen_counts`, `norms`.
    """
    sizes = spectra.origin.dimensions
    norms = assumption_report(spectra)
    report: dict[str, Any] = {
        "architecture": {
            "family": spectra.origin.family, "layers": sizes.layers, "width": sizes.width,
            "heads": sizes.heads, "ff_width": sizes.ff_width},
        "checkpoint": spectra.origin.label,
        "matrices": len(spectra),
        "norms": {"above_one": len(norms.above), "largest": [
            {"name": name, "norm": norms.norms[name]} for name in norms.above[:5]],
            "consequence": norms.consequence, "all": norms.norms},
        "note": PROXY_NOTE,
    }
    why = reason_without(spectra)
    report["proxies"] = None
    report["proxies_reason"] = why
    if why is None:
        proxies = {constants: _proxies(spectra, constants) for constants in CONSTANTS}
        report["proxies"] = proxies["crude"]
    if not (_plain(spectra) or _gated(spectra)):
        report["factors"] = None
        report["factors_reason"] = ("the leading factors are defined for plain and for rotary, "
                                    "gated blocks; this model has "
                                    + ", ".join(sorted({found.role for found in spectra})))
        return report
    if _gated(spectra):
        report["factors_note"] = GATED_NOTE.format(activation=gated_activation(spectra))
    steps = resolution(spectra)
    by_constants: dict[str, Any] = {}
    for constants in CONSTANTS:
        log_kappa = factor_log_sensitivities(spectra, constants)
        factors = leading_factors(spectra, log_kappa, steps)
        by_constants[constants] = {
            name: _number(getattr(factors, name)) for name in ("published", "schatten", "envelope")}
        if why is None:
            by_constants[constants].update(proxies[constants])
        if _plain(spectra):
            by_constants[constants]["alpha_first_log10"] = float(
                log_alphas(spectra, constants)[0]) / math.log(10)
    report["factors"] = {name: by_constants["crude"][name]["value"]
                         for name in ("published", "schatten", "envelope")}
    report["factors"].update({f"{name}_log10": by_constants["crude"][name]["log10"]
                              for name in ("published", "schatten", "envelope")})
    report["factors_by_constants"] = by_constants
    choices = grid_choices(spectra, factor_log_sensitivities(spectra), steps)
    report["chosen"] = [
        {"name": c.name, "role": s.role, "p": c.index,
         "log10_contribution": c.log_contribution / math.log(10)}
        for c, s in zip(choices, spectra, strict=True)]
    counts: dict[str, Counter[float]] = {}
    for choice, found_ in zip(choices, spectra, strict=True):
        counts.setdefault(found_.role, Counter())[choice.index] += 1
    report["chosen_counts"] = {role: {f"{index:g}": count for index, count in sorted(c.items())}
                               for role, c in counts.items()}
    return report
