"""Writes docs/activations.md from the certified table: python docs/generate/activations.py"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from majorant.derivation.activations import activation_table

DOCS = Path(__file__).resolve().parents[1]


def decimal(value: Fraction) -> str:
    """Fifteen significant digits."""
    return f"{float(value):.15g}"


def page() -> str:
    """The table of suprema, orders 1 to 12."""
    lines = [
        "# Suprema of derivatives of activations", "",
        "Certified enclosures (F1, F2) of \\(a_k=\\sup|\\varphi^{(k)}|\\), with the location of a "
        "maximum; printed to 15 digits from rational ends that agree to at least 12. "
        "`majorant derivatives --activation gelu --order 12`; any order may be asked for, and "
        "`--compare gelu,silu,tanh` puts several side by side. How the bounds on a network differ "
        "with the activation is on [the page of derivative bounds](derivative-bounds.md).", ""]
    for name, facts in sorted(activation_table().items()):
        lines += [f"## {name}", "", "| k | at least | at most | attained at |",
                  "| --- | --- | --- | --- |"]
        for k, found in enumerate(facts.suprema[:12], 1):
            low, high = facts.supremum(k)
            lines.append(f"| {k} | {decimal(low)} | {decimal(high)} | {found.at} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    (DOCS / "activations.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
