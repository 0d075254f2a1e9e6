"""Two controls that show what the task needs: no attention, and no order or pairing of hops.

The linear control sees the bag of tokens (how often each card occurs, and which question is
asked) and is fitted on the training sample; the second control is the trained network itself with
its attention weights replaced by `1/T`, in one block or in both.
"""

from __future__ import annotations

import torch
from torch import Tensor

from majorant.experiments.normalized.task import Sequences, TwoHopRecall


def bag_of_tokens(task: TwoHopRecall, batch: Sequences) -> Tensor:
    """Counts of each card, one-hot question and a constant: `(n, card_kinds + K + 1)`, float64.

    >>> task = TwoHopRecall()
    >>> bag = bag_of_tokens(task, task.sample(3, seed=0))
    >>> bag.shape, bag.sum(dim=1).tolist()
    (torch.Size([3, 79]), [26.0, 26.0, 26.0])
    """
    n = len(batch.label)
    cards = torch.zeros(n, task.card_kinds, dtype=torch.float64)
    cards.scatter_add_(1, batch.cards.long(), torch.ones_like(batch.cards, dtype=torch.float64))
    question = torch.nn.functional.one_hot(batch.question.long(), task.keys).double()
    return torch.cat([cards, question, torch.ones(n, 1, dtype=torch.float64)], dim=1)


def linear_bag_error(task: TwoHopRecall, train: Sequences, test: Sequences, *,
                     steps: int = 25) -> float:
    """Test error of logistic regression on the bag of tokens; ties are errors.

    Fitted by Newton's method (the loss is convex) with a ridge of 1e-6 a sequence.
    """
    features, labels = bag_of_tokens(task, train), train.label.double()
    weights = torch.zeros(features.shape[1], dtype=torch.float64)
    ridge = 1e-6 * len(labels) * torch.eye(len(weights), dtype=torch.float64)
    for _ in range(steps):
        probability = torch.sigmoid(-labels * (features @ weights))
        gradient = -features.T @ (labels * probability) + ridge @ weights
        curvature = (features * (probability * (1 - probability))[:, None]).T @ features + ridge
        step = torch.linalg.solve(curvature, gradient)
        weights = weights - step
        if float(step.norm()) <= 1e-9 * (1.0 + float(weights.norm())):
            break
    margins = test.label * (bag_of_tokens(task, test) @ weights)
    return float((margins <= 0).double().mean())
