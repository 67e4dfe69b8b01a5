"""What is learnt: of each value whether a picture shows it, and of each type which value it is."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

_OF_TYPES = 0.5  # what choosing in a type weighs beside yes and no


class Targets:
    """The truth of pictures (n, values), with yes and no of every value weighing the same.

    Values are common or rare by chance of the drawing; a model that always says no must gain
    nothing by it.
    """

    def __init__(self, truth: Tensor, kinds: Sequence[str]) -> None:
        self._truth = truth.float()
        often = self._truth.mean(dim=0).clamp(1e-3, 1 - 1e-3)
        self._yes, self._no = 0.5 / often, 0.5 / (1 - often)
        self._types = list(_spans(kinds))

    def loss(self, rows: Any, margins: Tensor, similarity: Tensor) -> Tensor:
        """Return the loss of (n, values) log-odds and of what values of a type compare by."""
        truth = self._truth[rows]
        weight = truth * self._yes + (1 - truth) * self._no
        own = binary_cross_entropy_with_logits(margins, truth, weight=weight)
        chosen = [
            cross_entropy(similarity[:, span], truth[:, span].argmax(dim=1)) for span in self._types
        ]
        return own + _OF_TYPES * torch.stack(chosen).mean()

    def balanced(self, rows: Any, margins: Tensor) -> Tensor:
        """Return how often yes and no are right by a cut at 0, (values,), each weighing half."""
        truth = self._truth[rows].bool()
        right = (margins > 0) == truth
        yes = (right & truth).sum(dim=0) / truth.sum(dim=0).clamp(min=1)
        no = (right & ~truth).sum(dim=0) / (~truth).sum(dim=0).clamp(min=1)
        return (yes + no) / 2


def _spans(kinds: Iterable[str]) -> Iterable[slice]:
    start = 0
    for _, members in groupby(kinds):
        end = start + len(list(members))
        yield slice(start, end)
        start = end
