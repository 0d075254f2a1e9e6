"""The classes and covers that a parameter may use, as rows of a `Menu` with their JSON.

A class is paid for (its grid indices are chosen after seeing the weights); the method by which a
given class is covered is free. Every row here is re-derived by the checker from the lemmas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from majorant.numerics.optimize.allocation import Menu
from majorant.numerics.optimize.grids import index_up, log_ratio
from majorant.numerics.optimize.parameters import Parameter
from majorant.numerics.optimize.prices import kind_price, rank_price, real_price, staircase_price
from majorant.numerics.optimize.selberg import jacobian_excess, log_selberg

MATRIX_KINDS = ("zero", "low-rank", "truncated", "staircase")
COUNTING_KINDS = ("zero", "norm")
VECTOR_KINDS = ("zero", "ball")


@dataclass
class Row:
    """One way to cover one parameter: its class and method (JSON), and its entropy's blocks."""

    family: dict[str, Any]
    method: dict[str, Any]
    price: float
    const: float = 0.0
    log_tau: float = -math.inf
    dims: list[float] = field(default_factory=list)
    log_reach: list[float] = field(default_factory=list)


def staircase_knots(smaller: int) -> list[int]:
    """U4's knots `0 < 1 < 2 < 4 < ... < smaller`, with `smaller` itself as the end.

    >>> staircase_knots(6)
    [0, 1, 2, 4, 6]
    """
    knots, power = [0], 1
    while power < smaller:
        knots.append(power)
        power *= 2
    return [*knots, smaller]


def _ranks(rank: int) -> list[int]:
    """Ranks to try: all up to 16, then six per octave, and the full rank."""
    chosen = set(range(1, min(rank, 16) + 1)) | {rank}
    value = 16.0
    while value < rank:
        value *= 2 ** (1 / 6)
        chosen.add(min(rank, round(value)))
    return sorted(chosen)


def _blocks(shape: tuple[int, int], knots: Sequence[int]) -> list[float]:
    return [(hi - lo) * (shape[0] + shape[1] - lo - hi)
            for lo, hi in pairwise(knots)]


def merged_blocks(n1: int, n2: int, knots: Sequence[int],
                  log_levels: Sequence[float]) -> tuple[tuple[int, ...], list[float]]:
    """The coarsening of a staircase whose C4s entropy is least when the radius is small.

    A cut lowers the level of what follows and raises `Delta`; both are sums over blocks, so the
    best subset of the knots is a shortest path.

    >>> merged_blocks(8, 8, (0, 1, 2), [0.0, 0.0])
    ((0, 2), [0.0])
    """
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(knots)):
        costs = []
        for start in range(end):
            lo, hi = knots[start], knots[end]
            volume = log_selberg(hi - lo, n2 - n1 + 2 * (n1 - hi))
            dims = (hi - lo) * (n1 + n2 - lo - hi)
            costs.append((best[start][0] + dims * log_levels[start] + volume, start))
        best.append(min(costs))
    path = [len(knots) - 1]
    while path[-1]:
        path.append(best[path[-1]][1])
    path.reverse()
    return tuple(knots[at] for at in path), [log_levels[at] for at in path[:-1]]


def vector_rows(parameter: Parameter, fineness: int) -> list[Row]:
    """A ball around 0 on the grid; nothing at all where the verified norm is exactly 0."""
    price = kind_price(len(VECTOR_KINDS))
    if parameter.norm == 0:
        return [Row({"kind": "zero"}, {"method": "none"}, price)]
    j = index_up(parameter.norm, fineness)
    reach = 1.0 if parameter.kind == "gain" else 2.0
    return [Row({"kind": "ball", "C": j}, {"method": "ball"}, price + real_price(j),
                dims=[float(parameter.shape[0])],
                log_reach=[math.log(reach) + j * log_ratio(fineness)])]


