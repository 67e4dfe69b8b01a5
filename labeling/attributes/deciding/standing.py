"""Where cells stand while questions are open, and the labels that follow (definitions 10, 11)."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Each cell by itself: its label and score now, and those that are still possible.

    ``lower`` is the label if all that is open goes against yes, ``upper`` if all goes for it;
    ``low`` and ``high`` are the scores then. No answers give a label or a score beyond them.
    """

    label: Bytes
    lower: Bytes
    upper: Bytes
    now: Ratio
    low: Ratio
    high: Ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The label of each cell: 1 yes, 0 unsure, -1 no, with what it rests on.

    ``settled``: no answers to the open questions can change the label. ``score`` is NaN while
    questions are open and where nothing was counted, its bounds where nothing can be. ``margin``
    is the least distance of the score from ½ that is still possible, 0 to ½. ``counted`` are
    answers of yes and no, ``missing`` the planned questions that were not asked.
    """

    answer: Bytes
    settled: Mask
    score: Reals
    score_low: Reals
    score_high: Reals
    margin: Reals
    counted: Ints
    missing: Ints


def settle(standing: Standing, places: Longs, starts: Longs) -> tuple[Bytes, Mask]:
    """Return the labels, and which of them are settled.

    ``places`` are the cells of exclusive types, ``starts`` where each group of them begins
    (``Ballots.exclusive_groups``). Among a group's yes the highest score is yes and the others
    no; at equal scores the first value in the order wins.
    """
    answer = standing.label.copy()
    settled = (standing.lower == standing.label) & (standing.upper == standing.label)
    if len(places):
        label, fixed = _settle_exclusive(_part(standing, places), starts)
        answer[places], settled[places] = label, fixed
    return answer, settled


def _settle_exclusive(cells: Standing, starts: Longs) -> tuple[Bytes, Mask]:
    sizes = np.diff(starts, append=len(cells.label))
    group = np.repeat(np.arange(len(starts)), sizes)
    own = np.arange(len(group))

    winner = _best(cells.label == YES, cells.now, starts, sizes)[group]
    answer = np.where(winner < 0, cells.label, np.where(winner == own, YES, NO)).astype(np.int8)

    single = (cells.lower == cells.label) & (cells.upper == cells.label)
    may_be_yes = cells.upper == YES
    sure = _best(single & (cells.label == YES), cells.low, starts, sizes)[group]
    rival = _best(may_be_yes & (own != sure), cells.high, starts, sizes)[group]
    beaten = (sure >= 0) & (sure != own) & _beats(cells.low, sure, cells.high, own)
    rival_beaten = (rival < 0) | _beats(cells.low, sure, cells.high, rival)
    fixed_yes = (sure == own) & rival_beaten
    fixed_no = (single & (cells.label == NO)) | ((sure >= 0) & (sure != own) & ~may_be_yes) | beaten
    fixed_unsure = single & (cells.label == UNSURE) & (sure < 0) & (rival < 0)
    return answer, fixed_yes | fixed_no | fixed_unsure


def _best(eligible: Mask, score: Ratio, starts: Longs, sizes: Longs) -> Longs:
    """Return the eligible cell with the highest score of each group, the first at a tie, or -1."""
    best = np.full(len(starts), -1, np.int64)
    for step in range(int(sizes.max(initial=0))):
        groups = np.flatnonzero(sizes > step)
        groups = groups[eligible[starts[groups] + step]]
        cells = starts[groups] + step
        held = best[groups]
        better = (held < 0) | (
            score.numerator[cells] * score.denominator[held]
            > score.numerator[held] * score.denominator[cells]
        )
        best[groups[better]] = cells[better]
    return best


def _beats(first: Ratio, mine: Longs, second: Ratio, theirs: Longs) -> Mask:
    """Whether cells with their first scores are yes rather than others with their second."""
    left = first.numerator[mine] * second.denominator[theirs]
    right = second.numerator[theirs] * first.denominator[mine]
    wins: Mask = (left > right) | ((left == right) & (mine < theirs))
    return wins


def _part(standing: Standing, places: Longs) -> Standing:
    return Standing(
        label=standing.label[places],
        lower=standing.lower[places],
        upper=standing.upper[places],
        now=standing.now.at(places),
        low=standing.low.at(places),
        high=standing.high.at(places),
    )


def by_chunks(ballots: Ballots, decide: Callable[[slice], Decision]) -> Decision:
    """Return the decision of all cells, made chunk by chunk."""
    cells = len(ballots)
    whole = Decision(
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
        for field in fields(Decision):
            getattr(whole, field.name)[chunk] = getattr(part, field.name)
    return whole


def decided(
    answer: Bytes, settled: Mask, bounds: tuple[Reals, Reals], counted: Ints, missing: Ints
) -> Decision:
    """Return a decision with score and margin from the bounds of the score."""
    low, high = bounds
    score = np.where(low == high, low, np.nan)
    margin = np.maximum(0.0, np.maximum(low - 0.5, 0.5 - high))
    return Decision(
        answer=answer,
        settled=settled,
        score=score,
        score_low=low,
        score_high=high,
        margin=np.nan_to_num(margin, nan=0.0),
        counted=counted,
        missing=missing,
    )
