"""Writes docs/one-trajectory.md and its figures from docs/reports/pathwise.json.

Usage: python docs/generate/pathwise.py. The report is the report.json that
`majorant experiment pathwise -o DIR` leaves.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1]
REPORT = DOCS / "reports" / "pathwise.json"


def figures(report: dict[str, Any]) -> None:
    """Guarantee against n and against t; found against allowed."""
    from majorant.cli.figures.canvas import new_figure, save

    curves = report["curves"]
    figure, (left, right) = new_figure(2, f"{curves['chain']}, class {curves['block']}")
    lengths = [row["n"] for row in curves["lengths"]]
    left.loglog(lengths, [row["statistical"] for row in curves["lengths"]], marker="o",
                label=f"expected supremum + concentration, slope {curves['slope']:.4f}")
    first = curves["lengths"][0]
    left.loglog(lengths, [first["statistical"] * (n / first["n"]) ** -0.5 for n in lengths],
                linestyle=":", label="slope -1/2")
    left.set(xlabel="length n of the trajectory", ylabel="guarantee")
    left.legend(fontsize=7)
    right.semilogy([row["later"] for row in curves["times"]],
                   [row["total"] for row in curves["times"]], marker="o")
    right.set(xlabel=f"t - n (n = {curves['at']:,})", ylabel="guarantee")
    save(figure, DOCS / "figures" / "pathwise-guarantee.png")
    figure, (axis,) = new_figure(1, "Largest deviation found, and what is allowed")
    for length, marker in zip(sorted({row["n"] for row in report["rows"]}), "osd^", strict=False):
        rows = [row for row in report["rows"] if row["n"] == length]
        axis.loglog([row["allowed"] for row in rows], [row["found"] for row in rows],
                    marker, label=f"n = {length}")
    ends = [1e-3, max(row["allowed"] for row in report["rows"])]
    axis.loglog(ends, ends, color="gray", label="equal")
    axis.set(xlabel="guarantee (95 %)", ylabel="found by gradient ascent")
    axis.legend(fontsize=8)
    save(figure, DOCS / "figures" / "pathwise-found.png")


def page() -> str:
    """The page of the saved report."""
    report = json.loads(REPORT.read_text(encoding="utf-8"))
    curves = report["curves"]
    rows = [f"| {row['rho']} | {row['noise']} | {row['shape']} | {row['n']:,} | "
            f"{row['found']:.4f} +- {row['standard_error']:.4f} | {row['allowed']:.3f} | "
            f"{row['route']} | {row['ratio']:.0f} |" for row in report["rows"]]
    lengths = [f"| {row['n']:,} | {row['total']:.4g} | {row['route']} |"
               for row in curves["lengths"]]
    return "\n".join([
        "# One trajectory: demonstration", "",
        "Chains with known contraction and known stationary law, tiny Transformers of the class "
        "pushed by gradient ascent to the largest deviation "
        "\\(|\\pi(g)-\\pi_n(g)|\\), and the [guarantee](theory/pathwise.md). Numbers come from "
        "the saved report; `majorant experiment pathwise -o DIR` makes it again (it resumes).", "",
        f"**{report['headline']}** ({report['trajectories']} trajectories; in "
        f"{report['visible']} of them the deviation found is above three standard errors).", "",
        "The chain is \\(Z'=\\rho Z+(1-\\rho)U\\), \\(U\\) uniform on the unit cube or on its "
        "corners, started in the corner 0 or 1. It contracts by exactly \\(\\rho\\), and its "
        "stationary law is that of \\(\\sum_k(1-\\rho)\\rho^kU_k\\) (corners and "
        "\\(\\rho=1/2\\): uniform on the cube). A deviation is maximized on one sample of that law "
        "and measured on another; the table shows the largest over the starts, its standard "
        "error, and expected supremum plus concentration at \\(\\delta=0.05\\). A class is one "
        "residual block with the stated shape and a sigmoid at the end.", "",
        "| rho | U on | class | n | found | allowed | route | allowed / found |",
        "| --- | --- | --- | ---: | --- | ---: | --- | ---: |", *rows, "",
        "![found against allowed](figures/pathwise-found.png)", "",
        "The guarantees above 1 are vacuous: losses are at most 1. The ratios say that they are "
        "far from the deviations that a search finds, not that they are wrong; the search itself "
        "may miss the largest one.", "",
        "## The guarantee against n and t", "",
        f"`majorant pathwise --chain {curves['chain']} --block {curves['block']} -n N -t T --plot "
        "DIR`, empirical risk 0. Fitted on a log-log scale from n = 100,000 on, expected supremum "
        f"plus concentration have **slope {curves['slope']:.4f}** in n; the theory says -1/2. "
        f"The guarantee falls below {curves['target']} from n = {curves['n_star']:,} on "
        "(40 steps after the sample).", "",
        "| n | guarantee, 40 steps later | route |", "| ---: | --- | --- |", *lengths, "",
        "![guarantee against n and t](figures/pathwise-guarantee.png)", "",
        "Right after the sample the bias \\(R_1D\\) dominates: the chain still remembers where it "
        "is. It falls by \\(\\rho\\) each step.", ""])


def main() -> None:
    figures(json.loads(REPORT.read_text(encoding="utf-8")))
    (DOCS / "one-trajectory.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
