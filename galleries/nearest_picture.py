"""The nearest-picture guess: who asks nothing names the picture that is nearest to the others.

A gallery is built round its target: each distractor was taken for being like the target, not for
being like another distractor. So the picture in the middle may give the target away before any
question is asked. The middle is the picture nearest to the others on average, or the one whose
farthest other is nearest: all distractors reach τ, so nothing in a gallery is far from its target.

Near is by the embeddings of the pictures, or by their labels with the very similarity that
galleries are made by; that needs no model and sees what the pictures only hint at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import numpy.typing as npt

from benchwright.statistics.intervals import Estimate, Reals, estimate

_DIGITS = 6  # of a cosine; what lies below is the noise of float32 and tells nothing apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Closeness:
    """How close each of k pictures is to the others, (k,): on average, and to its farthest."""

    mean: Reals
    least: Reals


def by_embeddings(embeddings: npt.ArrayLike) -> Closeness:
    """Return the closeness by cosine, -1 to 1 rounded to six digits, of embeddings (k, d).

    Their lengths do not matter. Raises ValueError for fewer than two pictures and for an
    embedding that is zero or no number.
    """
    rows = np.asarray(embeddings, np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if len(rows) < 2 or not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ValueError("wanted embeddings of two pictures or more, none of them zero")
    units = rows / lengths
    cosines = units @ units.T
    own = np.eye(len(rows), dtype=bool)
    return Closeness(
        mean=np.round(cosines.sum(axis=1, where=~own) / (len(rows) - 1), _DIGITS),
        least=np.round(cosines.min(axis=1, where=~own, initial=1), _DIGITS),
    )


def by_labels(has: npt.ArrayLike) -> Closeness:
    """Return the closeness by Sim, 0 to 1, where ``has`` (k, m) says which picture has what.

    Sim(a, b) = |Attr(a) ∩ Attr(b)| / |Attr(a)| (AMIGO, section 3.2), each picture in the place of
    the target. Equal fractions are equal to the last bit. A picture without attributes has 0.
    Raises ValueError for fewer than two pictures.
    """
    flags = np.asarray(has, bool).astype(np.int64)
    if len(flags) < 2:
        raise ValueError("wanted two pictures or more")
    overlaps = flags @ flags.T
    sizes = np.maximum(overlaps.diagonal(), 1)
    own = np.eye(len(flags), dtype=bool)
    # one division of whole numbers: it rounds equal fractions to the same float
    return Closeness(
        mean=overlaps.sum(axis=1, where=~own) / (sizes * (len(flags) - 1)),
        least=overlaps.min(axis=1, where=~own, initial=flags.shape[1]) / sizes,
    )


def ranking(closeness: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the places of a gallery's pictures, the closest first, ties by place; 0-based."""
    return np.argsort(-np.asarray(closeness, np.float64), kind="stable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The pictures of a gallery, and the rank of its target in a ranking, 1 for the first."""

    image_ids: Sequence[str]
    rank: int


def ranked(image_ids: Sequence[str], target_index: int, closeness: npt.ArrayLike) -> Ranked:
    """Return what is scored of a gallery; ``target_index`` is 1-based, as in an episode."""
    places = ranking(closeness).tolist()
    return Ranked(image_ids=image_ids, rank=places.index(target_index - 1) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guesses:
    """How a ranking guesses the targets of galleries.

    ``first`` is the share of galleries whose target is ranked first; ``reciprocal_rank`` the mean
    of 1 / rank. What a blind guess gets stands beside them: ``chance`` is the mean of 1 / k over
    the galleries, ``chance_reciprocal_rank`` the mean of (1 + 1/2 + … + 1/k) / k.
    """

    galleries: int
    first: Estimate
    reciprocal_rank: float
    chance: float
    chance_reciprocal_rank: float

    @property
    def lift(self) -> tuple[float, float, float]:
        """The share over chance, and the ends of its interval; each from -1 to 1."""
        first = self.first
        return first.share - self.chance, first.low - self.chance, first.high - self.chance

    @property
    def tells(self) -> bool:
        """Whether the ranking tells the target from chance: chance lies outside the interval.

        Below it too: a picture that is never the target is as good as a hint.
        """
        return not self.first.low <= self.chance <= self.first.high


def score(galleries: Sequence[Ranked]) -> Guesses:
    """Return how a ranking guesses; raises ValueError without any gallery.

    The unit is the gallery, one for each target. The interval (95 %) is Wilson's at the effective
    size of galleries that share pictures; where none do that is their number, and never more.
    """
    if not galleries:
        raise ValueError("no gallery to score")
    right = np.array([one.rank == 1 for one in galleries], np.float64)
    sizes = np.array([len(one.image_ids) for one in galleries], np.int64)
    harmonic = np.cumsum(1 / np.arange(1, sizes.max() + 1))
    return Guesses(
        galleries=len(galleries),
        first=estimate(float(right.mean()), _effective_size(right, galleries, sizes)),
        reciprocal_rank=fmean(1 / one.rank for one in galleries),
        chance=float((1 / sizes).mean()),
        chance_reciprocal_rank=float((harmonic[sizes - 1] / sizes).mean()),
    )


def _effective_size(
    right: Reals, galleries: Sequence[Ranked], sizes: npt.NDArray[np.int64]
) -> float:
    """Return how many galleries without a common picture would tell as much.

    The residuals e of galleries i and j go together by |Gi ∩ Gj| / √(ki·kj), a kernel that is
    positive semi-definite (the method of Conley 1999, Journal of Econometrics 92, with shared
    pictures for distance). Summed by pictures, the variance of the share is
    Σp (Σ over the galleries with p of e / √k)² / n². Where all are right or all wrong nothing
    shows how much goes together, and it is taken to be all.
    """
    ids = [image_id for one in galleries for image_id in one.image_ids]
    _, picture = np.unique(np.array(ids), return_inverse=True)

    def together(residuals: Reals) -> float:
        sums = np.bincount(picture, np.repeat(residuals / np.sqrt(sizes), sizes))
        return float((sums**2).sum())

    count, share = len(galleries), float(right.mean())
    if share in (0, 1):
        return min(count, count**2 / together(np.ones(count)))
    off = together(right - share)
    return min(count, share * (1 - share) * count**2 / off) if off > 0 else count
