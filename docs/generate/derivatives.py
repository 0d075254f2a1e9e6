"""Writes docs/derivative-bounds.md: closed forms, exponents, activations, tightness, speed.

Usage: python docs/generate/derivatives.py [--measure]. With --measure (minutes) the searches and
the demo model are run again and kept in docs/reports/derivatives.json; the timings are those that
benchmarks/bench_derivatives.py wrote to docs/reports/derivative-speed.json. Formulas and exponents
are computed each time.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import sympy as sp
from flint import arb

from majorant.derivation.blocks.closed_forms import closed_forms
from majorant.derivation.network import parameters, post_norm_encoder
from majorant.derivation.smooth_classes import smooth_entropy
from majorant.derivation.symbols import R_of, d, eps, s
from majorant.experiments.derivatives.tightness import bounds
from majorant.numerics.derivatives.compare import activations_markdown, compare_activations
from majorant.numerics.derivatives.exponents import exponents_markdown

DOCS = Path(__file__).resolve().parents[1]
REPORT = DOCS / "reports" / "derivatives.json"
SPEED = DOCS / "reports" / "derivative-speed.json"
ACTIVATIONS = ("relu", "gelu", "gelu_tanh", "silu", "mish", "quick_gelu", "softplus", "sigmoid",
               "tanh")
LONGEST = 400


def measure() -> None:
    """The searches and the demo model, kept as plain data."""
    from majorant.experiments.derivatives import tightness
    from majorant.experiments.derivatives.cumulants import cumulants
    from majorant.numerics.derivatives.compare import comparison

    def show(done: int, total: int, what: str) -> None:
        print(f"{done}/{total} {what}", file=sys.stderr, flush=True)

    found = {"cumulants": cumulants(), "tightness": tightness(progress=show),
             "demo": comparison("demo", ACTIVATIONS, 4)["comparison"]}
    REPORT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def small_comparison() -> list[dict[str, Any]]:
    """Two post-norm blocks of norm 1 with a comfortable epsilon: activations can be told apart."""
    network = post_norm_encoder(2, 2, 16, 64, "gelu", eps="1")
    norms = dict.fromkeys(parameters(network), arb(1)) | {"input": arb(4)}
    return compare_activations(network, norms, 6, ACTIVATIONS)


def figures(speed: dict[str, Any]) -> None:
    """The curves of the page, as PNG."""
    from majorant.cli.figures.canvas import new_figure, save
    from majorant.cli.figures.derivatives import derivative_figure

    derivative_figure(small_comparison(), "two blocks, norms 1",
                      DOCS / "figures" / "activations.png")
    figure, (left, right) = new_figure(2, "12 blocks, 12 heads, width 768: all orders up to k")
    orders = [row["order"] for row in speed["orders"]]
    for name, marker in (("floats", "o"), ("balls", "s")):
        left.plot(orders, [1e3 * row[name] for row in speed["orders"]], marker=marker, label=name)
    left.set(xlabel="order k", ylabel="milliseconds", ylim=(0, None))
    left.legend(fontsize=8)
    right.plot(orders, [row["log10_bound"] for row in speed["orders"]], marker="o")
    right.set(xlabel="order k", ylabel="log10 of the bound on D_k")
    save(figure, DOCS / "figures" / "derivative-growth.png")


def formulas() -> list[str]:
    """Closed forms by part; those that do not fit a line are linked."""
    lines: list[str] = []
    part = None
    for row in closed_forms():
        if row["part"] != part:
            part = row["part"]
            about = str(row["about"])
            lines += ["", f"**{about[0].upper()}{about[1:]}**", ""]
        if len(str(row["latex"])) > LONGEST:
            link = (f"[gallery](gallery/block_derivative_{row['k']}.md)" if part == "block"
                    else "`majorant derivatives --closed-form`")
            lines += [f"Order {row['k']}: too long for a line, see {link}.", ""]
        else:
            lines += [rf"\[D_{row['k']}\le {row['latex']}\]", ""]
    return lines


def tightness_table(rows: list[dict[str, Any]]) -> list[str]:
    """Bound over the largest derivative found, one row a block type."""
    orders = sorted({row["k"] for row in rows})
    names = dict.fromkeys(row["network"] for row in rows)
    lines = ["| network | " + " | ".join(f"D_{k} found / bound" for k in orders) + " |",
             "| --- |" + " --- |" * len(orders)]
    for name in names:
        limits = bounds(name, max(orders))  # of today; what was found does not change
        cells = [f"{row['found']:.4g} / {limits[row['k']]:.4g} "
                 f"({limits[row['k']] / row['found']:.3g}x)"
                 for row in rows if row["network"] == name]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def smoothness_table() -> list[str]:
    """F8 with all radii 1: nats needed, by dimension, accuracy and number of derivatives."""
    orders = (1, 2, 3, 4, 6)
    lines = ["| d | eps | " + " | ".join(
        "Lipschitz alone" if order == 1 else f"s = {order}" for order in orders) + " |",
        "| --- | --- |" + " ---: |" * len(orders)]
    for dimension in (1, 2, 4):
        for power in (1, 2, 3, 4):
            cells = []
            for order in orders:
                entropy = smooth_entropy.subs(s, order).doit().subs(
                    {d: dimension, eps: sp.Rational(1, 10**power)})
                cells.append(f"{float(entropy.subs({R_of[j]: 1 for j in range(order + 1)})):.3g}")
            lines.append(f"| {dimension} | 10^-{power} | " + " | ".join(cells) + " |")
    return lines


def speed_lines(speed: dict[str, Any]) -> list[str]:
    """What the benchmark measured."""
    one, network = speed["composition"], speed["network"]
    last, eighth = speed["orders"][-1], speed["orders"][7]
    return [
        "| measured | floats | balls |", "| --- | --- | --- |",
        f"| all orders up to {last['order']} of the network | {1e3 * last['floats']:.1f} ms | "
        f"{1e3 * last['balls']:.1f} ms |",
        f"| one composition, orders 1 to 8 | {1e6 * one['floats']:.2f} us | "
        f"{1e6 * one['balls']:.2f} us |",
        f"| the same as a sum over set partitions, loop over a kept list | "
        f"{1e6 * one['floats_loop']:.0f} us, **{one['floats_loop'] / one['floats']:.0f} times** | "
        f"{1e6 * one['balls_loop']:.0f} us, **{one['balls_loop'] / one['balls']:.0f} times** |",
        f"| the same as one NumPy table of partitions | {1e6 * one['floats_table']:.0f} us, "
        f"{one['floats_table'] / one['floats']:.0f} times | |",
        f"| the network to order 8 with direct sums in its compositions | "
        f"{1e3 * network['floats']:.1f} ms, {network['floats'] / eighth['floats']:.1f} times | "
        f"{1e3 * network['balls']:.1f} ms, {network['balls'] / eighth['balls']:.1f} times |"]


def page() -> str:
    """The page, from the saved reports and from the derivation."""
    report = json.loads(REPORT.read_text(encoding="utf-8"))
    speed = json.loads(SPEED.read_text(encoding="utf-8"))
    lines = [
        "# Derivative bounds in numbers", "",
        "Rules and proofs are on [the page of chapter 5](theory/derivatives.md). Everything here "
        "is generated.", "",
        "## Closed forms, orders 1 to 3", "",
        "`majorant derivatives --closed-form` prints them as text and LaTeX. Lower-case lambda, "
        "beta, gamma bound derivatives 1, 2, 3 of a block; U, W, G those of its parts.",
        *formulas(),
        "## Exponents", "",
        "Powers of each quantity in the bound on D_k of one block, as it grows and the others "
        "stay; for depth, powers of the Lipschitz constant of a block per block. "
        "`majorant derivatives --exponents`.", "",
        "Normalization after each layer (post-norm; the input is normalized too):", "",
        exponents_markdown("post"), "",
        "Normalization before each layer, and one at the end (pre-norm):", "",
        exponents_markdown("pre"), "",
        "The bound on D_k grows like the k-th power of the one on D_1 in every quantity except "
        "the gains, whose first power comes from the last normalization alone.", "",
        "## Activations on one network", "",
        "Two post-norm blocks of width 16, all norms 1, epsilon 1 (small bounds, so that "
        "activations can be told apart). "
        "`majorant derivatives CHECKPOINT --compare gelu,silu,tanh --plot DIR` does the same on "
        "real weights.", "",
        activations_markdown(small_comparison()), "",
        "![bounds against the order](figures/activations.png)", "",
        "The demo model (six blocks) with each activation in place of its GELU. The size comes "
        "from the epsilon 1e-12 of its twelve normalizations:", "",
        activations_markdown(report["demo"]), "",
        "## Sound, and how tight", "",
        "Largest derivative found by gradient ascent over inputs, directions and weights, and the "
        "bound: three tokens of width 3 (llama, qwen3: 4), every parameter of norm 1, rows of norm "
        "at most 1, derivatives by nested forward mode. A ratio below 1 would be a fault. The "
        "ascent may miss the largest derivative, so the true ratio is between 1 and the one "
        "printed.", "",
        *tightness_table(report["tightness"]), "",
        "Composition is where the bounds lose: single layers are within a small factor at every "
        "order, but the worst inputs of one layer are not outputs of the one before.", "",
        "Cumulants (A1): the largest joint cumulant of k variables in [-1, 1] that gradient "
        "ascent finds over laws on 2, 4 and 8 atoms, and the bounds. `tilted` is the default.", "",
        "| k | found | tilted | sharp | centred | crude |", "| --- | --- | --- | --- | --- | --- |",
        *(f"| {row['k']} | {row['found']:.4f} | {row['tilted']:.4g} | {row['sharp']:.6g} | "
          f"{row['centred']:.4g} | {row['crude']:.4g} |" for row in report["cumulants"]), "",
        "## What smoothness buys", "",
        "Entropy in nats of the functions on the unit cube of dimension d with s derivatives "
        "bounded by 1 ([F8](theory/derivatives.md#what-smoothness-buys)). It grows like "
        "eps^(-d/s); one derivative is the Lipschitz class.", "",
        *smoothness_table(), "",
        "## Speed", "",
        "Processor time of one thread, `benchmarks/bench_derivatives.py`.", "",
        *speed_lines(speed), "",
        "![time and bound against the order](figures/derivative-growth.png)", "",
        "The time grows slowly with the order, because a composition is cheap against the rest "
        "of a layer; the direct sum grows like the Bell numbers.", ""]
    return "\n".join(lines)


def main() -> None:
    if "--measure" in sys.argv[1:]:
        measure()
    figures(json.loads(SPEED.read_text(encoding="utf-8")))
    (DOCS / "derivative-bounds.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
