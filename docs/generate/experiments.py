"""Writes docs/experiments.md from the saved reports in docs/reports.

Usage: python docs/generate/experiments.py. Each report is the report.json that
`majorant experiment NAME -o DIR` leaves.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from majorant.derivation.rounding import rounded_up

DOCS = Path(__file__).resolve().parents[1]


def normalized(report: dict[str, Any]) -> list[str]:
    """The Transformer of the normalized family, trained with its spectrum in check."""
    rows = [f"| {name} | {at_most(found)} | "
            f"{show(found.get('n_star'), found.get('log10_n_star'))} |"
            for name, found in report["bounds"].items()]
    return [
        "## A Transformer trained to be certified", "",
        f"Two blocks, two heads, width 32, {report['n']:,} fresh random sequences of a two-hop "
        f"recall task with at least 2^{report['log2_inputs']:.0f} inputs. A linear model on the "
        f"bag of tokens errs on {report['linear_error']:.3f} of the test sequences, the trained "
        f"network with uniform attention on {report['uniform_error']:.3f}.", "",
        f"**Certified error {rounded_up(report['bound'], 4)}, measured test error "
        f"{report['test_error']:.4f}.** The certificate holds with probability 0.95; its "
        f"entropy is {report['entropy']:.0f} nats. Sampling, training, compression and certificate "
        f"took {report['seconds']:.0f} seconds on one core.", "",
        "Every shipped bound on the same network, sample and margin:", "",
        "| bound | value | n* |", "| --- | --- | --- |", *rows, ""]


def finetune(report: dict[str, Any]) -> list[str]:
    """The fine-tuned sentence encoder."""
    return [
        "## A fine-tune of a real encoder", "",
        f"MiniLM with a rank-{report['rank']} update of its last feed-forward matrix and a linear "
        f"head, {' against '.join(report['classes'])} snippets, {report['n']:,} training texts of "
        "a pool split uniformly.", "",
        "| network | certified error | measured test error | stands on |",
        "| --- | --- | --- | --- |",
        f"| as trained | {rounded_up(report['bound'], 4)} | {report['test_error']:.4f} | "
        f"G5 with G7, {report['entropy']:.0f} nats |",
        f"| quantized | {rounded_up(report['compressed_bound'], 4)} | "
        f"{report['compressed_test_error']:.4f} | G6, a code of "
        f"{report['code_nats']:.0f} nats |", "",
        "The run leaves `fine-tuned/`, a LoRA adapter in PEFT's format with its head, and "
        "`variances.json`, what was measured. The first bound can be derived again from these:",
        "", "```", f"majorant certify DIR/fine-tuned --reference demo -n {report['n']} \\",
        "    --variances DIR/variances.json -o cert.json", "```", "",
        "`majorant.json` in that folder declares how rows are pooled, which tensor is the head, "
        "and that `lora_A` was drawn from a seed; `--reference` verifies it: `lora_A` is what the "
        "seed draws, and nothing but this update and the head moved. Then only `lora_B` and the "
        "head are paid for, and rows of the last activation times `lora_A` that are longer than 2 "
        "count as errors. `majorant measure DIR/fine-tuned train.txt --reference demo --labels "
        "labels.txt --margin G -o variances.json` makes such a file from token ids alone, by the "
        "reader's own forward pass. Without `--variances` the same folder gets another, larger "
        "bound, true of any rank-1 update: both factors are paid for, rows are bounded for every "
        "input, and LayerNorm's epsilon is the only lower bound on a variance.", "",
        "What it assumes:", "", *[f"* {line}" for line in report["assumptions"]], ""]


def falsify(report: dict[str, Any]) -> list[str]:
    """Many small models, measured gap against every bound."""
    facts = [f"| {key} | {show(value)} |" for key, value in report.items()
             if isinstance(value, int | float) and not isinstance(value, bool)]
    return ["## The experiment that would falsify the theory", "", str(report["headline"]), "",
            "| quantity | value |", "| --- | --- |", *facts, "",
            "![bound against gap](figures/falsify-gap.png)", ""]


SECTIONS = {"normalized": normalized, "finetune": finetune, "falsify": falsify}


def at_most(found: dict[str, Any]) -> str:
    """A bound, rounded up, or its power of ten."""
    value = found.get("value")
    return show(None, found.get("log10")) if value is None else rounded_up(value, 4)


def show(value: Any, log10: Any = None) -> str:
    """A number for people, or its power of ten."""
    if value is None:
        return "-" if log10 is None else f"10^{log10:.1f}"
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}"


def page() -> str:
    """The page of the reports that are there."""
    lines = ["# Demonstrations", "", "Numbers come from the saved reports; run them again with "
             "`majorant experiment NAME -o DIR` (it resumes).", ""]
    for name, section in SECTIONS.items():
        file = DOCS / "reports" / f"{name}.json"
        if file.exists():
            lines += section(json.loads(file.read_text(encoding="utf-8")))
    return "\n".join(lines)


def main() -> None:
    (DOCS / "experiments.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
