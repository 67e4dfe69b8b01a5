"""Guesses of the targets of galleries by a figure of each picture: the best of several counts."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy.typing as npt

from benchwright.records import Episode
from benchwright.statistics.intervals import Estimate, estimate
from exports.gating.check import Check, guess_check
from galleries.nearest_picture import Guesses, Ranked, ranked, score

Figures = Callable[[Episode], Mapping[str, npt.ArrayLike]]  # of each picture, by guess


def guessed(
    name: str,
    config: str,
    episodes: Sequence[Episode],
    figures: Figures,
    *,
    by: str,
    lift: float | None = None,
    limit: float | None = None,
) -> Check:
    """Return the check of the most telling of some guesses of the target.

    Each guess names the picture with the highest of its figures, ties by place. The interval is
    such that those of all guesses together hold the truth in 95 % (Bonferroni). The limit is
    ``lift`` over chance, or ``limit`` as it stands; without both it is for information.
    """
    ranks: dict[str, list[Ranked]] = {}
    for one in episodes:
        for guess, figure in figures(one).items():
            ranks.setdefault(guess, []).append(ranked(one.image_ids, one.target_index, figure))
    scores = {guess: score(each) for guess, each in ranks.items()}
    best = max(scores, key=lambda guess: scores[guess].first.share)
    chance = scores[best].chance
    pairs = zip(episodes, ranks[best], strict=True)
    return guess_check(
        name,
        config,
        f"targets guessed as the picture {best}{by}",
        _interval(scores[best], len(scores)),
        chance=chance,
        n=len(episodes),
        limit=limit if lift is None else chance + lift,
        rows=[episode.episode_id for episode, one in pairs if one.rank == 1],
    ).saying(detail=", ".join(_said(scores, best)))


def _interval(guesses: Guesses, count: int) -> Estimate:
    first = guesses.first
    return estimate(first.share, first.size, 1 - 0.05 / count)


def _said(scores: Mapping[str, Guesses], best: str) -> Iterator[str]:
    for guess, found in scores.items():
        if guess != best:
            yield f"{guess} {100 * found.first.share:.1f} %"
