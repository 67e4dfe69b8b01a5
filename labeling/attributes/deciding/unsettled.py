"""Labels that the stored votes do not settle, and what settling them would cost in questions."""

from dataclasses import dataclass

import numpy as np

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import NO, NOT_ASKED, UNSURE, YES, Ints, Longs
from labeling.attributes.deciding.majority import tally
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.standing import Outcome

_AT_ONCE = 1 << 13  # cells; for each of them a number for each question is needed


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsettled:
    """``cells`` are the unsettled ones, ascending; ``most`` the open questions of each.

    To settle them all takes ``at_least`` to ``at_most`` questions, by what is answered.
    """

    cells: Longs
    most: Ints
    at_least: int
    at_most: int


def unsettled_by_majority(
    ballots: Ballots, outcome: Outcome, weights: Longs, rule: Rule
) -> Unsettled:
    """Return what the majority leaves unsettled.

    ``at_least`` takes the heaviest questions and the answers that settle soonest; for an unsure
    label it may be less than any answers can do, and for a subject's exclusive type it is one.
    """
    cells = np.flatnonzero(~outcome.settled)
    columns = ballots.columns[cells]
    open_ = (ballots.answers[:, cells] == NOT_ASKED) & (weights[columns].T > 0)
    most = open_.sum(axis=0, dtype=np.int32)
    alone = ~ballots.exclusive[columns]
    least = sum(
        int(_least(ballots, cells[alone][at : at + _AT_ONCE], weights, rule).sum())
        for at in range(0, int(alone.sum()), _AT_ONCE)
    )
    least += _groups(ballots, cells[~alone])
    return Unsettled(cells=cells, most=most, at_least=least, at_most=int(most.sum()))


def unsettled_otherwise(ballots: Ballots, outcome: Outcome) -> Unsettled:
    """Return what another method leaves unsettled: one question each at least, all at most."""
    cells = np.flatnonzero(~outcome.settled)
    alone = ~ballots.exclusive[ballots.columns[cells]]
    most = outcome.missing[cells]
    least = int(alone.sum()) + _groups(ballots, cells[~alone])
    return Unsettled(cells=cells, most=most, at_least=least, at_most=int(most.sum()))


def _groups(ballots: Ballots, cells: Longs) -> int:
    """Return how many types of a subject the cells belong to."""
    if not len(cells):
        return 0
    kinds = ballots.types[ballots.columns[cells]]
    groups = ballots.subjects[cells].astype(np.int64) * (int(ballots.types[-1]) + 1) + kinds
    return len(np.unique(groups))


def _least(ballots: Ballots, cells: Longs, weights: Longs, rule: Rule) -> Longs:
    answers, columns = ballots.answers[:, cells], ballots.columns[cells]
    found = tally(answers, columns, weights)
    yes, no, total = found.yes[:, None], found.no[:, None], found.total[:, None]
    heaviest = -np.sort(-np.where(answers.T == NOT_ASKED, weights[columns], 0), axis=1)
    asked = np.cumsum(heaviest, axis=1)  # by the first, the first two, the first three …
    most = yes + no + found.open[:, None]
    settles = (
        np.minimum(
            rule.labels(yes + asked, most - yes - asked, total), rule.labels(yes + asked, no, total)
        )
        == YES
    )
    settles |= (
        np.maximum(
            rule.labels(most - no - asked, no + asked, total), rule.labels(yes, no + asked, total)
        )
        == NO
    )
    settles |= (rule.labels(most - asked, 0 * asked, total) == UNSURE) & (
        rule.labels(0 * asked, most - asked, total) == UNSURE
    )
    # for unsure: one part of what is asked says yes and the other no
    whole, band = 2 * rule.margin.denominator, rule.margin.denominator - 2 * rule.margin.numerator
    lacking = np.maximum(0, band * most - whole * yes) + np.maximum(0, band * most - whole * no)
    settles |= whole * asked > lacking
    settles |= asked == found.open[:, None]
    least: Longs = settles.argmax(axis=1) + 1
    return least
