"""Where cells stand while questions are open, and the labels that follow (definitions 10, 11).

At a tie in an exclusive type this departs from definition 10: see ``settle``.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import (
    NO,
    UNSURE,
    YES,
    Bytes,
    Ints,
    Longs,
    Mask,
    Numbers,
    Reals,
)


class Ratio(NamedTuple):
    """Scores as numerators and denominators (0 or more), so that whole numbers compare exactly."""

    numerator: Numbers
    denominator: Numbers

    def at(self, places: Longs) -> "Ratio":
        """Return the scores of some cells."""
        return Ratio(self.numerator[places], self.denominator[places])


Sureness = Callable[[Longs], Ratio]  # of some cells, by place: see ``sureness``


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Each cell by itself: its label and score now, and those that are still possible.

    ``lower`` is the label if all that is open goes against yes, ``upper`` if all goes for it;
    ``low`` and ``high`` are the scores then. No answers give a label or a score beyond them.
    ``full``: no question that counts is open.
    """

    label: Bytes
    lower: Bytes
    upper: Bytes
    now: Ratio
    low: Ratio
    high: Ratio
    full: Mask


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The label of each cell: 1 yes, 0 unsure, -1 no, with what it rests on.

    ``settled``: no answers to the open questions can change the label. ``score`` is NaN while
    questions are open and where nothing was counted, its bounds where nothing can be. ``margin``
    is the least distance of the score from ½ that is still possible, 0 to ½. ``counted`` are
    answers of yes and no, ``missing`` the planned questions that were not asked; of a majority
    those alone that weigh anything, as no order asks the others.
    """

    answer: Bytes
    settled: Mask
    score: Reals
    score_low: Reals
    score_high: Reals
    margin: Reals
    counted: Ints
    missing: Ints


def settle(
    standing: Standing, places: Longs, starts: Longs, sureness: Sureness
) -> tuple[Bytes, Mask]:
    """Return the labels, and which of them are settled.

    ``places`` are the cells of exclusive types, ``starts`` where each group of them begins
    (``Ballots.exclusive_groups``). Among a group's yes the highest score is yes and the others
    no. Of equal ones the greatest ``sureness`` wins, and then the first value in the order; where
    one of them has none, the first wins at once. What an open question would say of sureness is
    not known: over a value that may tie with it a value is settled when both were asked in full.
    """
    answer = standing.label.copy()
    settled = (standing.lower == standing.label) & (standing.upper == standing.label)
    if len(places):
        cells = _part(standing, places)
        answer[places] = _labels_of_exclusive(cells, starts, lambda tied: sureness(places[tied]))
        settled[places] = _settled_of_exclusive(cells, starts)
    return answer, settled


def _labels_of_exclusive(cells: Standing, starts: Longs, sureness: Sureness) -> Bytes:
    sizes, group = _groups(cells, starts)
    own = np.arange(len(group))
    is_yes = cells.label == YES
    winner = _best(is_yes, cells.now, starts, sizes)
    tied = is_yes & _is_as_high(cells.now, own, cells.now, winner[group])
    tied &= (np.bincount(group, tied, len(starts)) > 1)[group]
    if tied.any():
        surer = _surest(tied, group, starts, sizes, sureness)
        winner = np.where(surer < 0, winner, surer)
    winner = winner[group]
    return np.where(winner < 0, cells.label, np.where(winner == own, YES, NO)).astype(np.int8)


def _surest(tied: Mask, group: Longs, starts: Longs, sizes: Longs, sureness: Sureness) -> Longs:
    """Return the surest of each group's tied cells, -1 where one of them has no sureness."""
    sums, counts = np.zeros(len(group), np.int64), np.ones(len(group), np.int64)
    places = np.flatnonzero(tied)
    sums[places], counts[places] = sureness(places)
    lacks = np.bincount(group, counts == 0, len(starts)) > 0
    return _best(tied & ~lacks[group], Ratio(sums, counts), starts, sizes)


