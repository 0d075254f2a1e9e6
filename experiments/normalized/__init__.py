"""Demonstration 1: a Transformer of the normalized family with a non-vacuous certificate."""

from majorant.experiments.normalized.run import run_normalized as run_normalized
from majorant.experiments.normalized.settings import FULL as FULL
from majorant.experiments.normalized.settings import QUICK as QUICK
from majorant.experiments.normalized.settings import Settings as Settings
