"""What scaled rotary positions do to the logits: a multiplier, in the worst case over positions."""

import math
from typing import Any

from majorant.derivation.errors import UnusableInput

_PLAIN = {"default", "linear", "dynamic", "llama3"}


def logit_multiplier(config: dict[str, Any] | None, where: str) -> float:
    """Factor on the logits from the scaling of rotary positions, rounded up; usually 1.

    Rotations are orthogonal, so only the factor on cosine and sine counts, squared. Types
    `default`, `linear`, `dynamic` and `llama3` have none; `yarn` and `longrope` have one. Raises
    `UnusableInput` for another type.

    >>> logit_multiplier({"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}, "m")
    1.0
    >>> round(logit_multiplier({"rope_scaling": {"type": "yarn", "factor": 4.0}}, "m"), 4)
    1.2965
    """
    rope = (config or {}).get("rope_parameters") or (config or {}).get("rope_scaling") or {}
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind in _PLAIN:
        return 1.0
    if kind not in {"yarn", "longrope"}:
        raise UnusableInput(
            f"{where}: rotary positions of type {kind!r}; expected one of "
            f"{', '.join(sorted(_PLAIN | {'yarn', 'longrope'}))}."
        )
    given = rope.get("attention_factor")
    factor = float(given) if given is not None else _derived(kind, rope, config or {})
    return math.nextafter(factor * factor, math.inf) if factor != 1.0 else 1.0


def _derived(kind: str, rope: dict[str, Any], config: dict[str, Any]) -> float:
    original = rope.get("original_max_position_embeddings") or config.get(
        "original_max_position_embeddings"
    )
    scale = rope.get("factor")
    if scale is None and original:
        scale = config.get("max_position_embeddings", original) / original
    scale = float(scale or 1.0)
    if scale <= 1.0:
        return 1.0
    if kind == "longrope":
        return math.sqrt(1 + math.log(scale) / math.log(float(original or scale)))

    def mscale(weight: float) -> float:
        return 0.1 * weight * math.log(scale) + 1.0

    if rope.get("mscale") and rope.get("mscale_all_dim"):
        return mscale(float(rope["mscale"])) / mscale(float(rope["mscale_all_dim"]))
    return mscale(1.0)
