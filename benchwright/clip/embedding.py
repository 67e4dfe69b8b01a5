"""Embedding what is shown of pictures: what is stored is read, the rest is made and stored."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image

from benchwright.asking.requests import View
from benchwright.clip.embedder import Embedder, Vectors
from benchwright.clip.store import EmbeddingStore, Key, key_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOfPicture:
    """What a view shows of the picture whose bytes have this hash; ``pixels`` makes it."""

    sha256: str
    pixels: Callable[[], Image.Image]
    view: View = field(default_factory=View)

    @property
    def key(self) -> Key:
        """What the embedding is stored under."""
        return key_of(self.sha256, self.view)


def _as_it_is(batches: Iterable[Any]) -> Iterable[Any]:
    return batches


def embed_views(
    views: Sequence[ViewOfPicture],
    embedder: Embedder,
    store: EmbeddingStore,
    shown: Callable[[Iterable[Any]], Iterable[Any]] = _as_it_is,
) -> Vectors:
    """Return the embeddings in the order of the views, (n, d); equal ones are made once.

    Each batch is stored before the next one begins. ``shown`` wraps the batches that are made.
    Raises what ``pixels`` raises; batches before it are stored.
    """
    keys = [each.key for each in views]
    first = dict(zip(reversed(keys), reversed(views), strict=True))
    found = dict(store.found(list(first)))
    # views of one picture side by side: its source is decoded once
    missing = sorted(key for key in first if key not in found)
    starts = range(0, len(missing), embedder.batch)
    for start in shown(starts):
        batch = missing[start : start + embedder.batch]
        vectors = embedder.pictures(first[key].pixels() for key in batch)
        store.add(batch, vectors)
        found.update(zip(batch, vectors, strict=True))
    rows = [found[key] for key in keys]
    return np.stack(rows) if rows else np.zeros((0, 1), np.float32)
