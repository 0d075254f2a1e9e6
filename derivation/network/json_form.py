"""Network descriptions to JSON and back, without loss and without trusting the file."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import stages

_TYPES = {
    name: cls
    for name, cls in vars(stages).items()
    if is_dataclass(cls) and isinstance(cls, type) and cls.__module__ == stages.__name__
}


def to_json(part: Any) -> Any:
    """Plain dictionaries, lists, strings and integers; each object carries its `type`.

    >>> to_json(stages.Parameter("w", "matrix", 2, 3))
    {'type': 'Parameter', 'id': 'w', 'kind': 'matrix', 'rows': 2, 'cols': 3}
    """
    if is_dataclass(part) and not isinstance(part, type):
        values = {f.name: to_json(getattr(part, f.name)) for f in fields(part)}
        return {"type": type(part).__name__, **values}
    if isinstance(part, tuple):
        return [to_json(item) for item in part]
    return part


def from_json(data: Any) -> stages.Network:
    """The network that `to_json` wrote. Raises `UnusableInput` naming the field that is wrong.

    >>> from_json({"type": "Network"})  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.UnusableInput: network: Network lacks
    family, width, input_radius, blocks
    """
    part = _read(data, stages.Network, "network")
    assert isinstance(part, stages.Network)
    return part


def _read(data: Any, expected: Any, where: str) -> Any:
    origin = get_origin(expected)
    if origin in (Union, UnionType):
        return _read_union(data, get_args(expected), where)
    if origin is tuple:
        if not isinstance(data, list | tuple):
            raise UnusableInput(f"{where}: expected a list, found {type(data).__name__}")
        item = get_args(expected)[0]
        return tuple(_read(entry, item, f"{where}[{k}]") for k, entry in enumerate(data))
    if origin is Literal:
        if data not in get_args(expected):
            raise UnusableInput(f"{where}: expected one of {get_args(expected)}, found {data!r}")
        return data
    if is_dataclass(expected):
        return _read_object(data, (expected,), where)
    if type(data) is not expected:
        raise UnusableInput(f"{where}: expected {expected.__name__}, found {data!r}")
    if expected is int and data < 1:
        raise UnusableInput(f"{where}: expected a positive integer, found {data}")
    return data


def _read_union(data: Any, options: tuple[Any, ...], where: str) -> Any:
    if data is None and type(None) in options:
        return None
    options = tuple(option for option in options if option is not type(None))
    if len(options) == 1:
        return _read(data, options[0], where)
    return _read_object(data, options, where)


def _read_object(data: Any, options: tuple[Any, ...], where: str) -> Any:
    names = [option.__name__ for option in options]
    if not isinstance(data, dict) or data.get("type") not in names:
        found = data.get("type") if isinstance(data, dict) else type(data).__name__
        raise UnusableInput(f"{where}: expected {' or '.join(names)}, found {found}")
    cls = _TYPES[data["type"]]
    hints = get_type_hints(cls, vars(stages))
    known = {f.name for f in fields(cls)}
    unknown = set(data) - known - {"type"}
    if unknown:
        raise UnusableInput(f"{where}: {cls.__name__} has no {', '.join(sorted(unknown))}")
    values = {key: _read(data[key], hints[key], f"{where}.{key}") for key in known & set(data)}
    try:
        return cls(**values)
    except TypeError:
        lacking = [f.name for f in fields(cls) if f.name not in values and _required(f)]
        raise UnusableInput(f"{where}: {cls.__name__} lacks {', '.join(lacking)}") from None


def _required(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
