"""Small certificates for the tests: networks of the normalized family with made-up spectra."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from majorant.derivation.certificate import sign
from majorant.derivation.network import normalized, parameters, post_norm_encoder
from majorant.numerics.certificates import Empirical, Problem, issue
from majorant.numerics.optimize import Parameter


def problem(blocks: int = 1, heads: int = 2, width: int = 6, hidden: int = 9, rank: int = 3,
            n: int = 100_000, scale: float = 1.3, outputs: int | None = 2,
            seed: int = 0, faithful: bool = False) -> Problem:
    """A network whose matrices have the given rank (0: full); `faithful`: a post-norm encoder."""
    network = normalized(blocks, heads, width, hidden, "relu", outputs=outputs)
    if faithful:
        network = post_norm_encoder(blocks, heads, width, hidden, "relu", eps="0.5",
                                    outputs=outputs)
    rng = np.random.default_rng(seed)
    table = []
    for name, part in parameters(network).items():
        if part.kind != "matrix":
            table.append(Parameter(name, part.kind, (part.cols,),
                                   norm=float(scale * rng.uniform(0.2, 1.0))))
            continue
        kept = min(part.rows, part.cols, rank or 10**9)
        sigma = np.sort(scale * rng.uniform(0.2, 1.0, kept))[::-1]
        table.append(Parameter(name, "matrix", (part.rows, part.cols),
                               sigma=tuple(float(x) for x in sigma)))
    return Problem(network, tuple(table), {"input": 1.0}, n, "0.05", Empirical(0.4, n // 50),
                   seq_len=20)


@lru_cache(maxsize=32)
def _issued(bound: str, split: str, **options: Any) -> dict[str, Any]:
    return issue(problem(**options), bound, split=split)


def certificate(bound: str = "occam", split: str = "best", **options: Any) -> dict[str, Any]:
    """A fresh copy of a small certificate."""
    return copy.deepcopy(_issued(bound, split, **options))


def resigned(changed: dict[str, Any]) -> dict[str, Any]:
    """The certificate signed again, as its dishonest author would."""
    return sign(changed["inputs"], changed["proposal"], changed.get("claim"))


def leaves(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all leaves of nested dictionaries and lists."""
    if isinstance(part, dict) and part:
        for key in part:
            yield from leaves(part[key], (*path, key))
    elif isinstance(part, list) and part:
        for at, item in enumerate(part):
            yield from leaves(item, (*path, at))
    else:
        yield path


def at(part: Any, path: tuple[Any, ...]) -> Any:
    """The value at a path."""
    for key in path:
        part = part[key]
    return part


def put(part: Any, path: tuple[Any, ...], value: Any) -> None:
    """Set the value at a path."""
    at(part, path[:-1])[path[-1]] = value
