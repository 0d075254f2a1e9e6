"""All derivatives of a 12-block network: seconds by order, and against a direct sum.

    python benchmarks/bench_derivatives.py [FOLDER]

prints a table; with a folder, also writes `growth.csv` (and `growth.svg` if matplotlib is there).
One thread, processor time. The reference is Faa di Bruno's formula as a sum over set partitions
with the derivatives of both functions memoized; its time is given with the listing of the
partitions and, more favourably, with their block sizes listed once and kept.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from flint import arb, ctx

from majorant.derivation.majorants.series import Majorant
from majorant.derivation.network import parameters, post_norm_encoder
from majorant.derivation.network.series import propagate_series
from majorant.derivation.ring import PlainRing
from majorant.numerics.rings import BallRing, LogFloatRing

BLOCKS, HEADS, WIDTH, HIDDEN = 12, 12, 768, 3072


def seconds(run: Callable[[], object], repeat: int = 3) -> float:
    """The best processor time of a few runs."""
    best = math.inf
    for _ in range(repeat):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


class FloatRing(PlainRing):
    """Plain floats, for a comparison with equal arithmetic on both sides."""

    fraction = staticmethod(float)
    add = staticmethod(operator.add)
    mul = staticmethod(operator.mul)


def partitions(items: int) -> Iterator[list[int]]:
    """Block sizes of every set partition of `items` things, one entry for each partition."""
    if items == 0:
        yield []
        return
    for companions in range(items):
        for _ in itertools.combinations(range(items - 1), companions):
            for others in partitions(items - 1 - companions):
                yield [companions + 1, *others]


@functools.cache
def kept_partitions(order: int) -> list[list[int]]:
    return list(partitions(order))


def direct_composition(outer: list[Any], inner: list[Any], order: int) -> list[Any]:
    """`D_k` of `g o f` for `k <= order`, one product for every set partition."""
    result = [outer[0]]
    for k in range(1, order + 1):
        total = 0 * outer[0]
        for sizes in kept_partitions(k):
            product = outer[len(sizes)]
            for size in sizes:
                product *= inner[size]
            total += product
        result.append(total)
    return result


def compare_with_direct_sum(order: int) -> None:
    """One composition, all orders up to `order`, in equal arithmetic on both sides."""
    outer = [1, 1, 1, 2, 12, 58, 308, 2045, 14000]
    inner = [1, 3, 5, 7, 11, 13, 17, 19, 23]
    assert len(kept_partitions(order)) == 4140
    runs = 200
    for name, ring, number in (("floats", FloatRing(), float), ("balls", BallRing(), arb)):
        with ctx.workprec(128):
            g, f = [number(x) for x in outer], [number(x) for x in inner]
            lifted = [Majorant(ring, tuple(x / math.factorial(k) for k, x in enumerate(values)))
                      for values in (g, f)]
            composed = lifted[1].then(lifted[0])
            reference = direct_composition(g, f, order)
            assert all(math.isclose(float(reference[k]), float(composed.bound(k)), rel_tol=1e-12)
                       for k in range(1, order + 1))
            slow = seconds(lambda g=g, f=f: direct_composition(g, f, order))  # type: ignore[misc]
            fresh = seconds(lambda: [list(partitions(k)) for k in range(1, order + 1)])
            quick = seconds(lambda lifted=lifted: [  # type: ignore[misc]
                lifted[1].then(lifted[0]) for _ in range(runs)]) / runs
        print(f"one composition to order {order} in {name}: series {quick * 1e3:.3f} ms; sum over "
              f"set partitions {(slow + fresh) * 1e3:.2f} ms, {(slow + fresh) / quick:.0f} times; "
              f"{slow * 1e3:.2f} ms, {slow / quick:.0f} times, if their list is kept")
    assert (slow + fresh) / quick >= 100, "in the arithmetic of the guarantees: 100 times"


def main() -> None:
    network = post_norm_encoder(BLOCKS, HEADS, WIDTH, HIDDEN, "gelu", eps="1e-5", outputs=2)
    floats = dict.fromkeys(parameters(network), math.log(2)) | {"input": math.log(10)}
    rows = []
    print(f"{BLOCKS} blocks, {HEADS} heads, width {WIDTH}: all orders up to k, one thread")
    print(f"{'k':>3} {'floats s':>10} {'balls s':>10} {'log10 D_k':>12} {'radius':>12}")
    with ctx.workprec(128):
        balls = dict.fromkeys(parameters(network), arb(2)) | {"input": arb(10)}
        for order in (1, 2, 4, 6, 8, 10):
            fast = seconds(lambda order=order: propagate_series(  # type: ignore[misc]
                network, floats, LogFloatRing(), order))
            exact = seconds(lambda order=order: propagate_series(  # type: ignore[misc]
                network, balls, BallRing(), order), repeat=1)
            bound = propagate_series(network, floats, LogFloatRing(), order).bound(order)
            log10 = bound / math.log(10)
            radius = (math.lgamma(order + 1) - bound) / order / math.log(10)
            rows.append((order, fast, exact, log10, radius))
            print(f"{order:>3} {fast:>10.3f} {exact:>10.3f} {log10:>12.2f} {radius:>12.3f}")
    assert rows[-1][1] < 1, "order 10 in floats: the target is 1 s"
    assert rows[-1][2] < 10, "order 10 in balls: the target is 10 s"

    compare_with_direct_sum(8)
    if len(sys.argv) > 1:
        write_growth(Path(sys.argv[1]), rows)


def write_growth(folder: Path, rows: list[tuple[int, float, float, float, float]]) -> None:
    """`growth.csv`, and a plot of the growth of the bounds and of the time with the order."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["order,floats_s,balls_s,log10_D,log10_radius"]
    lines += [",".join(f"{x:.6g}" for x in row) for row in rows]
    (folder / "growth.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.5))
    orders = [row[0] for row in rows]
    left.plot(orders, [row[3] for row in rows], "o-")
    left.set(xlabel="order k", ylabel="log10 of the bound on D_k")
    right.plot(orders, [row[1] for row in rows], "o-", label="floats")
    right.plot(orders, [row[2] for row in rows], "s-", label="balls")
    right.set(xlabel="order", ylabel="seconds, all orders", yscale="log")
    right.legend()
    figure.tight_layout()
    figure.savefig(folder / "growth.svg")


if __name__ == "__main__":
    main()
