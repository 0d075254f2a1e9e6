"""All derivatives of a 12-block network: seconds by order, and against a direct sum.

    python benchmarks/bench_derivatives.py [FILE.json]

prints tables; with a file, also keeps the numbers there (docs/generate/derivatives.py draws them).
One thread, processor time. The reference is Faa di Bruno's formula as a sum over ALL set
partitions (4140 of 8 things), as a reviewer would write it with care: derivatives of both
functions are numbers already, partitions are listed once and kept (and only those into blocks for
which the inner derivative is not 0). It comes in two forms, a loop, and a NumPy table with one row
a partition. What it does not do is to add up partitions of equal block sizes before: that is
another formula (Bell polynomials). The target of 100 times is held against the loop in the same
arithmetic, in floats and in balls; the ratio to the NumPy table is printed beside it, and so are
the ratios of whole networks, where compositions are only a part of the work.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, ctx

from majorant.derivation.network import parameters, post_norm_encoder
from majorant.derivation.network.series import propagate_series
from majorant.numerics.rings import BallRing, LogFloatRing
from majorant.numerics.rings.straight_line import composition

BLOCKS, HEADS, WIDTH, HIDDEN = 12, 12, 768, 3072
ORDERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
ORDER = 8


def seconds(run: Callable[[], object], runs: int = 1, repeat: int = 5) -> float:
    """The best processor time of a few repetitions, of one of `runs` runs in each."""
    best = math.inf
    for _ in range(repeat):
        start = time.process_time()
        for _ in range(runs):
            run()
        best = min(best, (time.process_time() - start) / runs)
    return best


def partitions(items: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Block sizes (at most `largest`) of every set partition of `items` things."""
    if items == 0:
        yield ()
        return
    for companions in range(min(items, largest)):
        for _ in itertools.combinations(range(items - 1), companions):
            for others in partitions(items - 1 - companions, largest):
                yield (companions + 1, *others)


@functools.cache
def kept_partitions(order: int, largest: int) -> list[tuple[int, ...]]:
    return list(partitions(order, largest))


@functools.cache
def kept_tables(order: int, largest: int) -> tuple[list[Any], list[Any]]:
    """For each order: block sizes padded by 0 (whose factor is 1), and numbers of blocks."""
    sizes, counts = [], []
    for k in range(1, order + 1):
        rows = kept_partitions(k, largest)
        table = np.zeros((len(rows), k), dtype=np.intp)
        for number, row in enumerate(rows):
            table[number, :len(row)] = row
        sizes.append(table)
        counts.append(np.array([len(row) for row in rows], dtype=np.intp))
    return sizes, counts


def direct_loop(outer: Sequence[Any], inner: Sequence[Any], order: int) -> list[Any]:
    """`D_k` of `g o f` for `k <= order`, one product for every set partition."""
    largest = len(inner) - 1
    result = [outer[0]]
    for k in range(1, order + 1):
        total = 0 * outer[0]
        for sizes in kept_partitions(k, largest):
            product = outer[len(sizes)]
            for size in sizes:
                product *= inner[size]
            total += product
        result.append(total)
    return result


def direct_table(outer: Sequence[float], inner: Sequence[float], order: int) -> list[float]:
    """The same sum, all partitions of one order at once."""
    tables, counts = kept_tables(order, len(inner) - 1)
    g = np.array(outer)
    f = np.array([1.0, *inner[1:]])
    return [outer[0], *(float(g[count] @ f[table].prod(axis=1))
                        for table, count in zip(tables, counts, strict=True))]


