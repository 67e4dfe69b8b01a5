"""From nothing to a checkpoint: drawings, merges, towers, training, files."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchwright.clip.open_clip_model import open_clip_and_torch
from benchwright.progress import Progress, no_progress
from labeling.attributes.train_small_clip.checkpoint import MERGES, write_checkpoint
from labeling.attributes.train_small_clip.corpus import VALUES, draw_corpus
from labeling.attributes.train_small_clip.merges import learn_merges, write_merges
from labeling.attributes.train_small_clip.recipe import Recipe
from labeling.attributes.train_small_clip.towers import config_of
from labeling.attributes.train_small_clip.wordings import read_wordings

_SAID_EVERY = 200  # steps between two lines


def make_small_clip(
    folder: Path,
    recipe: Recipe,
    *,
    say: Callable[[str], None] = lambda _line: None,
    progress: Progress = no_progress,
) -> None:
    """Draw, train and write the checkpoint into a folder; ``say`` is told how it goes.

    Raises UsageError when the extra clip is not installed.
    """
    open_clip, torch = open_clip_and_torch()
    from labeling.attributes.train_small_clip.training import train  # noqa: PLC0415

    began = time.process_time()
    torch.set_num_threads(1)
    torch.manual_seed(recipe.seed)
    wordings = read_wordings()
    merges = learn_merges(wordings.sentences(), recipe.merges)
    with tempfile.TemporaryDirectory() as place:  # a checkpoint in the folder stays whole so long
        path = Path(place) / MERGES
        write_merges(path, merges)
        tokenizer = open_clip.SimpleTokenizer(bpe_path=str(path), context_length=recipe.context)
    config = config_of(recipe, tokenizer.vocab_size)
    network = open_clip.CLIP(**config["model_cfg"])
    corpus = draw_corpus(recipe.pictures, recipe.drawn_side, recipe.seed, progress)
    say(f"{len(corpus.truth):,} drawings, {tokenizer.vocab_size:,} tokens")
    recent: list[Any] = []
    for number, step in enumerate(train(network, tokenizer, corpus, wordings, recipe), 1):
        recent.append(step)
        if number % _SAID_EVERY == 0:
            say(_line(recent, time.process_time() - began))
            recent.clear()
    texts = [text for pair in wordings.pairs(Random(0)) for text in pair][:12]
    write_checkpoint(folder, network, config, merges, texts)


def _line(recent: list[Any], seconds: float) -> str:
    by_head = np.mean([step.by_head.numpy() for step in recent], axis=0)
    weak = ", ".join(f"{VALUES[at][1]} {by_head[at]:.2f}" for at in by_head.argsort()[:4])
    worded = [step.by_captions.numpy() for step in recent if step.by_captions is not None]
    captions = f", by captions {np.mean(worded):.3f}" if worded else ""
    loss = float(np.mean([step.loss for step in recent]))
    return (
        f"{recent[-1].passes:>9,} pictures seen, {seconds:,.0f} CPU-s: loss {loss:.3f}, balanced"
        f" accuracy by head {by_head.mean():.3f}{captions}; least {weak}"
    )
