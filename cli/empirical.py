"""The sample's side of a request: margin errors, and measured LayerNorm variances (G7)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from majorant.derivation.certificate import number_roles
from majorant.derivation.errors import UnusableInput
from majorant.numerics.certificates import Empirical, Problem
from majorant.numerics.certificates.from_checkpoint import Sized, sized_network
from majorant.numerics.certificates.last_update import paid_delta
from majorant.numerics.checkpoints import Given, resolve
from majorant.numerics.checkpoints.source import weights_digest
from majorant.numerics.networks.embedding_tables import EMBEDDING_NORM
from majorant.numerics.networks.measurement import Measurement, read_measurement
from majorant.numerics.spectra import SpectrumSet

G7_BOUNDS = ("occam", "parameter-count")  # variance thresholds belong to a finite list (G5)


def measurement_for(source: str, path: str, block: str, n: int | None, reference: str | None,
                    bounds: Sequence[str] | None = None) -> Measurement:
    """The measurement of a file, refused where it cannot be about this request."""
    measured = read_measurement(path)
    if block != "faithful":
        raise UnusableInput(f"{path}: the twin has no LayerNorm, so variances do not matter; use "
                            "--block faithful")
    if other := sorted(set(bounds or ()) - set(G7_BOUNDS)):
        raise UnusableInput(f"bound {other[0]!r}: variance thresholds (G7) belong to bounds by a "
                            f"finite list: {', '.join(G7_BOUNDS)}")
    if n is not None and n != measured.n:
        raise UnusableInput(f"n: {n}, but {path} was measured on {measured.n} examples; G7 counts "
                            "over all training examples, so measure on these, or leave -n out for "
                            "n_star")
    found, base = resolve(source), None if reference is None else resolve(reference)
    if found.kind == "adapter" and base is None:
        raise UnusableInput(f"{source}: is an adapter; give its base model with --reference")
    if measured.checkpoint and measured.checkpoint != weights_digest(found, base):
        raise UnusableInput(f"{path}: was measured on other weights than {source} holds; measure "
                            "again")
    return measured


def empirical_of(margin: float | None, errors: int, measured: Measurement | None,
                 probes: Collection[str], *, given: bool = True) -> tuple[Empirical, list[str]]:
    """The sample's side of a certificate, and what it assumes beyond the ledger.

    `errors` examples have margin at most `margin`; with a measurement, those below a threshold
    are errors too. `probes` are the normalizations that have floors.
    """
    if measured is None:
        return Empirical(margin or 1.0, errors), []
    if measured.bad is not None and errors:
        raise UnusableInput("margin error: the measurement already counts margins; leave it out")
    if measured.margin is not None and margin not in (None, measured.margin):
        raise UnusableInput(f"margin: {margin}, but margins were measured at {measured.margin}; "
                            "leave --margin out, or measure again")
    count = measured.errors(errors) if given else 0
    lines = [f"LayerNorm variances: thresholds on a grid that the bound pays for (G7, U3); "
             f"{measured.below} of {measured.n} training examples lie below one of them and count "
             "as errors" + ("" if given else " (n_star assumes that none does)"),
             f"variances were measured by: {measured.arithmetic}"]
    if not measured.checkpoint:
        lines.append("the file of variances does not say on which weights it was measured: it is "
                     "taken to be these")
    # Only the part after a fixed factor is described, or tables were measured that are frozen:
    # such thresholds count their errors, and bound nothing.
    used = {name: value for name, value in measured.thresholds.items() if name in probes}
    unknown = sorted(measured.thresholds.keys() - probes - {EMBEDDING_NORM})
    if unknown and measured.radius is None:
        raise UnusableInput(f"variances: {unknown[0]} is no normalization of this network; "
                            f"expected {', '.join(sorted(probes))}")
    return Empirical(measured.margin or margin or 1.0, count, used), lines


def problem_of(source: str, block: str, reference: str | None, n: int | None, delta: float | str,
               errors: int, margin: float | None, seq_len: int | None, *,
               spectra: SpectrumSet | None, variances: str | None,
               bounds: Sequence[str] | None, tables: bool = False,
               given: Given | None = None,
               ) -> tuple[Problem, Sized, Measurement | None, list[str]]:
    """What is to be certified: the network, its sizes and the sample's side, with assumptions."""
    measured = None if variances is None else measurement_for(
        source, variances, block, n, reference, bounds)
    radius = None if measured is None else measured.radius
    sized = sized_network(source, block, reference=reference, spectra=spectra,
                          floors=measured is not None, radius=radius, tables=tables,
                          given=given)
    probes = {role.probe for role in number_roles(sized.network).values() if role.role == "floor"}
    empirical, lines = empirical_of(margin, errors, measured, probes, given=n is not None)
    paid = delta if radius is None else paid_delta(delta, radius)
    return (Problem(sized.network, sized.parameters, sized.numbers, n or 1, paid, empirical,
                    seq_len), sized, measured, lines)
