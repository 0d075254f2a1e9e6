"""Verified sizes of single parameters: what a certificate's inputs say of each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network
from majorant.numerics.networks import ParameterSource
from majorant.numerics.networks.input_radius import norm_upper
from majorant.numerics.optimize.parameters import Parameter
from majorant.numerics.spectra import SpectrumSet
from majorant.numerics.spectra.dense import dense_spectrum
from majorant.numerics.spectra.factored import Computed

UP = 1.0 + 2.0**-48  # covers the few roundings of every expression on sizes


@dataclass(frozen=True)
class Sized:
    """A network description with the verified sizes of its parameters and what was assumed."""

    network: Network
    parameters: tuple[Parameter, ...]
    numbers: dict[str, float]
    assumptions: tuple[str, ...]


def shape_of(source: ParameterSource) -> tuple[int, ...]:
    """`(rows, cols)` of a matrix, `(size,)` of a vector or gain."""
    part = source.parameter
    return (part.rows, part.cols) if part.kind == "matrix" else (part.cols,)


def upper_ends(source: ParameterSource, name: str, found: SpectrumSet) -> tuple[float, ...]:
    """Verified singular values in the scale of the description, rounded upward."""
    spectrum = found[name]
    if tuple(spectrum.shape) != shape_of(source):
        raise UnusableInput(f"{name}: spectrum of shape {spectrum.shape}, the network needs "
                            f"{shape_of(source)}")
    scale = math.sqrt(source.scale_squared)
    return tuple(float(x) * scale * UP for x in spectrum.upper())


def dense_ends(matrix: torch.Tensor) -> tuple[float, ...]:
    """Verified singular values of a matrix, rounded upward."""
    return proved_ends(dense_spectrum(matrix, verified=True))


def proved_ends(found: Computed) -> tuple[float, ...]:
    """Upper ends of the singular values of a verified computation (V1), rounded upward."""
    ends = (found.singular_values * (1 + found.relative) + found.absolute) * UP
    return tuple(float(x) for x in ends)


def length(source: ParameterSource, value: torch.Tensor) -> float:
    """Sup norm of a gain, 2-norm of a vector, rounded upward."""
    if source.parameter.kind == "gain":
        return float(value.abs().max())
    return norm_upper(value)


def loaded(source: ParameterSource) -> torch.Tensor:
    """The array of a parameter that is no product."""
    value = source.load()
    if isinstance(value, tuple):
        raise UnusableInput(f"{source.parameter.id}: a product needs its spectrum")
    return value


def sized_parameter(name: str, source: ParameterSource,
                    found: SpectrumSet | None) -> Parameter:
    """A parameter with its verified size; `found` has the spectra that sources refer to."""
    kind, shape = source.parameter.kind, shape_of(source)
    if kind == "matrix":
        sigma = (dense_ends(loaded(source)) if source.spectrum is None or found is None
                 else upper_ends(source, source.spectrum, found))
        return Parameter(name, kind, shape, sigma=sigma)
    return Parameter(name, kind, shape, norm=length(source, loaded(source)))
