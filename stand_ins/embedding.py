"""An embedder without torch: it knows colours and their names, and counts what it embeds."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image

from benchwright.clip.drawings import COLOURS
from benchwright.clip.embedder import Vectors, unit_rows

_GREY = np.full((1, 3), 128)
_LEVELS = np.concatenate([np.array(list(COLOURS.values())), _GREY])
_SIDE = 12
_FINE = 6  # numbers of a row that tell unlike pictures of one colour apart


class ColourEmbedder:
    """A ``TestableEmbedder`` of colours: their shares in a picture, those that a text names.

    One that a text names after "without" is none. ``batches`` holds how many pictures came at
    once, ``worded`` the texts that came.
    """

    def __init__(self, *, batch: int = 4, recorded: Path | None = None) -> None:
        self.name, self.identity, self.batch = "colours", "c0" * 32, batch
        self.mean, self.std = (0.5, 0.4, 0.3), (0.2, 0.3, 0.4)
        self.recorded = recorded
        self.batches: list[int] = []
        self.worded: list[str] = []

    def pictures(self, images: Iterable[Image.Image]) -> Vectors:
        """Return a row for each picture; see ``Embedder``."""
        rows = [self._row(image) for image in images]
        self.batches.append(len(rows))
        return unit_rows(np.array(rows))

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text; see ``Embedder``."""
        self.worded += texts
        rows = np.zeros((len(texts), len(_LEVELS) + _FINE))
        for row, text in zip(rows, texts, strict=True):
            said = text.split()
            missing = {word for before, word in pairwise(said) if before == "without"}
            row[: len(COLOURS)] = [name in said and name not in missing for name in COLOURS]
            row[len(COLOURS)] = 0.1
        return unit_rows(rows) if len(texts) else np.zeros((0, rows.shape[1]), np.float32)

    def prepared(self, image: Image.Image) -> Vectors:
        """Return levels as the mean and std say; see ``TestableEmbedder``."""
        small = np.asarray(image.resize((_SIDE, _SIDE), Image.Resampling.BOX), np.float64) / 255
        return np.asarray(((small - self.mean) / self.std).transpose(2, 0, 1), np.float32)

    @contextmanager
    def other_activation(self) -> Iterator[bool]:
        """Have no activation to swap; see ``TestableEmbedder``."""
        yield False

    def _row(self, image: Image.Image) -> np.ndarray:
        small = np.asarray(image.resize((_SIDE, _SIDE), Image.Resampling.BOX), np.float64)
        gaps = np.abs(small.reshape(-1, 1, 3) - _LEVELS).sum(axis=2)
        shares = np.bincount(gaps.argmin(axis=1), minlength=len(_LEVELS)) / _SIDE**2
        shares[-1] *= 0.1  # the ground counts little
        half = small[: _SIDE // 2].mean(axis=(0, 1)), small[_SIDE // 2 :].mean(axis=(0, 1))
        return np.concatenate([shares, np.concatenate(half) / 2550])
