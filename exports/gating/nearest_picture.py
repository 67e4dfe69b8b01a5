"""The nearest-picture guess: by the colours of pictures, by a model that sees, and by labels.

A gallery is built round its target, so by its labels the target lies in the middle: that follows
from what a gallery is, it is reported and cannot fail. What may not be is that a picture gives its
target away to who knows no labels. Colours are the least that any model sees, and their limit is
over chance. A model of vision and language may see the labels themselves, and is held only to what
they already tell; where they tell nearly all, there is nothing left to hold it to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from benchwright.clip.embedder import Embedder
from benchwright.clip.picture_files import embed_pictures
from benchwright.progress import no_progress
from benchwright.records import Episode, Item
from benchwright.thumbnails import read_stored
from benchwright.workers import map_ordered
from benchwright.workspace import Workspace
from exports.gating.check import Check
from exports.gating.guesses import guessed
from exports.gating.known_galleries import KnownGalleries, Mask
from exports.gating.limits import LIFT
from galleries.nearest_picture import Closeness, by_embeddings, by_labels

Longs = npt.NDArray[np.int64]

_SIDE = 32  # pixels of the small picture that is counted
_LEVELS = 4  # of each channel
_FEW = 1_000  # pictures that are read before other processes could have started
_ADVICE = (
    "look at the named galleries for what sets their targets apart (light, background, source,"
    " size), and take pictures of one kind"
)
_NO_QUESTION = (
    "whoever knew all labels could name so many targets without a question: accuracy up to that"
    " need not come of asking; verified accuracy counts no such guess (it is random-guess)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """The pictures of galleries by image id, as vectors of one model or as counts of colours."""

    by_colour: Mapping[str, Longs]
    by_model: Mapping[str, npt.NDArray[np.float32]] | None
    model: str | None


def look_at(workspace: Workspace, items: Sequence[Item], embedder: Embedder | None) -> Pictures:
    """Return what is seen of pictures; raises LostPicture for one that is gone."""
    paths = [workspace.images / (item.image or "") for item in items]
    workers = 1 if len(paths) < _FEW else None
    counts = map_ordered(colours_of, paths, workers)
    by_colour = {item.image_id: count for item, count in zip(items, counts, strict=True)}
    if embedder is None:
        return Pictures(by_colour=by_colour, by_model=None, model=None)
    hashes = {item.image_id: item.sha256 or "" for item in items}
    files = dict(zip(hashes.values(), paths, strict=False))
    vectors = embed_pictures(files, embedder, workspace, no_progress)
    seen = {name: vectors[sha256] for name, sha256 in hashes.items()}
    return Pictures(by_colour=by_colour, by_model=seen, model=embedder.name)


def nearest_pictures(galleries: KnownGalleries, pictures: Pictures) -> Iterator[Check]:
    """Yield the checks of one config."""
    name, config, episodes = "nearest-picture", galleries.config, galleries.episodes
    labels = guessed(
        name,
        config,
        episodes,
        lambda one: _by_labels(galleries.has(one)),
        by=" by labels, which models do not see",
    ).saying(note=_NO_QUESTION)
    yield guessed(
        name,
        config,
        episodes,
        lambda one: _most_and_least(_by_colour([pictures.by_colour[i] for i in one.image_ids])),
        by=" by colour histogram",
        lift=LIFT,
    ).advised(_ADVICE)
    limit = (1.0 if labels.high is None else labels.high) + LIFT
    if pictures.by_model is not None:
        yield guessed(
            name,
            config,
            episodes,
            partial(_by_model, pictures.by_model),
            by=f" by {pictures.model}",
            limit=limit if limit < 1 else None,
        ).advised(_ADVICE)
    yield labels


def colours_of(path: Path) -> Longs:
    """Return how many pixels of a small copy of a stored picture have each of 64 colours."""
    with read_stored(path) as picture:
        picture.draft("RGB", (2 * _SIDE, 2 * _SIDE))  # a JPEG is then decoded small at once
        small = picture.convert("RGB").resize((_SIDE, _SIDE), Image.Resampling.BOX)
    levels = np.asarray(small).astype(np.int64) * _LEVELS >> 8
    cells = levels @ np.array([_LEVELS**2, _LEVELS, 1])
    return np.bincount(cells.ravel(), minlength=_LEVELS**3)


def _by_colour(counts: Sequence[Longs]) -> Closeness:
    """Return the closeness by histogram intersection (Swain & Ballard 1991), in pixels."""
    stacked = np.stack(counts)
    common = np.minimum(stacked[:, None], stacked[None]).sum(axis=2)
    own = np.eye(len(counts), dtype=bool)
    # whole numbers: equal sums are equal, whatever the machine
    return Closeness(
        mean=common.sum(axis=1, where=~own).astype(float),
        least=common.min(axis=1, where=~own, initial=_SIDE**2).astype(float),
    )


def _by_model(
    vectors: Mapping[str, npt.NDArray[np.float32]], episode: Episode
) -> Mapping[str, npt.ArrayLike]:
    return _nearest(by_embeddings(np.stack([vectors[name] for name in episode.image_ids])))


def _by_labels(has: Mask) -> Mapping[str, npt.ArrayLike]:
    """Return the guesses by Sim, and by cosine as models have it: either may tell more."""
    everywhere = np.ones((len(has), 1), bool)  # so that no picture is without any
    close = by_embeddings(np.hstack([has, everywhere]))
    return _nearest(by_labels(has)) | {
        "nearest by cosine on average": close.mean,
        "nearest by cosine to its farthest": close.least,
    }


def _nearest(close: Closeness) -> dict[str, npt.ArrayLike]:
    return {"nearest to the others on average": close.mean, "nearest to its farthest": close.least}


def _most_and_least(close: Closeness) -> dict[str, npt.ArrayLike]:
    return _nearest(close) | {
        "farthest from the others on average": -close.mean,
        "farthest from its farthest": -close.least,
    }
