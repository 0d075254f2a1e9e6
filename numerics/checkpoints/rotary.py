"""What scaled rotary positions do to the logits: a multiplier, in the worst case over positions."""

import math
from typing import Any

from majorant.derivation.errors import UnusableInput

_PLAIN = {"default", "linear", "dynamic", "llama3"}


def rotary_entries(config: dict[str, Any] | None, where: str) -> list[dict[str, Any]]:
    """Every description of rotary positions in a configuration, one for each kind of layer.

    Both keys are read: of `rope_parameters` and `rope_scaling` libraries take the one or the
    other. Raises `UnusableInput` where a description is not a JSON object.

    >>> rotary_entries({"rope_scaling": {"type": "linear", "factor": 2.0}}, "m")
    [{'type': 'linear', 'factor': 2.0}]
    """
    found: list[dict[str, Any]] = []
    for key in ("rope_parameters", "rope_scaling"):
        entry = (config or {}).get(key)
        if entry is None:
            continue
        if not isinstance(entry, dict):
            raise UnusableInput(
                f"{where}: config.json has {key} = {entry!r}; expected an object with rope_type."
            )
        nested = bool(entry) and all(isinstance(inner, dict) for inner in entry.values())
        found += entry.values() if nested else [entry]
    return found


def logit_multiplier(config: dict[str, Any] | None, where: str) -> float:
    """Factor on the logits from the scaling of rotary positions, rounded up; usually 1.

    Rotations are orthogonal, so only the factor on cosine and sine counts, squared. Types
    `default`, `linear`, `dynamic` and `llama3` have none; `yarn` and `longrope` have one. Where a
    configuration describes the positions more than once, the largest counts. Raises
    `UnusableInput` for another type, and for a number that is none.

    >>> logit_multiplier({"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}, "m")
    1.0
    >>> yarn = {"type": "yarn", "factor": 4.0}
    >>> round(logit_multiplier({"rope_scaling": yarn}, "m"), 4)
    1.2965
    >>> round(logit_multiplier({"rope_parameters": {"rope_type": "default"},
    ...                         "rope_scaling": yarn}, "m"), 4)
    1.2965
    """
    found = [_entry_multiplier(rope, config or {}, where) for rope in rotary_entries(config, where)]
    return max(found, default=1.0)


def _entry_multiplier(rope: dict[str, Any], config: dict[str, Any], where: str) -> float:
    kind = rope.get("rope_type", rope.get("type", "default"))
    if isinstance(kind, str) and kind in _PLAIN:
        return 1.0
    if kind not in ("yarn", "longrope"):
        raise UnusableInput(
            f"{where}: rotary positions of type {kind!r}; expected one of "
            f"{', '.join(sorted(_PLAIN | {'yarn', 'longrope'}))}."
        )
    given = _positive(rope, "attention_factor", where)
    factor = _derived(kind, rope, config, where) if given is None else given
    # A few roundings of the logarithm, the root and the square.
    return factor * factor * (1 + 2.0**-48) if factor != 1.0 else 1.0


def _positive(entry: dict[str, Any], key: str, where: str) -> float | None:
    """The positive number under `key`, or `None` where there is none."""
    value = entry.get(key)
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and value > 0):
        raise UnusableInput(
            f"{where}: config.json has {key} = {value!r} for its rotary positions; expected a "
            "positive number."
        )
    return float(value)


def _derived(kind: str, rope: dict[str, Any], config: dict[str, Any], where: str) -> float:
    def number(key: str, *places: dict[str, Any]) -> float | None:
        return next((x for place in places if (x := _positive(place, key, where))), None)

    original = number("original_max_position_embeddings", rope, config)
    longest = number("max_position_embeddings", config)
    scale = number("factor", rope)
    if scale is None:
        if original is None or longest is None:
            raise UnusableInput(
                f"{where}: config.json scales rotary positions by {kind}, without a factor; "
                "expected factor, or original_max_position_embeddings and "
                "max_position_embeddings."
            )
        scale = longest / original
    if scale <= 1.0:
        return 1.0
    if kind == "longrope":
        return math.sqrt(1 + math.log(scale) / math.log(original or scale))

    def mscale(weight: float) -> float:
        return 0.1 * weight * math.log(scale) + 1.0

    above, below = number("mscale", rope), number("mscale_all_dim", rope)
    return mscale(above) / mscale(below) if above and below else mscale(1.0)
