"""One matrix's singular values, with what is known about their errors."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Role = Literal["QK", "V", "Q", "K", "M_in", "M_out", "M_gate"]

ROLES: tuple[Role, ...] = ("QK", "V", "Q", "K", "M_in", "M_out", "M_gate")


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Singular values of one matrix `W` (`x -> x W`), descending, float64.

    `singular_values` holds the leading ones only: all others, up to `min(shape)`, are exactly 0
    (a product through `d_h` columns has rank at most `d_h`; a zero matrix has an empty array).
    `frobenius` is `||W||_F`, `norm_21` the sum of the Euclidean norms of the columns. `layer` and
    `head` count from 0; `head` is -1 for a matrix that belongs to no head.

    If `verified`, `|sigma_i - s_i| <= relative * s_i + absolute` for every `i`, proved with
    a-priori bounds on every rounding (theory V1). Else both are `nan`, and a computed value may
    lie on either side of the true one.
    """

    name: str
    layer: int
    head: int
    role: Role
    shape: tuple[int, int]
    singular_values: NDArray[np.float64]
    frobenius: float
    norm_21: float
    method: str
    tensors: tuple[str, ...]
    verified: bool = False
    relative: float = math.nan
    absolute: float = math.nan

    @property
    def spectral_norm(self) -> float:
        """The largest computed singular value; 0 for a zero matrix."""
        return float(self.singular_values[0]) if len(self.singular_values) else 0.0

    @property
    def rank(self) -> int:
        """Number of computed singular values that are not 0: an upper bound on the rank."""
        return int(np.count_nonzero(self.singular_values))

    @property
    def numerical_rank(self) -> int:
        """Number of singular values above the round-off level `max(shape) u s_1`."""
        level = max(self.shape) * 2.0**-53 * self.spectral_norm
        return int(np.count_nonzero(self.singular_values > level))

    @property
    def radius(self) -> float:
        """One number `r` with `|sigma_i - s_i| <= r` for all `i`; `nan` if not verified."""
        return (self.relative * self.spectral_norm + self.absolute) * (1 + 2.0**-50)

    def upper(self) -> NDArray[np.float64]:
        """Proved upper ends of the singular values in `singular_values`; the others are 0.

        Raises `ValueError` if the spectrum is not verified.
        """
        self._require_verified()
        return self._outward(1 + self.relative, self.absolute, 1 + 2.0**-50)

    def lower(self) -> NDArray[np.float64]:
        """Proved lower ends, at least 0."""
        self._require_verified()
        ends = self._outward(max(1 - self.relative, 0.0), -self.absolute, 1 - 2.0**-50)
        return np.maximum(ends, 0.0)

    def smallest(self) -> tuple[float, float]:
        """An interval that contains the smallest of the `min(shape)` singular values.

        It may contain 0, and it is `(0, 0)` if the matrix has fewer columns of rank than that.
        """
        self._require_verified()
        if len(self.singular_values) < min(self.shape):
            return 0.0, 0.0
        return float(self.lower()[-1]), float(self.upper()[-1])

    def _outward(self, factor: float, shift: float, slack: float) -> NDArray[np.float64]:
        # Two roundings of the line below and one of `factor`: a slack of 2^-50 covers them.
        ends = (self.singular_values * factor) * slack + shift * (2 - slack if shift < 0 else slack)
        return np.asarray(ends, dtype=np.float64)

    def _require_verified(self) -> None:
        if not self.verified:
            raise ValueError(
                f"{self.name}: this spectrum is not verified, it has no proved ends. Compute it "
                "with verified=True."
            )
