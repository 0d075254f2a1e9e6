"""The fine-tuned network as a folder: a LoRA adapter in PEFT's format, its head, what is fixed."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

from majorant.experiments.finetune.model import FineTuned
from majorant.numerics.checkpoints import open_model
from majorant.numerics.checkpoints.declared import FILE, Declared, FixedFactor, seeded_factor

HEAD = "classifier.weight"
NAME = "sentence-transformers/all-MiniLM-L6-v2"  # what the demo package ships


def write_adapter(folder: Path, model: FineTuned, columns: int, seed: int, base: Path) -> None:
    """`lora_A` is the seeded factor, `lora_B` the trained one; `majorant.json` declares that.

    Read it with `--reference BASE`. The certified function is `W_0 + B A` as these factors say,
    not a merged matrix that was rounded to float32.
    """
    weight = open_model(base).blocks[-1].feed_forward.output_view
    rank = len(model.update)
    module = "base_model.model." + weight.name.removesuffix(".weight")
    factor = torch.from_numpy(seeded_factor(weight.shape[0], columns, seed)[:, :rank]).float()
    folder.mkdir(exist_ok=True)
    save_file({f"{module}.lora_A.weight": factor.T.contiguous(),
               f"{module}.lora_B.weight": model.update.detach().float().T.contiguous(),
               f"base_model.model.{HEAD}": model.readout.detach().float()[None, :].contiguous()},
              folder / "adapter_model.safetensors")
    config = {"peft_type": "LORA", "r": rank, "lora_alpha": rank, "bias": "none",
              "base_model_name_or_path": NAME, "inference_mode": True,
              "target_modules": [weight.name.removesuffix(".weight")]}
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    declared = Declared("mean", (HEAD,), FixedFactor(weight.name, seed, columns))
    (folder / FILE).write_text(json.dumps(declared.json(), indent=1) + "\n", encoding="utf-8")
