"""Two certificates of the fine-tuned classifier: G5 with G7, and G6 for its quantized form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import torch
from torch import Tensor

from majorant.derivation.certificate import number_roles
from majorant.derivation.generalization.occam import compressed_risk
from majorant.derivation.symbols import R_hat, code, delta, n
from majorant.derivation.union_bound import geometric_price
from majorant.experiments.finetune.model import FineTuned, FrozenNorm
from majorant.numerics.certificates import Empirical, Problem, issue
from majorant.numerics.certificates.last_update import paid_delta
from majorant.numerics.certificates.sized import Sized
from majorant.numerics.enclosure import ends
from majorant.numerics.lowering.balls import ball_function
from majorant.numerics.networks.measurement import Measurement
from majorant.proofs.checker import Verdict, check

# The largest code row and the least variance that count as good. The radius is 2^1, a point of the
# grid of ratio 2, and is paid for by its weight (U3); the certificate itself pays for the variance.
CODE_RADIUS = 2.0
VARIANCE = 0.2
# Float64 evaluation of a score whose terms are at most ||w|| times 17, over at most 32 tokens and
# 384 entries, after a division by at least sqrt(VARIANCE): far below this.
ROUNDING = 1e-9
BITS = (2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Measured:
    """Per text of the pool, in float64: margin (signed score), least variance, largest code."""

    margin: Tensor
    variance: Tensor
    code: Tensor

    def out_of_range(self) -> Tensor:
        """Texts with a variance at or below the threshold, or a code row outside the ball."""
        good = (self.variance > VARIANCE + ROUNDING) & (self.code <= CODE_RADIUS - ROUNDING)
        return ~good  # so that a value that is not a number counts as an error

    def bad(self, margin: float) -> Tensor:
        """Texts that are not (margin, v)-good, or whose code row leaves the ball."""
        return self.out_of_range() | ~(self.margin > margin + ROUNDING)


def certify_margins(sized: Sized, measured: Measured, *, failure: str,
                    candidates: int = 36) -> tuple[dict[str, Any], Verdict]:
    """The best G5 with G7 certificate over a range of margins (each paid for), checked.

    `sized` is the trained part of the fine-tuned folder (`last_update`).
    """
    paid = paid_delta(failure, CODE_RADIUS)
    size = len(measured.margin)
    top = float(measured.margin.median().clamp_min(1e-3))
    best: tuple[float, dict[str, Any], Verdict] | None = None
    for step in range(candidates):
        margin = top * 2.0 ** (-step / 3)
        empirical = Empirical(margin=margin, errors=int(measured.bad(margin).sum()),
                              variances={norm_name(sized): VARIANCE})
        certificate = issue(Problem(sized.network, sized.parameters, sized.numbers, size, paid,
                                    empirical), "occam")
        verdict = check(certificate)
        value = float(verdict.value.upper()) if verdict.value is not None else math.inf
        if best is None or value < best[0]:
            best = (value, certificate, verdict)
    assert best is not None
    return best[1], best[2]


def norm_name(sized: Sized) -> str:
    """The one normalization of the trained part."""
    [name] = {role.probe for role in number_roles(sized.network).values() if role.role == "floor"}
    return name


def measurement(certificate: dict[str, Any], measured: Measured, digest: str) -> Measurement:
    """What `--variances` reads, so that the command derives the same bound from the folder."""
    empirical = certificate["inputs"]["empirical"]
    return Measurement(
        n=len(measured.margin), thresholds=empirical["variances"],
        below=int(measured.out_of_range().sum()), margin=empirical["margin"],
        bad=empirical["errors"], checkpoint=digest, radius=CODE_RADIUS,
        arithmetic="frozen part in float32 (a fixed function of the text), trained part in "
        f"float64; values within {ROUNDING:g} of a threshold count as errors")


@dataclass(frozen=True)
class Compressed:
    """The quantized network and the length of its code in nats (an upper bound)."""

    model: FineTuned
    bits: tuple[int, int]
    nats: float


def quantize(model: FineTuned, norm: FrozenNorm, bits: tuple[int, int]) -> Compressed:
    """Uniform levels for `w` (its scale does not matter) and for `V` (its scale is coded).

    The prefix-free code: both bit widths, the exponent of `V`'s scale on a grid of ratio 1.05
    (U3), then every entry with a fixed number of bits.
    """
    def levels(value: Tensor, width: int, top: float) -> Tensor:
        half = 2 ** (width - 1)
        return ((value / top * half - 0.5).round().clamp(-half, half - 1) + 0.5) / half

    small = FineTuned(norm, len(model.update))
    with torch.no_grad():
        w, v = model.readout, model.update
        small.readout.copy_(levels(w, bits[0], _clip(w, bits[0])))
        exponent = round(math.log(_clip(v, bits[1])) / math.log(1.05)) if v.abs().max() > 0 else 0
        scale = 1.05**exponent
        small.update.copy_(levels(v, bits[1], scale) * scale)
    header = 2 * math.log(len(BITS)) + float(geometric_price(exponent))
    entries = w.numel() * bits[0] + v.numel() * bits[1]
    return Compressed(small, bits, (header + entries * math.log(2)) * (1 + 1e-12))


def _clip(value: Tensor, width: int) -> float:
    """The largest level that loses least in mean square: a few standard deviations."""
    best = (math.inf, 1.0)
    half = 2 ** (width - 1)
    for share in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        top = float(value.abs().max()) * share
        if top == 0:
            return 1.0
        levels = ((value / top * half - 0.5).round().clamp(-half, half - 1) + 0.5) / half * top
        best = min(best, (float((levels - value).square().mean()), top))
    return best[1]


def compressed_bound(errors: int, size: int, nats: float, failure: str) -> dict[str, float]:
    """G6 in balls: the interval that contains the bound on the quantized network's error.

    >>> compressed_bound(10, 1000, 20.0, "0.05")["upper"] < 0.1
    True
    """
    ball = ball_function(compressed_risk(), [R_hat, code, delta, n])(
        Fraction(errors, size), nats, Fraction(failure), size)
    found = ends(ball)
    return {"lower": found["lower"], "upper": found["upper"]}
