"""Writes docs/n-star.md: n* of every bound, two models, three readings of the architecture.

Usage: python docs/generate/n_star.py (minutes; it needs the extra `experiments`). The demo model's
LayerNorm variances are measured on Python source of the standard library; the BERT-base-size model
has random weights and variances measured on random tokens. Numbers are kept in docs/n-star.json.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

from majorant.experiments.finetune.corpus import build_pool
from majorant.numerics.certificates import Empirical, Problem
from majorant.numerics.certificates.from_checkpoint import sized_network
from majorant.numerics.certificates.issue import BOUNDS, prepare
from majorant.numerics.checkpoints import resolve
from majorant.numerics.spectra import SpectrumSet, spectra

DOCS = Path(__file__).resolve().parents[1]


def least_variances(folder: Path, tokens: list[list[int]]) -> dict[str, float]:
    """The least LayerNorm input variance at each normalization of the blocks, over all tokens."""
    from transformers import BertModel

    model = BertModel.from_pretrained(str(folder), add_pooling_layer=False).eval()
    least: dict[str, float] = {}

    def watch(name: str) -> Any:
        def hook(module: Any, inputs: tuple[torch.Tensor, ...]) -> None:
            value = float(inputs[0].var(-1, unbiased=False).min())
            least[name] = min(least.get(name, math.inf), value)
        return hook

    for number, layer in enumerate(model.encoder.layer):
        layer.attention.output.LayerNorm.register_forward_pre_hook(watch(f"block{number}.norm1"))
        layer.output.LayerNorm.register_forward_pre_hook(watch(f"block{number}.norm2"))
    with torch.no_grad():
        for ids in tokens:
            model(input_ids=torch.tensor([ids]))
    return least


def stars(source: str, found: SpectrumSet, block: str,
          variances: dict[str, float] | None = None) -> dict[str, float]:
    """log10 of n* for every bound (a margin of 1, no margin errors, delta 0.05, 512 tokens)."""
    sized = sized_network(source, block, spectra=found, floors=variances is not None)
    problem = Problem(sized.network, sized.parameters, sized.numbers, 1, "0.05",
                      Empirical(1.0, 0, variances or {}), 512)
    names = BOUNDS if variances is None else ("occam", "parameter-count")
    result = {}
    for name in names:
        log = prepare(problem, name).log_n_star() / math.log(10)
        if math.isfinite(log):
            result[name] = log
    return result


def measure(source: str, folder: Path, tokens: list[list[int]]) -> dict[str, dict[str, float]]:
    """The three readings of one model."""
    found = spectra(source, verified=True)
    variances = least_variances(folder, tokens)
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
    rows = {"demo (MiniLM, 6 blocks, width 384)": measure("demo", demo, ids)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        base_size(folder)
        random = [torch.randint(0, 30522, (32,)).tolist() for _ in range(16)]
        rows["BERT-base size, random weights (12 blocks, width 768)"] = measure(
            str(folder), folder, random)
    return rows


def page(rows: dict[str, Any]) -> str:
    """The page of the collected numbers."""
    lines = [
        "# The sample size at which each bound becomes useful", "",
        "`n*` is the least `n` for which a bound falls below 1/2 with no margin errors: the fair "
        "way to compare bounds that are vacuous at today's sample sizes. Margin 1, failure "
        "probability 0.05, 512 tokens a sequence (only `published` and `norm` depend on it). "
        "Everything in the blocks is trained from scratch; token and position tables are frozen. "
        "Reproduce with `python docs/generate/n_star.py`.", ""]
    for model, readings in rows.items():
        columns = [key for key in readings if key != "least variance"]
        lines += [f"## {model}", "", "| bound | " + " | ".join(columns) + " |",
                  "| --- |" + " --- |" * len(columns)]
        names = list(dict.fromkeys(name for key in columns for name in readings[key]))
        for name in names:
            cells = [f"10^{readings[key][name]:.2f}" if name in readings[key] else "-"
                     for key in columns]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
        smallest = min(readings["least variance"].values())
        lines += ["", f"Least LayerNorm variance measured: 10^{smallest:.2f}.", ""]
    lines += [
        "`twin` is another network: no residuals, no LayerNorm, no biases. `eps as shipped` takes "
        "the LayerNorm epsilon as the only lower bound on a variance. `real variances` is G7: "
        "examples below the measured variance would count as errors, so its price is empirical; "
        "here it assumes that none is below. It applies to the bounds by a spectral code.", ""]
    return "\n".join(lines)


def main() -> None:
    store = DOCS / "n-star.json"
    rows = json.loads(store.read_text()) if "--page" in sys.argv else collect()
    store.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    (DOCS / "n-star.md").write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
