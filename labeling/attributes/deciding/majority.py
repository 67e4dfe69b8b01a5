"""The weighted majority (definitions 8, 10, 11), in whole numbers."""

from dataclasses import dataclass

import numpy as np

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import (
    NOT_ASKED,
    SAID_NO,
    SAID_YES,
    AnswerCodes,
    Ints,
    Longs,
    Mask,
    Numbers,
    Reals,
)
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.standing import (
    Outcome,
    Ratio,
    Standing,
    by_chunks,
    decided,
    settle,
)
from labeling.attributes.deciding.sureness import sureness


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The votes of some cells: weights of yes, no and not asked, and of all planned questions.

    ``counted`` and ``missing`` are numbers of questions; what weighs nothing is not missing.
    """

    yes: Longs
    no: Longs
    open: Longs
    total: Longs
    counted: Ints
    missing: Ints


def majority(ballots: Ballots, weights: Longs, rule: Rule, out: Mask | None = None) -> Outcome:
    """Return the labels by weighted majority; ``weights`` is of ``share_weights``.

    Of an exclusive type's values with the highest score the one with the greatest mean p_yes wins,
    then the first by name: see ``settle``; ``out`` is as in ``Ballots.exclusive_groups``. Memory
    beyond the result does not grow with the number of votes.
    """

    def decide(cells: slice) -> Outcome:
        found = tally(ballots.answers[:, cells], ballots.columns[cells], weights)
        groups, sure = ballots.exclusive_groups(cells, out), sureness(ballots, cells, weights)
        answer, settled = settle(standing(found, rule), *groups, sure)
        return decided(answer, settled, _bounds(found), found.counted, found.missing)

    return by_chunks(ballots, decide)


def tally(answers: AnswerCodes, columns: Ints, weights: Longs) -> Tally:
    """Count the answers of cells, (questions, cells), whose values are ``columns``."""
    cells = answers.shape[1]
    yes, no, missing_weight = (np.zeros(cells, np.int64) for _ in range(3))
    counted, missing = np.zeros(cells, np.int32), np.zeros(cells, np.int32)
    alike = bool((weights == weights[:1]).all())
    for answer, weight in zip(answers, weights.T, strict=True):
        own: Numbers = weight[0] if alike else weight[columns]
        said_yes, said_no, open_ = answer == SAID_YES, answer == SAID_NO, answer == NOT_ASKED
        yes += said_yes * own
        no += said_no * own
        missing_weight += open_ * own
        counted += said_yes
        counted += said_no
        missing += open_ & (own > 0)
    total = weights.sum(axis=1)[columns]
    return Tally(yes=yes, no=no, open=missing_weight, total=total, counted=counted, missing=missing)


def standing(found: Tally, rule: Rule) -> Standing:
    """Return what the weights make of each cell by itself."""
    yes, no, open_, total = found.yes, found.no, found.open, found.total
    most = yes + no + open_
    return Standing(
        label=rule.labels(yes, no, total),
        lower=rule.labels(yes, no + open_, total),
        upper=rule.labels(yes + open_, no, total),
        now=Ratio(yes, yes + no),
        low=Ratio(yes, most),
        high=Ratio(yes + open_, most),
        full=open_ == 0,
    )


def _bounds(found: Tally) -> tuple[Reals, Reals]:
    most = found.yes + found.no + found.open
    some: Mask = most > 0
    low, high = np.full(len(most), np.nan), np.full(len(most), np.nan)
    np.divide(found.yes, most, out=low, where=some)
    np.divide(found.yes + found.open, most, out=high, where=some)
    return low, high
