"""What was measured on the training examples: variance thresholds (G7), and who counts as error."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.numerics.whole_file import whole_file

_NEEDED = ("n", "thresholds", "below")


@dataclass(frozen=True)
class Measurement:
    """Thresholds `v` by normalization, and how many of the `n` training examples miss them.

    `below`: examples with a token whose variance is at most the threshold, at any normalization;
    each counts as an error, whatever its margin. `bad`: examples that are not (margin, v)-good,
    where margins were measured with them. `checkpoint`: digest of the weights (`""`: not stated).
    `first_below`: numbers of such examples, the first few. `arithmetic`: how it was computed.
    `radius`: examples with a longer code row are among `below` (declared fixed factors only).
    """

    n: int
    thresholds: Mapping[str, float]
    below: int
    margin: float | None = None
    bad: int | None = None
    checkpoint: str = ""
    first_below: tuple[int, ...] = ()
    arithmetic: str = "not stated"
    quantiles: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    radius: float | None = None

    def __post_init__(self) -> None:
        def whole(name: str, value: Any, low: int, high: float) -> None:
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise UnusableInput(f"measurement: {name}: expected a whole number from {low}"
                                    f"{'' if high == math.inf else f' to {high}'}, got {value!r}")

        whole("n", self.n, 1, math.inf)
        whole("below", self.below, 0, self.n)
        if not isinstance(self.thresholds, Mapping) or not self.thresholds:
            raise UnusableInput("measurement: thresholds: expected one for each normalization")
        given = {**self.thresholds, **{name: value for name in ("margin", "radius")
                                       if (value := getattr(self, name)) is not None}}
        for name, value in given.items():
            good = isinstance(value, int | float) and not isinstance(value, bool)
            if not good or not 0 < value < 1e300:
                raise UnusableInput(f"measurement: {name}: expected a positive number, got "
                                    f"{value!r}")
        if (self.margin is None) != (self.bad is None):
            raise UnusableInput("measurement: margin and bad belong together")
        if self.bad is not None:
            whole("bad", self.bad, self.below, self.n)

    def errors(self, margin_errors: int) -> int:
        """How many examples count as errors: a margin at most gamma, or a variance below `v`.

        Where margins were measured apart, the two counts add up, which can only be too many.

        >>> Measurement(100, {"norm": 0.5}, 7).errors(5)
        12
        """
        return min(self.n, self.below + margin_errors) if self.bad is None else self.bad

    def write(self, path: str | Path) -> None:
        """One JSON object; complete or not at all."""
        with whole_file(Path(path)) as part:
            part.write_text(json.dumps(asdict(self), indent=1, allow_nan=False) + "\n",
                            encoding="utf-8")


def read_measurement(path: str | Path) -> Measurement:
    """The measurement that a file holds: `n`, `thresholds`, `below`, and optionally the rest.

    Whoever ran another forward pass writes the three fields by hand. Raises `UnusableInput`.
    """
    file = Path(path)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UnusableInput(f"{file}: not a JSON file ({error})") from None
    known = Measurement.__dataclass_fields__
    if not isinstance(data, dict) or not set(_NEEDED) <= set(data) <= set(known):
        found = sorted(data) if isinstance(data, dict) else type(data).__name__
        raise UnusableInput(f"{file}: expected the fields {', '.join(_NEEDED)} and possibly "
                            f"{', '.join(sorted(set(known) - set(_NEEDED)))}; got {found}")
    try:
        return Measurement(**data)
    except UnusableInput as error:
        raise UnusableInput(f"{file}: {error}") from None