def on_taylor(direct: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """The direct sum between Taylor coefficients, as the propagation through a network needs."""
    def compose(outer: Sequence[Any], inner: Sequence[Any], order: int) -> list[Any]:
        found = direct([math.factorial(k) * x for k, x in enumerate(outer[:order + 1])],
                       [math.factorial(k) * x for k, x in enumerate(inner)], order)
        return [x / math.factorial(k) for k, x in enumerate(found)]

    return compose


class DirectFloats(LogFloatRing):
    """Log-floats whose compositions are direct sums, with the same scaling to floats."""

    @staticmethod
    def composition(order: int, terms: int) -> Any:
        return lambda outer, inner: on_taylor(direct_table)(outer, inner, order)


class DirectBalls(BallRing):
    """Balls whose compositions are direct sums."""

    def compose(self, outer: Sequence[arb], inner: Sequence[arb], order: int) -> list[arb]:
        return on_taylor(direct_loop)(outer, inner, order)


def one_composition() -> dict[str, float]:
    """Seconds of one composition of full series, all orders up to 8."""
    outer = [1, 1, 1, 2, 8, 40, 240, 1680, 13440]
    inner = [0, 3, 5, 7, 11, 13, 17, 19, 23]
    assert len(kept_partitions(ORDER, ORDER)) == 4140
    taylor = [[x / math.factorial(k) for k, x in enumerate(values)] for values in (outer, inner)]
    kernel = composition(ORDER, ORDER + 1)
    floats = [[float(x) for x in values] for values in (outer, inner)]
    ours = kernel(*taylor)
    for direct in (direct_loop, direct_table):
        reference = direct(*floats, ORDER)
        assert all(math.isclose(reference[k], math.factorial(k) * ours[k], rel_tol=1e-12)
                   for k in range(1, ORDER + 1))
    found = {
        "floats": seconds(lambda: kernel(*taylor), 2000),
        "floats_loop": seconds(lambda: direct_loop(*floats, ORDER), 5),
        "floats_table": seconds(lambda: direct_table(*floats, ORDER), 20)}
    with ctx.workprec(128):
        balls = [[arb(x) for x in values] for values in (outer, inner)]
        lifted = [[x / math.factorial(k) for k, x in enumerate(values)] for values in balls]
        ring = BallRing()
        exact = ring.compose(*lifted, ORDER)
        reference = direct_loop(*balls, ORDER)
        assert all(reference[k].overlaps(math.factorial(k) * exact[k]) for k in range(ORDER + 1))
        found["balls"] = seconds(lambda: ring.compose(*lifted, ORDER), 500)
        found["balls_loop"] = seconds(lambda: direct_loop(*balls, ORDER), 1, 3)
    return found


def main() -> None:
    network = post_norm_encoder(BLOCKS, HEADS, WIDTH, HIDDEN, "gelu", eps="1e-5", outputs=2)
    floats = dict.fromkeys(parameters(network), math.log(2)) | {"input": math.log(10)}
    rows = []
    print(f"{BLOCKS} blocks, {HEADS} heads, width {WIDTH}: all orders up to k, one thread")
    print(f"{'k':>3} {'floats s':>10} {'balls s':>10} {'log10 D_k':>12} {'log10 radius':>12}")
    with ctx.workprec(128):
        balls = dict.fromkeys(parameters(network), arb(2)) | {"input": arb(10)}
        for order in ORDERS:
            fast = seconds(lambda order=order: propagate_series(  # type: ignore[misc]
                network, floats, LogFloatRing(), order))
            exact = seconds(lambda order=order: propagate_series(  # type: ignore[misc]
                network, balls, BallRing(), order), repeat=3)
            bound = propagate_series(network, floats, LogFloatRing(), order).bound(order)
            log10 = bound / math.log(10)
            radius = (math.lgamma(order + 1) - bound) / order / math.log(10)
            rows.append({"order": order, "floats": fast, "balls": exact, "log10_bound": log10,
                         "log10_radius": radius})
            print(f"{order:>3} {fast:>10.4f} {exact:>10.4f} {log10:>12.2f} {radius:>12.3f}")
        one = one_composition()
        slow = {"floats": seconds(lambda: propagate_series(
                    network, floats, DirectFloats(), ORDER), repeat=3),
                "balls": seconds(lambda: propagate_series(
                    network, balls, DirectBalls(), ORDER), repeat=1)}
    assert rows[-1]["floats"] < 1, "order 10 in floats: the target is 1 s"
    assert rows[-1]["balls"] < 10, "order 10 in balls: the target is 10 s"

    print(f"one composition, orders 1 to {ORDER}, against the sum over set partitions:")
    for name, against in (("floats", "loop"), ("floats", "table"), ("balls", "loop")):
        ours, theirs = one[name], one[f"{name}_{against}"]
        print(f"  {name}: {ours * 1e6:.2f} us, as a {against} {theirs * 1e6:.0f} us, "
              f"{theirs / ours:.0f} times")
    for name, taken in slow.items():
        ours = next(row[name] for row in rows if row["order"] == ORDER)
        print(f"the whole network to order {ORDER} in {name}: {ours:.4f} s, with direct sums "
              f"{taken:.4f} s, {taken / ours:.1f} times")
    for name in ("floats", "balls"):
        assert one[f"{name}_loop"] / one[name] >= 100, f"{name}: the target is 100 times"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(
            {"orders": rows, "composition": one, "network": slow}, indent=1) + "\n",
            encoding="utf-8")


if __name__ == "__main__":
    main()
