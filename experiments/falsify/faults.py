"""Planted faults: numbers that a careless author would claim, which the run has to catch."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from majorant.derivation.certificate import sign
from majorant.derivation.generalization import occam_margin
from majorant.derivation.symbols import R_hat, delta, entropy, n, price
from majorant.numerics.lowering.balls import ball_function
from majorant.proofs.checker import Verdict, check


def price_left_out(certificate: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    """Claim the value that G5 gives when the choices made after training cost nothing.

    `caught`: the checker refuses that claim for that reason, and accepts the honest one.
    """
    inputs = certificate["inputs"]
    assert verdict.value is not None
    assert verdict.entropy is not None
    formula = ball_function(occam_margin(), [R_hat, entropy, price, delta, n])
    errors = Fraction(inputs["empirical"]["errors"], inputs["n"])
    free = float(formula(errors, verdict.entropy, 0, Fraction(inputs["delta"]),
                         inputs["n"]).upper())
    true = float(verdict.value.upper()) * (1 + 1e-12)
    parts = (inputs, certificate["proposal"])
    planted = check(sign(*parts, {"upper": free}))
    honest = check(sign(*parts, {"upper": true}))
    return {"claimed": free, "true": true, "refusal": planted.reason,
            "caught": planted.status == "refused" and "price left out" in planted.reason
            and honest.status == "accepted"}


def tenth(value: float, empirical: float) -> float:
    """The bound with a tenth of its complexity term: `R_hat + (value - R_hat) / 10`.

    >>> round(tenth(0.6, 0.1), 3)
    0.15
    """
    return empirical + (value - empirical) / 10