def _settled_of_exclusive(cells: Standing, starts: Longs) -> Mask:
    sizes, group = _groups(cells, starts)
    own = np.arange(len(group))
    single = (cells.lower == cells.label) & (cells.upper == cells.label)
    may_be_yes = cells.upper == YES
    sure = _best(single & (cells.label == YES), cells.low, starts, sizes)[group]
    may_win = may_be_yes & ((sure < 0) | ~_is_higher(cells.low, sure, cells.high, own))
    rivals = np.bincount(group, may_win, len(starts))[group]
    open_rivals = np.bincount(group, may_win & ~cells.full, len(starts))[group]
    is_decided = (rivals == 1) | (open_rivals == 0)
    with_sure = ~may_win | is_decided
    without = single & ((cells.label == NO) | ((cells.label == UNSURE) & (rivals == 0)))
    settled: Mask = np.where(sure >= 0, with_sure, without)
    return settled


def _groups(cells: Standing, starts: Longs) -> tuple[Longs, Longs]:
    """Return how many cells each group has, and the group of each cell."""
    sizes = np.diff(starts, append=len(cells.label))
    return sizes, np.repeat(np.arange(len(starts)), sizes)


def _best(eligible: Mask, score: Ratio, starts: Longs, sizes: Longs) -> Longs:
    """Return the eligible cell with the highest score of each group, the first at a tie, or -1."""
    best = np.full(len(starts), -1, np.int64)
    for step in range(int(sizes.max(initial=0))):
        groups = np.flatnonzero(sizes > step)
        groups = groups[eligible[starts[groups] + step]]
        cells = starts[groups] + step
        held = best[groups]
        better = (held < 0) | _is_higher(score, cells, score, held)
        best[groups[better]] = cells[better]
    return best


def _is_higher(first: Ratio, mine: Longs, second: Ratio, theirs: Longs) -> Mask:
    """Whether cells have more by their first scores than others by their second."""
    higher: Mask = (
        first.numerator[mine] * second.denominator[theirs]
        > second.numerator[theirs] * first.denominator[mine]
    )
    return higher


def _is_as_high(first: Ratio, mine: Longs, second: Ratio, theirs: Longs) -> Mask:
    """Whether cells have as much by their first scores as others by their second."""
    alike: Mask = (
        first.numerator[mine] * second.denominator[theirs]
        == second.numerator[theirs] * first.denominator[mine]
    )
    return alike


def _part(standing: Standing, places: Longs) -> Standing:
    return Standing(
        label=standing.label[places],
        lower=standing.lower[places],
        upper=standing.upper[places],
        now=standing.now.at(places),
        low=standing.low.at(places),
        high=standing.high.at(places),
        full=standing.full[places],
    )


def by_chunks(ballots: Ballots, decide: Callable[[slice], Outcome]) -> Outcome:
    """Return the outcome of all cells, made chunk by chunk."""
    cells = len(ballots)
    whole = Outcome(
        answer=np.empty(cells, np.int8),
        settled=np.empty(cells, bool),
        score=np.empty(cells),
        score_low=np.empty(cells),
        score_high=np.empty(cells),
        margin=np.empty(cells),
        counted=np.empty(cells, np.int32),
        missing=np.empty(cells, np.int32),
    )
    for chunk in ballots.chunks():
        part = decide(chunk)
        for field in fields(Outcome):
            getattr(whole, field.name)[chunk] = getattr(part, field.name)
    return whole


def decided(
    answer: Bytes, settled: Mask, bounds: tuple[Reals, Reals], counted: Ints, missing: Ints
) -> Outcome:
    """Return an outcome with score and margin from the bounds of the score."""
    low, high = bounds
    score = np.where(low == high, low, np.nan)
    margin = np.maximum(0.0, np.maximum(low - 0.5, 0.5 - high))
    return Outcome(
        answer=answer,
        settled=settled,
        score=score,
        score_low=low,
        score_high=high,
        margin=np.nan_to_num(margin, nan=0.0),
        counted=counted,
        missing=missing,
    )
