"""Templates, views and voters ranked by how often they are right; sureness against accuracy."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from benchwright.statistics.intervals import Estimate, weighted_share
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import (
    ABSTAINED,
    NOT_ASKED,
    SAID_YES,
    YES,
    Longs,
    Mask,
    Reals,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One template, view or voter: how often its answers of yes and no are right.

    ``right`` has its interval at the effective size, pictures being the clusters; ``answers``
    counts them; ``abstained`` is the share of its asked questions that gave neither yes nor no.
    """

    name: str
    right: Estimate
    answers: int
    abstained: float


def rank(
    ballots: Ballots,
    known: Known,
    part: Literal["template", "view", "voter"],
) -> list[Ranked]:
    """Return the parts of the questions, the one that is right most often first, then by name.

    Those without any answer come last.
    """
    cells = known.usable
    pictures = _pictures(ballots)[ballots.subjects[cells]]
    ranked = []
    for name in sorted({getattr(question, part) for question in ballots.questions}):
        rows = [at for at, each in enumerate(ballots.questions) if getattr(each, part) == name]
        answers = ballots.answers[:, cells][rows]
        answered = (answers != NOT_ASKED) & (answers != ABSTAINED)
        right = (answers == SAID_YES) == (known.truth[cells] == YES)
        asked = int((answers != NOT_ASKED).sum())
        ranked.append(
            Ranked(
                name=name,
                right=weighted_share(
                    right[answered],
                    np.broadcast_to(known.weights[cells], answers.shape)[answered],
                    np.broadcast_to(pictures, answers.shape)[answered],
                ),
                answers=int(answered.sum()),
                abstained=1 - int(answered.sum()) / asked if asked else 0.0,
            )
        )
    return sorted(ranked, key=lambda each: (-each.right.share if each.answers else 1, each.name))


def _pictures(ballots: Ballots) -> Longs:
    """Return a number for each subject that its picture's other subjects share."""
    indices = pc.dictionary_encode(ballots.image_ids).indices
    pictures: Longs = indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return pictures


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Cells of about the same sureness: from ``low`` (included) to ``high``, and their mean.

    ``right`` is how often they were right, or yes.
    """

    low: float
    high: float
    mean: float
    count: int
    right: Estimate


def reliability(
    sureness: npt.ArrayLike,
    right: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    most: float = 1.0,
    bins: int = 10,
) -> list[Bin]:
    """Return the bins that hold anything, for a plot of sureness against accuracy.

    ``sureness`` is 0 to ``most``: a margin (``most`` 0.5) with ``right`` whether the label was
    right, or a probability of yes with whether the truth is yes. NaN is left out; the last bin
    holds ``most`` itself.
    """
    x: Reals = np.asarray(sureness, float)
    hit, w = np.asarray(right, bool), np.asarray(weights, float)
    place = np.clip(np.floor(np.nan_to_num(x) / most * bins), 0, bins - 1)
    found = []
    for at in range(bins):
        own: Mask = (place == at) & ~np.isnan(x)
        if own.any():
            found.append(
                Bin(
                    low=at * most / bins,
                    high=(at + 1) * most / bins,
                    mean=float(np.average(x[own], weights=w[own])),
                    count=int(own.sum()),
                    right=weighted_share(hit[own], w[own]),
                )
            )
    return found
