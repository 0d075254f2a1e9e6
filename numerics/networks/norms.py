"""Norms of the parameters of a described checkpoint, as enclosures."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb, fmpq
from torch import Tensor

from majorant.numerics.networks.source import DescribedNetwork, ParameterSource
from majorant.numerics.spectra import SpectrumSet, dense_spectrum, factored_spectra


def norm_balls(described: DescribedNetwork, spectra: SpectrumSet | None = None) -> dict[str, arb]:
    """Enclosures of the norms by parameter id, and of the input radius (its upper end).

    Matrices that `spectra` (verified) names are taken from there, others are computed. Balls are
    at the precision of `flint.ctx`.
    """
    balls = {key: _norm(source, spectra) for key, source in described.sources.items()}
    balls[described.network.input_radius] = arb(described.input_radius())
    return balls


def midpoints(balls: Mapping[str, arb]) -> dict[str, float]:
    """Floats inside the balls, for searches.

    >>> midpoints({"x": arb(2)})
    {'x': 2.0}
    """
    return {key: float(ball.mid()) for key, ball in balls.items()}


def _norm(source: ParameterSource, spectra: SpectrumSet | None) -> arb:
    kind = source.parameter.kind
    if kind == "matrix":
        scale = arb(fmpq(source.scale_squared.numerator, source.scale_squared.denominator)).sqrt()
        return _spectral(source, spectra) * scale
    values = source.load()
    assert isinstance(values, Tensor)
    if kind == "gain":
        return arb(float(values.abs().max()))
    exact = sum((arb(x) ** 2 for x in values.tolist()), arb(0)).sqrt()
    if source.rounding is None:
        return exact
    error = source.rounding()
    return (exact + arb(0, error)).max(arb(0))


def _spectral(source: ParameterSource, spectra: SpectrumSet | None) -> arb:
    if spectra is not None and source.spectrum is not None:
        spectrum = spectra[source.spectrum]
        if len(spectrum.singular_values) == 0:
            return arb(0)
        return arb(float(spectrum.lower()[0])).union(arb(float(spectrum.upper()[0])))
    loaded = source.load()
    if isinstance(loaded, Tensor):
        found = dense_spectrum(loaded, verified=True)
    else:
        found = factored_spectra(loaded[0][None], loaded[1][None], verified=True)[0]
    if len(found.singular_values) == 0:
        return arb(0)
    largest = arb(float(found.singular_values[0]))
    radius = largest * arb(found.relative) + arb(found.absolute)
    return (largest - radius).max(arb(0)).union(largest + radius)


