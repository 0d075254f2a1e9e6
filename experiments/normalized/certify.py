"""From a trained network to a certificate: verified spectra, margin counts, choice of margin."""

from __future__ import annotations

import math
from typing import Any

import torch
from flint import arb
from torch import Tensor

from majorant.experiments.networks.normalized import NormalizedNetwork
from majorant.numerics.certificates import Empirical, Problem, issue
from majorant.numerics.certificates.issue import BOUNDS, certificate_at, certificate_of, prepare
from majorant.numerics.certificates.sized import proved_ends
from majorant.numerics.enclosure import ends
from majorant.numerics.optimize import Parameter
from majorant.numerics.spectra.factored import factored_spectra
from majorant.proofs.checker import Verdict, check

INPUT_RADIUS = 1.0


def verified_parameters(network: NormalizedNetwork) -> tuple[Parameter, ...]:
    """Every trained matrix with proved upper ends of its singular values, exact in rank (V1).

    The float32 factors are exact float64 numbers; the certified matrix is their exact product.

    >>> network = NormalizedNetwork(blocks=1, heads=1, width=8, hidden=8, rank=2, rank_ff=3, seed=0)
    >>> [parameter.rank for parameter in verified_parameters(network)]
    [2, 2, 3, 3, 1]
    """
    found = []
    for name, role, index in network.slots():
        left, right = (factor[index].detach().double() for factor in network.factors(role))
        found.append(_parameter(name, left, right))
    readout = network.readout.detach().double()[:, None]
    found.append(_parameter("readout", readout, torch.ones(1, 1, dtype=torch.float64)))
    return tuple(found)


def _parameter(name: str, left: Tensor, right: Tensor) -> Parameter:
    computed = factored_spectra(left[None], right[None], verified=True)[0]
    shape = (left.shape[0], right.shape[0])
    return Parameter(name, "matrix", shape, sigma=proved_ends(computed))


def certify(network: NormalizedNetwork, parameters: tuple[Parameter, ...], margins: Tensor, *,
            rounding: float, delta: str,
            candidates: int = 24) -> tuple[dict[str, Any], Verdict]:
    """The best certificate over a range of margins, checked.

    `margins` are the float64 margins of the whole training sample, each within `rounding` of the
    exact one: an example counts as an error at margin `g` if its computed margin is at most
    `g + rounding`. The margin may be chosen after training, since its grid index is paid for
    (U3). Returns the certificate whose checked value is least.
    """
    # Candidates lie below the largest margin, so that a network that has learnt nothing gets its
    # (vacuous) certificate too.
    largest = max(float(margins.median()), float(margins.max()) / 2, 1e-6)
    best: tuple[float, dict[str, Any], Verdict] | None = None
    for step in range(candidates):
        margin = largest * 2.0 ** (-step / 3)
        certificate, verdict = certify_at(
            network, parameters, margin, int((~(margins > margin + rounding)).sum()),
            n=len(margins), delta=delta)
        value = float(verdict.value) if verdict.value is not None else math.inf
        if best is None or value < best[0]:
            best = (value, certificate, verdict)
    assert best is not None
    return best[1], best[2]


def certify_at(network: NormalizedNetwork, parameters: tuple[Parameter, ...], margin: float,
               errors: int, *, n: int, delta: str) -> tuple[dict[str, Any], Verdict]:
    """The `occam` certificate at one margin, with `errors` of the `n` examples at or below it."""
    certificate = issue(_problem(network, parameters, margin, errors, n, delta), "occam")
    return certificate, check(certificate)


def compare(network: NormalizedNetwork, parameters: tuple[Parameter, ...], margin: float,
            errors: int, *, n: int, delta: str, tokens: int) -> dict[str, dict[str, Any]]:
    """Every shipped bound on the same network, sample and margin, each checked.

    Per bound: `value` (upper end; `None` where a float cannot hold it), `log10`, and `n_star`, the
    least n found at which the bound with no margin errors is below 1/2, also checked there
    (`n_star` is an integer, or `None` with its `log10_n_star` where it exceeds 10^15).
    """
    found = {}
    for bound in BOUNDS:
        problem = _problem(network, parameters, margin, errors, n, delta, tokens)
        prepared = prepare(problem, bound)
        value = _value(check(certificate_of(prepared)), bound)
        log10_n = prepared.log_n_star() / math.log(10)
        star = None
        if log10_n <= 15:
            # Searched in floats; a little more makes sure that the checker agrees.
            star = math.ceil(10**log10_n * (1 + 1e-6))
            if not _value(check(certificate_at(prepared, star)), bound) < 0.5:
                raise RuntimeError(f"{bound}: the checker does not confirm n_star = {star}")
        proved = ends(value)
        found[bound] = {
            "value": proved["upper"],
            "log10": proved["log10_upper"],
            "n_star": star,
            "log10_n_star": log10_n if math.isfinite(log10_n) else None,
        }
    return found


def _value(verdict: Verdict, bound: str) -> arb:
    if verdict.value is None:
        raise RuntimeError(f"{bound}: the certificate was refused: {verdict.reason}")
    return verdict.value.upper()


def _problem(network: NormalizedNetwork, parameters: tuple[Parameter, ...], margin: float,
             errors: int, n: int, delta: str, tokens: int | None = None) -> Problem:
    return Problem(network.description(), parameters, {"input": INPUT_RADIUS}, n, delta,
                   Empirical(margin=margin, errors=errors), tokens)
