"""Faults that were reported of public measures of margins, turned into cases."""

from __future__ import annotations

import torch

from majorant.experiments.networks import NormalizedNetwork
from majorant.experiments.normalized.margins import margins
from majorant.experiments.normalized.task import TwoHopRecall


def test_robust_generalization_measures_margins_are_signed_and_small_samples_work() -> None:
    """`margin.abs()` counts misclassified points as good; `kthvalue(m // 10)` fails for m < 10."""
    task = TwoHopRecall()
    network = NormalizedNetwork(blocks=1, heads=1, width=task.width, hidden=4, rank=2, rank_ff=2,
                                seed=0)
    for count in (1, 3, 9):
        sample = task.sample(count, seed=0)
        found = margins(network, task, sample)
        wrong = margins(network, task, sample._replace(label=-sample.label))
        assert found.shape == (count,)
        assert torch.equal(found, -wrong)
        assert bool((wrong < 0).any() or (found < 0).any())
