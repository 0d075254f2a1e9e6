"""One table per architecture. Adding a family: one file here, one entry below, one test."""

from majorant.numerics.checkpoints.families.bert import BERT
from majorant.numerics.checkpoints.families.distilbert import DISTILBERT
from majorant.numerics.checkpoints.families.gpt2 import GPT2
from majorant.numerics.checkpoints.families.llama import LLAMA
from majorant.numerics.checkpoints.families.phi3 import PHI3
from majorant.numerics.checkpoints.families.roberta import ROBERTA
from majorant.numerics.checkpoints.families.vit import VIT, VIT_FLAT
from majorant.numerics.checkpoints.family import Family

# Order matters only without a configuration: BERT and RoBERTa share their block names.
FAMILIES: tuple[Family, ...] = (BERT, ROBERTA, DISTILBERT, GPT2, LLAMA, PHI3, VIT, VIT_FLAT)
