"""Arguments of a lowered function: names, and values as nested lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from majorant.derivation.arguments import arguments_of as arguments_of
from majorant.derivation.errors import UnusableInput


def argument_names(args: Sequence[sp.Basic]) -> dict[sp.Basic, str]:
    """The name of each argument; `UnusableInput` for what cannot be one, or for two alike.

    >>> argument_names([sp.Symbol("x"), sp.IndexedBase("sigma")])
    {x: 'x', sigma: 'sigma'}
    """
    names: dict[sp.Basic, str] = {}
    for arg in args:
        if not isinstance(arg, sp.Symbol | sp.IndexedBase):
            raise UnusableInput(f"{arg}: an argument must be a Symbol or an IndexedBase")
        name = str(arg)
        if arg in names or name in names.values():
            raise UnusableInput(f"{name}: given twice as an argument")
        names[arg] = name
    return names


def call_values(
    names: Mapping[sp.Basic, str], values: Sequence[Any], convert: Callable[[Any, str], Any]
) -> dict[str, Any]:
    """Values by name, families as nested lists, every number through `convert`."""
    if len(values) != len(names):
        raise UnusableInput(
            f"expected {len(names)} values ({', '.join(names.values())}), got {len(values)}"
        )
    given: dict[str, Any] = {}
    for (arg, name), value in zip(names.items(), values, strict=True):
        if isinstance(arg, sp.IndexedBase):
            given[name] = nested(value, name, convert)
        else:
            given[name] = convert(value, name)
    return given


def nested(value: Any, name: str, convert: Callable[[Any, str], Any]) -> Any:
    """Nested lists with every number converted; arrays and tensors through `tolist`."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [nested(item, name, convert) for item in value]
    return convert(value, name)
