"""The training itself: first the picture's tower by a head that is thrown away, then both towers.

Contrasting whole captions, as a CLIP is usually trained, needs millions of pictures before fine
lines count. Here the truth of every value is known, so what the voter will ask is trained
directly: the margin of a picture between a caption with a value and one without.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from labeling.attributes.train_small_clip.augmenting import augmented
from labeling.attributes.train_small_clip.corpus import VALUES, Corpus
from labeling.attributes.train_small_clip.losses import Targets
from labeling.attributes.train_small_clip.recipe import Recipe, Stage
from labeling.attributes.train_small_clip.seeing import said, seen
from labeling.attributes.train_small_clip.wordings import Wordings

_SCALE, _LARGEST = 15.0, 100.0  # of cosines, as log-odds
_CLIPPED = 5.0  # the longest gradient


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Where training is: pictures seen, the loss, and balanced accuracy of the batch by value.

    ``by_captions`` is that of the captions' margins, null where there are none yet.
    """

    passes: int
    loss: float
    by_head: Tensor
    by_captions: Tensor | None


def train(
    network: Any, tokenizer: Any, corpus: Corpus, wordings: Wordings, recipe: Recipe
) -> Iterator[Step]:
    """Train a network in place, a batch a step; the same recipe gives the same on one machine."""
    torch.manual_seed(recipe.seed)
    learner = _Learner(network, tokenizer, corpus, wordings, recipe)
    for stage in recipe.stages:
        yield from learner.learn(stage)
    network.eval()


class _Learner:
    def __init__(
        self, network: Any, tokenizer: Any, corpus: Corpus, wordings: Wordings, recipe: Recipe
    ) -> None:
        self._network, self._tokenizer = network.to(memory_format=torch.channels_last), tokenizer
        self._corpus, self._wordings, self._recipe = corpus, wordings, recipe
        self._targets = Targets(torch.from_numpy(corpus.truth), [kind for kind, _ in VALUES])
        self._head = torch.nn.Linear(recipe.embedding, len(VALUES))
        self._scale = torch.nn.Parameter(torch.tensor(math.log(_SCALE)))
        self._chance = np.random.default_rng(recipe.seed)
        self._words = Random(recipe.seed)
        self._order = _endless(len(corpus.truth), recipe.batch, self._chance)
        self._passes = 0
        seeing = [*network.visual.parameters(), *self._head.parameters()]
        seen_ids = {id(parameter) for parameter in seeing}
        saying = [one for one in network.parameters() if id(one) not in seen_ids]
        groups = [*_decayed(seeing, recipe.decay), *_decayed([*saying, self._scale], recipe.decay)]
        self._optimiser = torch.optim.AdamW(groups, lr=recipe.rate, betas=(0.9, 0.98))

    def learn(self, stage: Stage) -> Iterator[Step]:
        self._network.train()
        recipe = self._recipe
        for step in range(stage.passes // recipe.batch):
            for number, group in enumerate(self._optimiser.param_groups):
                # the first two groups see; words start anew, when there are captions
                group["lr"] = (
                    _rate(self._passes, recipe.passes, recipe)
                    if number < 2
                    else _rate(step * recipe.batch, stage.passes, recipe)
                )
            yield self._step(stage)

    def _step(self, stage: Stage) -> Step:
        rows = next(self._order)
        pictures = augmented(
            self._corpus.pictures[rows], stage.side, self._recipe.spoilt, self._chance
        )
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = seen(self._network, pictures)
        by_head = self._head(found)
        loss = self._targets.loss(rows, by_head, by_head)
        by_captions = None
        if stage.captions:
            by_captions, similarity = self._by_captions(found)
            loss = loss + self._targets.loss(rows, by_captions, similarity)
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), _CLIPPED)
        self._optimiser.step()
        self._passes += len(rows)
        with torch.no_grad():
            return Step(
                passes=self._passes,
                loss=float(loss),
                by_head=self._targets.balanced(rows, by_head),
                by_captions=None
                if by_captions is None
                else self._targets.balanced(rows, by_captions),
            )

    def _by_captions(self, found: Tensor) -> tuple[Tensor, Tensor]:
        """Return (n, values): margins of caption pairs that are drawn anew, and similarities."""
        pairs = self._wordings.pairs(self._words)
        texts = [text for side in zip(*pairs, strict=True) for text in side]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            worded = said(self._network, self._tokenizer, texts)
        with_value, without = worded.split(len(pairs))
        scale = self._scale.clamp(max=math.log(_LARGEST)).exp()
        shown = scale * normalize(found, dim=-1)
        return shown @ (with_value - without).T, shown @ with_value.T


def _rate(done: int, whole: int, recipe: Recipe) -> float:
    """Return the step's length: it rises evenly, then falls along a cosine to a hundredth."""
    warm = min(1.0, (done + recipe.batch) / (recipe.warm * whole))
    return recipe.rate * warm * (0.01 + 0.99 * (0.5 + 0.5 * math.cos(math.pi * done / whole)))


def _decayed(parameters: Iterable[Any], decay: float) -> list[dict[str, Any]]:
    """Return two groups: weights, which decay, and biases and norms, which do not."""
    every = list(parameters)
    return [
        {"params": [one for one in every if one.ndim > 1], "weight_decay": decay},
        {"params": [one for one in every if one.ndim <= 1], "weight_decay": 0.0},
    ]


def _endless(n: int, batch: int, chance: np.random.Generator) -> Iterator[Any]:
    """Yield batches of rows without end, every row once before any comes again."""
    while True:
        order = chance.permutation(n)
        for start in range(0, n - batch + 1, batch):
            yield order[start : start + batch]
