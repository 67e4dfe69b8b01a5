"""Embedding what is shown of pictures: what is stored is read, the rest is made and stored."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchwright.asking.requests import View
from benchwright.clip.embedder import Embedder, Vectors
from benchwright.clip.spreading import Pixels, Spread
from benchwright.clip.store import EmbeddingStore, Key, key_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOfPicture:
    """What a view shows of the picture whose bytes have this hash; ``pixels`` makes it."""

    sha256: str
    pixels: Pixels
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
    spread: Spread | None = None,
) -> Vectors:
    """Return the embeddings in the order of the views, (n, d); equal ones are made once.

    Each batch is stored before the next one begins, unless they are ``spread`` over a cluster:
    then some are on their way. ``shown`` wraps the batches that are made.
    Raises what ``pixels`` raises; batches before it are stored.
    """
    keys = [each.key for each in views]
    first = dict(zip(reversed(keys), reversed(views), strict=True))
    found = dict(store.found(list(first)))
    # views of one picture side by side: its source is decoded once
    missing = sorted(key for key in first if key not in found)
    starts = range(0, len(missing), embedder.batch)
    batches = [missing[start : start + embedder.batch] for start in starts]
    looks = ([first[key].pixels for key in batch] for batch in batches)
    made = _each(embedder, looks) if spread is None else spread.vectors(looks)
    for batch in shown(batches):
        vectors = next(made)
        store.add(batch, vectors)
        found.update(zip(batch, vectors, strict=True))
    rows = [found[key] for key in keys]
    return np.stack(rows) if rows else np.zeros((0, 1), np.float32)


def _each(embedder: Embedder, batches: Iterable[Sequence[Pixels]]) -> Iterator[Vectors]:
    for batch in batches:
        yield embedder.pictures(pixels() for pixels in batch)
