"""The facts about a model that its matrices do not show, read from `config.json`."""

import math
from dataclasses import dataclass
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.family import Family

_ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
    "relu": "relu",
    "tanh": "tanh",
    "sigmoid": "sigmoid",
    "softplus": "softplus",
}


def activation_name(word: str) -> str:
    """Our name of an activation; a word that is none of ours is returned as it is.

    >>> activation_name("gelu_new"), activation_name("quick_gelu")
    ('gelu_tanh', 'quick_gelu')
    """
    return _ACTIVATIONS.get(word, word)


@dataclass(frozen=True)
class Facts:
    """`None` where the configuration is silent; `assumptions` say which defaults were used."""

    width: int | None
    heads: int | None
    kv_heads: int | None
    head_width: int | None
    layers: int | None
    ff_width: int | None
    activation: str
    eps: float
    assumptions: tuple[str, ...]


def read_facts(family: Family, config: dict[str, Any] | None, where: str) -> Facts:
    """Facts of one family from its configuration (`None`: only the family's defaults).

    Raises `UnusableInput` if the configuration says that the weights are quantized codes, that
    the network computes what the table does not describe, or holds a value of the wrong type.
    """
    assumptions = []
    values: dict[str, Any] = {}
    if config is None:
        assumptions.append(f"no config.json: taken for a {family.name} model from its names")
    else:
        refuse_quantized(config, where)
        for key, allowed in family.required.items():
            if config.get(key, allowed[0]) not in allowed:
                raise UnusableInput(
                    f"{where}: config.json has {key} = {config[key]!r}; the {family.name} table "
                    f"describes {key} = {allowed[0]!r} only."
                )
        for fact, keys in family.keys.items():
            values[fact] = next((config[k] for k in keys if config.get(k) is not None), None)
    for fact in ("activation", "eps"):
        if values.get(fact) is None:
            values[fact] = family.defaults[fact]
            if config is None or family.keys[fact]:  # else the library has no key for it
                assumptions.append(
                    f"{fact} is not in the configuration: {family.name}'s value {values[fact]}"
                )
    for fact in ("width", "heads", "kv_heads", "head_width", "layers", "ff_width"):
        value = values.get(fact)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if value is not None and (not whole or value < 1):
            raise UnusableInput(
                f"{where}: config.json has {family.keys[fact][0]} = {value!r}; expected a "
                "positive integer."
            )
    eps = values["eps"]
    real = isinstance(eps, int | float) and not isinstance(eps, bool)
    if not (real and math.isfinite(eps) and eps >= 0):
        key = (family.keys["eps"] or ("eps",))[0]
        raise UnusableInput(
            f"{where}: config.json has {key} = {eps!r}; expected a number that is not negative."
        )
    return Facts(
        width=values.get("width"),
        heads=values.get("heads"),
        kv_heads=values.get("kv_heads"),
        head_width=values.get("head_width"),
        layers=values.get("layers"),
        ff_width=values.get("ff_width"),
        activation=activation_name(str(values["activation"])),
        eps=float(eps),
        assumptions=tuple(assumptions),
    )


def refuse_quantized(config: dict[str, Any], where: str) -> None:
    """Raise `UnusableInput` if the stored numbers are codes and not weights."""
    quantization = config.get("quantization_config")
    if quantization:
        method = quantization.get("quant_method", "?") if isinstance(quantization, dict) else "?"
        raise UnusableInput(
            f"{where}: config.json declares quantized weights (quant_method {method}): the file "
            "holds codes, and their norms are not norms of weights. Save the model dequantized."
        )