def matrix_rows(parameter: Parameter, fineness: int,
                kinds: Sequence[str] = MATRIX_KINDS) -> list[Row]:
    """Every class and method worth trying for a matrix with these verified singular values."""
    n1, n2 = sorted(parameter.shape)
    base = kind_price(len(kinds))
    rank = parameter.rank
    if rank == 0:
        return [Row({"kind": "zero"}, {"method": "none"}, base)]
    step = log_ratio(fineness)
    index = [index_up(x, fineness) for x in parameter.sigma[:rank]]
    top, log_top = index[0], index[0] * step
    rows: list[Row] = []

    def single(family: dict[str, Any], price: float, k: int, log_tau: float) -> None:
        flat = [float(k * (n1 + n2))] if k else []
        rows.append(Row(family, {"method": "C3", "rank": k}, price, 0.0, log_tau, flat,
                        [math.log(4) + log_top] if k else []))
        if k:
            rows.append(Row(family, {"method": "C4s", "knots": [k]}, price,
                            jacobian_excess(n1, n2, (0, k)), log_tau,
                            _blocks((n1, n2), (0, k)), [math.log(2) + log_top]))

    if "norm" in kinds:
        rows.append(Row({"kind": "norm", "C": top}, {"method": "C1"}, base + real_price(top), 0.0,
                        -math.inf, [float(n1 * n2)], [math.log(2) + log_top]))
    if "low-rank" in kinds:
        family = {"kind": "low-rank", "C": top, "rank": rank}
        price = base + real_price(top) + rank_price(n1)
        single(family, price, rank, -math.inf)
        rows.append(Row(family, {"method": "C1"}, price, 0.0, -math.inf, [float(n1 * n2)],
                        [math.log(2) + log_top]))
    if "truncated" in kinds:
        for k in [0, *_ranks(rank)]:
            if k < rank:
                family = {"kind": "truncated", "C": top, "rank": k, "tau": index[k]}
                price = base + real_price(top) + rank_price(n1) + real_price(index[k])
                single(family, price, k, index[k] * step)
    if "staircase" in kinds:
        knots = [k for k in staircase_knots(n1) if k < rank]
        levels = [index[k] for k in knots]
        family = {"kind": "staircase", "rank": rank, "levels": levels}
        price = base + rank_price(n1) + staircase_price(levels)
        for count in range(1, len(knots) + 1):
            cut = knots[count] if count < len(knots) else rank
            log_tau = levels[count] * step if count < len(knots) else -math.inf
            ends, tops = merged_blocks(n1, n2, (*knots[:count], cut),
                                       [e * step for e in levels[:count]])
            rows.append(Row(family, {"method": "C4s", "knots": list(ends[1:])}, price,
                            jacobian_excess(n1, n2, ends), log_tau, _blocks((n1, n2), ends),
                            [math.log(2) + top for top in tops]))
            rows.append(Row(family, {"method": "C3", "rank": cut}, price, 0.0, log_tau,
                            [float(cut * (n1 + n2))], [math.log(4) + levels[0] * step]))
    return rows


def rows_of(parameter: Parameter, fineness: int,
            kinds: Sequence[str] = MATRIX_KINDS) -> list[Row]:
    """The rows of a matrix, a vector or a gain.

    >>> rows = rows_of(Parameter("w", "matrix", (4, 4), sigma=(1.0, 0.5)), fineness=4)
    >>> sorted({row.family["kind"] for row in rows})
    ['low-rank', 'staircase', 'truncated']
    """
    if parameter.kind == "matrix":
        return matrix_rows(parameter, fineness, kinds)
    return vector_rows(parameter, fineness)


def menu_of(rows: Sequence[Sequence[Row]]) -> Menu:
    """The flat menu of these rows, one list of candidates per parameter."""
    flat = [row for options in rows for row in options]
    dims: list[float] = []
    reach: list[float] = []
    starts: list[int] = []
    for row in flat:
        starts.append(len(dims))
        dims.extend(row.dims or (0.0,))
        reach.extend(row.log_reach or (-math.inf,))
    sizes = np.cumsum([0, *(len(options) for options in rows)])[:-1]
    return Menu(np.array(dims), np.array(reach), np.array(starts, dtype=np.intp),
                np.array([row.log_tau for row in flat]),
                np.array([row.const + row.price for row in flat]), sizes.astype(np.intp))
