"""Writes docs/n-star.md: n* of every bound, two models, three readings of the architecture.

Usage: python docs/generate/n_star.py (minutes; it needs the extra `experiments`). LayerNorm
variances come from `numerics.networks.measure`, on Python source for the demo model and on random
tokens for the BERT-base-size model, which has random weights. Numbers are kept in docs/n-star.json.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

from majorant.cli.empirical import G7_BOUNDS
from majorant.experiments.finetune.corpus import build_pool
from majorant.numerics.certificates import Empirical, Problem
from majorant.numerics.certificates.from_checkpoint import sized_network
from majorant.numerics.certificates.issue import ALL_BOUNDS, prepare
from majorant.numerics.checkpoints import open_model, resolve
from majorant.numerics.networks.measure import measure as measure_variances
from majorant.numerics.spectra import SpectrumSet, spectra

DOCS = Path(__file__).resolve().parents[1]


def stars(source: str, found: SpectrumSet, block: str,
          variances: dict[str, float] | None = None) -> dict[str, float]:
    """log10 of n* for every bound (a margin of 1, no margin errors, delta 0.05, 512 tokens)."""
    sized = sized_network(source, block, spectra=found, floors=variances is not None)
    problem = Problem(sized.network, sized.parameters, sized.numbers, 1, "0.05",
                      Empirical(1.0, 0, variances or {}), 512)
    names = ALL_BOUNDS if variances is None else G7_BOUNDS
    result = {}
    for name in names:
        log = prepare(problem, name).log_n_star() / math.log(10)
        if math.isfinite(log):
            result[name] = log
    return result


def measure(source: str, tokens: list[list[int]]) -> dict[str, dict[str, float]]:
    """The three readings of one model."""
    found = spectra(source, verified=True)
    variances = measure_variances(open_model(source), [torch.tensor(ids) for ids in tokens]
                                  ).thresholds
    return {
        "twin": stars(source, found, "normalized"),
        "faithful, eps as shipped": stars(source, found, "faithful"),
        "faithful, real variances (G7)": stars(source, found, "faithful", variances),
        "least variance": {key: math.log10(value) for key, value in variances.items()},
    }


def base_size(folder: Path) -> None:
    """A checkpoint of BERT-base size with random weights."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    BertModel(BertConfig(), add_pooling_layer=False).save_pretrained(folder)


def collect() -> dict[str, Any]:
    """All numbers, from scratch."""
    from transformers import AutoTokenizer

    demo = resolve("demo").folder
    tokenizer = AutoTokenizer.from_pretrained(str(demo), local_files_only=True)
    texts = build_pool(["python"], per_class=200, test_share=0.0, seed=0).texts
    ids = [tokenizer(text, truncation=True, max_length=64)["input_ids"] for text in texts]
    rows = {"demo (MiniLM, 6 blocks, width 384)": measure("demo", ids)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        base_size(folder)
        random = [torch.randint(0, 30522, (32,)).tolist() for _ in range(16)]
        rows["BERT-base size, random weights (12 blocks, width 768)"] = measure(
            str(folder), random)
    return rows


def page(rows: dict[str, Any]) -> str:
    """The page of the collected numbers."""
    lines = [
        "# The sample size at which each bound becomes useful", "",
        "`n*` is the least `n` (to one part in ten million, and never less) for which a bound "
        "falls below 1/2 with no margin errors: the fair way to compare bounds that are vacuous "
        "at today's sample sizes. Margin 1, failure "
        "probability 0.05, 512 tokens a sequence (only `published`, `norm` and `norm-zhang` depend "
        "on it). Everything in the blocks is trained from scratch; token and position tables are "
        "frozen.", "",
        "* **twin**: another network, without residual connections, LayerNorm and biases.",
        "* **eps as shipped**: the real block; LayerNorm's epsilon is the only lower bound on a "
        "variance.",
        "* **real variances (G7)**: the real block with the thresholds that `majorant measure` "
        "chooses, on a grid that is paid for. Training examples below a threshold count as errors; "
        "`n*` assumes that there is none. G7 belongs to bounds by a finite list of networks (G5), "
        "so the other bounds have no entry. See [how to use it](how-to/real-variances.md).", ""]
    for model, readings in rows.items():
        columns = [key for key in readings if key != "least variance"]
        lines += [f"## {model}", "", "| bound | " + " | ".join(columns) + " |",
                  "| --- |" + " ---: |" * len(columns)]
        names = list(dict.fromkeys(name for key in columns for name in readings[key]))
        for name in sorted(names, key=lambda name: readings[columns[0]].get(name, math.inf)):
            cells = [f"10^{readings[key][name]:.2f}" if name in readings[key] else "-"
                     for key in columns]
            lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
        least = readings["least variance"]
        lines += ["", f"Variance thresholds: from {10 ** min(least.values()):.3g} to "
                  f"{10 ** max(least.values()):.3g}.", ""]
    lines += ["Reproduce with `python docs/generate/n_star.py`; the weights and the measured "
              "sequences are those that the script makes.", ""]
    return "\n".join(lines)


def main() -> None:
    store = DOCS / "n-star.json"
    rows = json.loads(store.read_text()) if "--page" in sys.argv else collect()
    store.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    (DOCS / "n-star.md").write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
