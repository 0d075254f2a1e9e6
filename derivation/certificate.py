"""The certificate format: plain JSON, exact numbers, digests over what it says and proposes.

A certificate is written by an untrusted optimizer and read by the trusted checker. It carries
everything the checker needs: the network's description, verified upper ends of the singular
values, `n`, `delta`, the empirical quantities, and the choices that were made after seeing them.
The digest protects against accidents, not against a dishonest author: the checker re-derives
the bound from the fields, whoever signed them. `about` says in words which network it is and what
was assumed; no checker reads it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network.stages import Network, Normalization, Parameter

FORMAT = "majorant-certificate"
VERSION = 1
_DECIMAL = re.compile(r"([+-]?\d{1,40}(?:\.\d{0,40})?)(?:[eE]([+-]?\d{1,6}))?")
_FRACTION = re.compile(r"[+-]?\d{1,40}/\d{1,40}")


def canonical(value: Any) -> str:
    """JSON text that does not depend on the order of keys or on white space; finite numbers only.

    >>> canonical({"b": 1, "a": [0.5, "1e-400"]})
    '{"a":[0.5,"1e-400"],"b":1}'
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UnusableInput(
            f"certificate: expected plain JSON with finite numbers ({error})") from None


def digests(certificate: Mapping[str, Any]) -> dict[str, str]:
    """SHA-256 of the inputs, the proposal and, if there is one, `about`; over canonical JSON.

    >>> sorted(digests({"inputs": {}, "proposal": {}}))
    ['inputs', 'proposal']
    """
    header = {"format": certificate.get("format"), "version": certificate.get("version")}
    found = {}
    for part in ("inputs", "proposal", *(("about",) if "about" in certificate else ())):
        text = canonical([header, part, certificate.get(part)])
        found[part] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    return found


def sign(inputs: Mapping[str, Any], proposal: Mapping[str, Any],
         claim: Mapping[str, Any] | None = None,
         about: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A certificate of the current version with its digests; `claim` is what its author believes.

    `about` is for readers: the network in words, `delta` as it was asked for, the assumptions.

    >>> sign({"n": 10}, {"bound": "occam"})["version"]
    1
    """
    body: dict[str, Any] = {"format": FORMAT, "version": VERSION, "inputs": dict(inputs),
                            "proposal": dict(proposal)}
    if claim is not None:
        body["claim"] = dict(claim)
    if about is not None:
        body["about"] = dict(about)
    body["digest"] = digests(body)
    return body


def described(certificate: Mapping[str, Any], *, network: str, checkpoint: str, block: str,
              delta: float | str, assumptions: Sequence[str],
              reference: str | None = None) -> dict[str, Any]:
    """The certificate with `about`, which says in words what it is about; no checker reads it.

    >>> described(sign({"n": 10}, {}), network="a twin", checkpoint="demo", block="normalized",
    ...           delta="0.05", assumptions=["frozen tables"])["about"]["assumptions"]
    ['frozen tables']
    """
    return sign(certificate["inputs"], certificate["proposal"], certificate.get("claim"), {
        "network": network, "checkpoint": checkpoint, "block": block, "reference": reference,
        "delta": delta, "assumptions": list(assumptions)})


def decimal_parts(text: str) -> tuple[Fraction, int] | None:
    """Mantissa and decimal exponent of a number written as text; `None` if it is not one.

    The pair keeps numbers such as `1e-4000` cheap: nothing of that size is ever formed.

    >>> decimal_parts("1.5e-412")
    (Fraction(3, 2), -412)
    >>> decimal_parts("3/7"), decimal_parts("nan")
    ((Fraction(3, 7), 0), None)
    """
    if _FRACTION.fullmatch(text):
        top, bottom = text.split("/")
        return (Fraction(int(top), int(bottom)), 0) if int(bottom) else None
    match = _DECIMAL.fullmatch(text)
    return (Fraction(match.group(1)), int(match.group(2) or 0)) if match else None


def exact(value: Any, name: str) -> tuple[Fraction, int]:
    """`value = fraction * 10**exponent` exactly; a JSON float means the double that it is.

    Raises `UnusableInput` for booleans, NaN, infinities and text that is not a number.

    >>> exact(0.5, "x"), exact("0.05", "delta")
    ((Fraction(1, 2), 0), (Fraction(1, 20), 0))
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise UnusableInput(f"{name}: expected a number, got {value!r}")
    if isinstance(value, str):
        parts = decimal_parts(value)
        if parts is None:
            raise UnusableInput(f"{name}: expected a decimal or a fraction, got {value[:60]!r}")
        return parts
    if isinstance(value, float) and not math.isfinite(value):
        raise UnusableInput(f"{name}: expected a finite number, got {value!r}")
    return Fraction(value), 0


def exact_fraction(value: Any, name: str) -> Fraction:
    """Like `exact`, as one fraction; decimal exponents beyond 400 are refused.

    >>> exact_fraction("1e-3", "delta")
    Fraction(1, 1000)
    """
    fraction, exponent = exact(value, name)
    if abs(exponent) > 400:
        raise UnusableInput(f"{name}: {value!r} is out of range")
    return fraction * Fraction(10) ** exponent


def decimal_text(log_value: float, digits: int = 12) -> str:
    """`exp(log_value)` rounded DOWN to `digits` digits, as text; any size, no underflow.

    >>> decimal_text(-1000.0, 4)
    '5.075e-435'
    """
    scaled = log_value / math.log(10.0)
    exponent = math.floor(scaled)
    mantissa = math.floor(10.0 ** (scaled - exponent) * 10 ** (digits - 1))
    return f"{mantissa / 10 ** (digits - 1):.{digits - 1}f}e{exponent}"


@dataclass(frozen=True)
class NumberRole:
    """What a network uses an extra number for: `input` radius, `norm` of a product, `floor`.

    A floor belongs to the normalization `probe` over `width` entries.
    """

    id: str
    role: str
    probe: str = ""
    width: int = 0


def number_roles(network: Network) -> dict[str, NumberRole]:
    """The extra numbers that a network's description names, by id.

    Raises `UnusableInput` where one id has two roles, is a parameter's id too, or where two
    normalizations that have floors share a name (a limit on one would be lost).

    >>> from majorant.derivation.network import normalized
    >>> number_roles(normalized(1, 1, 8, 8, "relu"))["input"].role
    'input'
    """
    found = {network.input_radius: NumberRole(network.input_radius, "input")}

    def note(role: NumberRole) -> None:
        if found.setdefault(role.id, role) != role:
            raise UnusableInput(f"{role.id}: the network uses this number in two ways")

    names: list[str] = []
    taken: set[str] = set()

    def walk(part: Any) -> None:
        if isinstance(part, Parameter):
            taken.add(part.id)
        if isinstance(part, Normalization):
            names.append(part.name)
            if part.floor is not None:
                note(NumberRole(part.floor, "floor", part.name, part.width))
        for name in ("form_norm", "value_norm", "output_norm"):
            if getattr(part, name, None) is not None:
                note(NumberRole(getattr(part, name), "norm"))
        for name in getattr(part, "__dataclass_fields__", ()):
            walk(getattr(part, name))
        if isinstance(part, tuple):
            for item in part:
                walk(item)

    walk(network)
    if clash := taken & found.keys():
        raise UnusableInput(f"{sorted(clash)[0]}: the id of a parameter and of a number")
    for role in found.values():
        if role.role == "floor" and names.count(role.probe) > 1:
            raise UnusableInput(f"{role.probe}: two normalizations have this name")
    return found
