"""The attribute-frequency guess: the picture whose attributes are the most common, or the rarest.

By the whole catalog it may not work: what is common in the world is what a model holds likely. In
a gallery the target's attributes are common by definition, for every distractor shares τ of them;
and where labels have gaps a picture with few of them is a target more easily. Both are known only
to who knows the labels, and are reported.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from benchwright.records import Episode
from exports.gating.check import Check
from exports.gating.guesses import guessed
from exports.gating.known_galleries import KnownGalleries
from exports.gating.limits import LIFT

_NAME = "attribute-frequency"


def attribute_frequencies(galleries: KnownGalleries) -> Iterator[Check]:
    """Yield the checks of one config."""
    known = galleries.knowledge
    counts = np.bincount(known.yes, minlength=len(known.values)).astype(np.int64)

    def in_catalog(episode: Episode) -> Mapping[str, npt.ArrayLike]:
        common = _mean_count(galleries.has(episode), counts)
        return {
            "whose attributes are most common": common,
            "whose attributes are rarest": -common,
        }

    yield guessed(
        _NAME,
        galleries.config,
        galleries.episodes,
        in_catalog,
        by=" in the catalog",
        lift=LIFT,
    ).advised("draw targets of all kinds (build-galleries), or complete the labels")

    def in_gallery(episode: Episode) -> Mapping[str, npt.ArrayLike]:
        has = galleries.has(episode)
        common = _mean_count(has, has.sum(axis=0))
        return {
            "whose attributes are most common in its gallery": common,
            "whose attributes are rarest in its gallery": -common,
            "with the fewest attributes": -has.sum(axis=1),
        }

    yield guessed(
        _NAME,
        galleries.config,
        galleries.episodes,
        in_gallery,
        by=", by labels, which models do not see",
    )


def _mean_count(has: npt.NDArray[np.bool_], counts: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the mean of the counts of what each picture has, 0 for one that has nothing."""
    # one division of whole numbers, which rounds alike on every machine
    sums = has.astype(np.int64) @ np.asarray(counts)
    means: npt.NDArray[np.float64] = sums / np.maximum(has.sum(axis=1), 1)
    return means
