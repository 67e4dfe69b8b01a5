"""The membership guess: private targets by which pictures stand together, and by nothing else.

A gallery is what lies round its target, so two pictures share galleries the more the likelier one
of them was drawn as the other's. A picture that stands in few galleries stands mostly in its own;
and of most releases each picture is the target once, so that galleries have to share them out. No
column could be held back against that: it is the galleries themselves. Where pictures stand in two
galleries or fewer little is left of it.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from benchwright.records import Episode
from exports.gating.check import Check
from exports.gating.guesses import guessed
from exports.gating.limits import LIFT

Reals = npt.NDArray[np.float64]

_DIGITS = 6  # of a score; what lies below differs from machine to machine
# measured on the built-in sample of 600 dresses, docs/design/releases.md
_ADVICE = (
    "let each picture stand in two galleries or fewer: run build-galleries with fewer --episodes"
    " (a smaller --size helps, but not alone), then build the next version"
)


def membership(config: str, episodes: Sequence[Episode]) -> Check:
    """Return the check of one config whose answers are held back."""
    figures = _figures(episodes)
    return guessed(
        "membership",
        config,
        episodes,
        lambda one: figures[one.episode_id],
        by=", by which pictures stand together alone",
        lift=LIFT,
    ).advised(_ADVICE)


def _figures(episodes: Sequence[Episode]) -> Mapping[str, Mapping[str, Reals]]:
    """Return by episode each guess, with 1 for the picture that it names and 0 for the others."""
    members = _members(episodes)
    seats = np.diff(members.indptr)
    together = _together(members)
    counts = np.bincount(members.indices, minlength=members.shape[1])
    guesses = {
        "most tied to the others": together,
        "more tied to the others than in its other galleries": _standardised(members, together),
        "that stands in the fewest galleries": 1 / counts[members.indices],
    }
    named = {name: _named(members, np.round(score, _DIGITS)) for name, score in guesses.items()}
    starts = np.cumsum(seats)[:-1]
    split = {name: np.split(hits, starts) for name, hits in named.items()}
    return {
        one.episode_id: {name: parts[at] for name, parts in split.items()}
        for at, one in enumerate(episodes)
    }


def _members(episodes: Sequence[Episode]) -> csr_array:
    """Return (galleries, pictures) who stands where; a row keeps the order shown."""
    shown = [name for one in episodes for name in one.image_ids]
    names, columns = np.unique(np.array(shown), return_inverse=True)
    starts = np.concatenate([[0], np.cumsum([len(one.image_ids) for one in episodes])])
    return csr_array(
        (np.ones(len(shown)), columns.astype(np.int32), starts.astype(np.int32)),
        shape=(len(episodes), len(names)),
    )


def _together(members: csr_array) -> Reals:
    """Return for each seat the mean share of a neighbour's galleries that have this picture too."""
    common = csr_array(members.T @ members)
    counts = common.diagonal()
    found = []
    for start, end in zip(members.indptr[:-1], members.indptr[1:], strict=True):
        here = members.indices[start:end]
        shares = common[here][:, here].toarray() / counts[here]
        found.append((shares.sum(axis=1) - 1) / max(1, len(here) - 1))
    return np.concatenate(found)


def _standardised(members: csr_array, scores: Reals) -> Reals:
    """Return how far each score is over the mean of its picture's, in standard deviations."""
    at = members.indices
    counts = np.bincount(at)
    off = scores - (np.bincount(at, scores) / counts)[at]
    spread = np.sqrt(np.bincount(at, off**2) / counts)[at]
    return np.divide(off, spread, out=np.zeros_like(off), where=spread > 10**-_DIGITS)


def _named(members: csr_array, scores: Reals) -> Reals:
    """Return 1 for the seat that each gallery names: in sum the best, no picture named twice.

    Where no such naming is possible each gallery names the best of its own.
    """
    costs = csr_array((scores.max() - scores + 1, members.indices, members.indptr), members.shape)
    try:
        rows, columns = min_weight_full_bipartite_matching(costs)
        named = np.full(members.shape[0], -1)
        named[rows] = columns
    except ValueError:  # two targets are one picture, or there are more galleries than pictures
        named = np.full(members.shape[0], -1)
    hits = np.zeros(len(scores))
    for gallery, (start, end) in enumerate(
        zip(members.indptr[:-1], members.indptr[1:], strict=True)
    ):
        seats = np.nonzero(members.indices[start:end] == named[gallery])[0]
        hits[start + (seats[0] if len(seats) else scores[start:end].argmax())] = 1
    return hits
