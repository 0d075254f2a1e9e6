"""Reading a certificate strictly: exact fields, exact numbers, verified sizes. Part of the core.

Every field is read by name and nothing may be left over: a field that nobody checks would let a
reader believe something that was never checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from majorant.derivation.certificate import exact
from majorant.derivation.errors import MajorantError


class Refused(MajorantError):
    """A certificate that proves nothing; the message says which condition failed."""


def fields(data: Any, where: str, *names: str) -> list[Any]:
    """Exactly these fields: a missing one, or one that nobody would check, refuses."""
    if not isinstance(data, Mapping) or set(data) != set(names):
        found = sorted(map(str, data)) if isinstance(data, Mapping) else type(data).__name__
        raise Refused(f"{where}: expected the fields {', '.join(sorted(names))}, got {found}")
    return [data[name] for name in names]


def integer(value: Any, where: str, low: int, high: int) -> int:
    """A JSON integer in the range."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        most = f" and at most {high}" if high < 10**12 else ""
        shown = "a larger one" if isinstance(value, int) and value > high else repr(value)
        raise Refused(f"{where}: expected an integer, at least {low}{most}, got {shown}")
    return value


def number(value: Any, where: str) -> arb:
    """A non-negative number, enclosed; any magnitude."""
    fraction, exponent = exact(value, where)
    if fraction < 0:
        raise Refused(f"{where}: expected a non-negative number, got {value!r}")
    return arb(fmpq(fraction.numerator, fraction.denominator)) * arb(10) ** exponent


def certain(condition: Any, message: str) -> None:
    """Comparisons of balls are true only when they certainly hold (NaN never does)."""
    if not bool(condition):
        raise Refused(message)


@dataclass(frozen=True)
class Entry:
    """Verified sizes of one parameter, from the inputs."""

    kind: str
    shape: tuple[int, ...]
    trained: bool
    sizes: tuple[arb, ...]
    reference: arb | None
    own: arb | None

    @staticmethod
    def read(part: Any, table: Any) -> Entry:
        """The entry of a parameter of the network; refuses what does not fit the description."""
        data = table.get(part.id) if isinstance(table, Mapping) else None
        if not isinstance(data, Mapping):
            raise Refused(f"{part.id}: the network has this parameter, the certificate has not")
        size = "sigma" if part.kind == "matrix" else "norm"
        names = ["kind", "shape", "trained", size]
        names += ["own_norm", "reference_norm"] if "reference_norm" in data else []
        kind, shape, trained, value, *both = fields(data, part.id, *names)
        expected = [part.rows, part.cols] if part.kind == "matrix" else [part.cols]
        if kind != part.kind or shape != expected or not isinstance(trained, bool):
            raise Refused(f"{part.id}: the network has a {part.kind} of shape {expected}, the "
                          f"certificate a {kind!r} of shape {shape!r}")
        values = value if kind == "matrix" else [value]
        if not isinstance(values, list) or (kind == "matrix" and len(values) > min(expected)):
            raise Refused(f"{part.id}: expected at most {min(expected)} singular values")
        sizes = tuple(number(x, part.id) for x in values)
        if any(not y <= x for x, y in pairwise(sizes)):
            raise Refused(f"{part.id}: singular values must be descending")
        own, reference = (number(x, part.id) for x in both) if both else (None, None)
        return Entry(kind, tuple(expected), trained, sizes, reference, own)

    @property
    def size(self) -> arb:
        """Upper end of the spectral norm, the 2-norm or the sup norm."""
        return self.sizes[0] if self.sizes else arb(0)
