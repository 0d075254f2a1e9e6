"""Fine-tune a pretrained sentence encoder on local text and certify the classifier."""

from majorant.experiments.finetune.run import run_finetune as run_finetune
