"""Where the numbers of a network description come from in a checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from torch import Tensor

from majorant.derivation.network.stages import Network, Parameter


@dataclass(frozen=True)
class ParameterSource:
    """One parameter of the description and how to read it.

    `spectrum` is the name of the `majorant.numerics.spectra.Spectrum` whose singular values,
    times `sqrt(scale_squared)`, are those of the parameter (None: read it with `load`).
    `load` returns the float64 array itself (vectors and gains, read-out matrices), or the factors
    `(A, B)` of `A B^T` for a product. `rounding` bounds the Euclidean norm of the error of a
    vector that `load` computes from several tensors (None: `load` is exact).
    """

    parameter: Parameter
    load: Callable[[], Tensor | tuple[Tensor, Tensor]]
    spectrum: str | None = None
    scale_squared: Fraction = Fraction(1)
    rounding: Callable[[], float] | None = None


@dataclass(frozen=True)
class DescribedNetwork:
    """A network description, the origin of each parameter, and what had to be assumed.

    `input_radius` reads the bound on the norm of the rows that enter the first block.
    """

    network: Network
    sources: dict[str, ParameterSource]
    input_radius: Callable[[], float]
    assumptions: tuple[str, ...] = field(default=())
