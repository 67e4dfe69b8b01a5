"""Episodes: which targets are taken, and which pictures of their pools are shown in which order.

All choices are hashes of the seed and of ids (benchwright/seeds.py), so that neither the order of
the rows nor the number of threads nor the version of a library can change them.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from benchwright import seeds
from benchwright.feasible import Board, board_of
from benchwright.knowledge import Knowledge
from benchwright.records import Answer, Episode, TellingValue
from benchwright.reference_questioner import par
from galleries.identify import identifiable, identifiable_protocol
from galleries.pools import Pools
from galleries.settings import Settings
from galleries.tau import Tau

_WORD: Mapping[int, Answer] = {1: "yes", -1: "no", 0: "unsure"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The targets that qualify for one τ or, paired, for all of them.

    ``places`` are their places in the pools and ``sizes`` the gallery sizes drawn for them;
    ``dropped`` counts why the others do not qualify.
    """

    places: np.ndarray
    sizes: np.ndarray
    dropped: Mapping[str, int]


def qualifying(pools: Sequence[Pools], knowledge: Knowledge, settings: Settings) -> Targets:
    """Return the targets whose gallery is large enough in all of the pools (one for each τ)."""
    whole = np.min([pool.sizes() for pool in pools], axis=0) + 1
    has_values = np.diff(knowledge.indptr)[pools[0].targets] > 0
    large = whole >= settings.min_gallery
    fits = whole >= (settings.sizes.low or 0)
    dropped = {
        "no_attributes": int((~has_values).sum()),
        "small_gallery": int((has_values & ~large).sum()),
        "below_size": int((has_values & large & ~fits).sum()),
    }
    places = np.nonzero(has_values & large & fits)[0]
    sizes = [
        _gallery_size(int(whole[at]), knowledge.image_id(pools[0].targets[at]), settings)
        for at in places
    ]
    return Targets(places=places, sizes=np.array(sizes, np.int64), dropped=dropped)


def _gallery_size(whole: int, target_id: str, settings: Settings) -> int:
    low, high = settings.sizes.low, settings.sizes.high
    if low is None or high is None:
        return whole
    return low + seeds.below(min(high, whole) - low + 1, settings.seed, "size", target_id)


def sampled(targets: Targets, pools: Pools, knowledge: Knowledge, settings: Settings) -> list[int]:
    """Return the places in ``targets`` in the order in which they become episodes."""
    ids = [knowledge.image_id(pools.targets[place]) for place in targets.places]
    place_of = {image_id: at for at, image_id in enumerate(ids)}
    return [place_of[image_id] for image_id in seeds.shuffled(ids, settings.seed, "episodes")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What makes an episode solvable: fields of ``Episode`` that follow from what is known."""

    telling_values: tuple[TellingValue, ...]
    identifiable: bool
    identifiable_protocol: bool
    par: int | None
    par_protocol: int | None

    @classmethod
    def of(cls, board: Board) -> Self:
        """Return the solution of a board."""
        return cls(
            telling_values=_telling_values(board),
            identifiable=identifiable(board),
            identifiable_protocol=identifiable_protocol(board),
            par=par(board),
            par_protocol=par(board, one_of_a_type=True),
        )


def make_episode(
    knowledge: Knowledge, pools: Pools, place: int, size: int, tau: Tau, seed: int
) -> Episode:
    """Return the episode of the target at ``place`` of the pools, shown with ``size`` - 1 others.

    A smaller gallery is a uniform subset of the pool, never its most similar part only.
    """
    target = int(pools.targets[place])
    target_id = knowledge.image_id(target)
    part = pools.pool(place)
    row_of = {knowledge.image_id(row): int(row) for row in pools.rows[part]}
    overlap_of = dict(zip(row_of, pools.overlaps[part].tolist(), strict=True))
    # the name of τ keeps the subsets of two thresholds independent of each other
    chosen = seeds.shuffled(list(row_of), seed, "distractors", target_id, tau.name)[: size - 1]
    shown = seeds.shuffled(chosen, seed, "positions", target_id, tau.name)
    position = seeds.below(size, seed, "target", target_id, tau.name)
    shown.insert(position, target_id)
    attributes = len(knowledge.attributes(target))
    row_of[target_id] = target
    overlap_of[target_id] = attributes
    answers = knowledge.answers([row_of[image_id] for image_id in shown])
    solution = Solution.of(board_of(answers, knowledge.values, position))
    return Episode(
        episode_id=_episode_id(tau, target_id, shown),
        tau=float(tau.name),
        target_id=target_id,
        target_index=position + 1,
        image_ids=tuple(shown),
        similarities=tuple(overlap_of[image_id] / attributes for image_id in shown),
        pool_size=len(pools.rows[part]),
        telling_values=solution.telling_values,
        identifiable=solution.identifiable,
        identifiable_protocol=solution.identifiable_protocol,
        par=solution.par,
        par_protocol=solution.par_protocol,
        seed=seed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A gallery to be made of one target: its pool at each τ, and how many pictures it shows."""

    pools: Mapping[Tau, Pools]
    size: int


def make_wished(knowledge: Callable[[], Knowledge], seed: int, wish: Wish) -> dict[Tau, Episode]:
    """Return the episode at each τ; may run on another machine."""
    return {
        tau: make_episode(knowledge(), pools, 0, wish.size, tau, seed)
        for tau, pools in wish.pools.items()
    }


def _episode_id(tau: Tau, target_id: str, shown: Sequence[str]) -> str:
    text = "\0".join((tau.name, target_id, *shown))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _telling_values(board: Board) -> tuple[TellingValue, ...]:
    counts = board.telling().sum(axis=0)
    return tuple(
        TellingValue(
            type=value.type,
            value=value.value,
            answer=_WORD[int(board.answers[board.target, column])],
            distractors=int(counts[column]),
        )
        for column, value in enumerate(board.values)
        if counts[column]
    )
