"""The votes on the labels that auditors judged, and which of them no early stop selected."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import (
    NO,
    NOT_ASKED,
    SAID_NO,
    SAID_YES,
    UNSURE,
    YES,
    AnswerCodes,
    Bytes,
    Longs,
    Mask,
)
from labeling.attributes.deciding.rule import DecimalShare
from labeling.attributes.deciding.savings import full_sample
from labeling.attributes.deciding.weights import Question, voters_of
from labeling.audits.planning.plan_file import PlannedItem
from labeling.audits.reporting.truth import Truth


@dataclass(frozen=True, kw_only=True)
class JudgedBallots:
    """The answers of q questions to the n labels of ``truth``, and which of them are ``fair``.

    ``answers`` (q, n) are as in ``Ballots``. An answer is fair when its question was put whatever
    the others said: it was asked of all labels of the value, or the picture is one of the seeded
    share that is asked in full. ``unmatched`` judged labels have no votes; they are not in truth.
    """

    questions: tuple[Question, ...]
    answers: AnswerCodes
    fair: Mask
    truth: Truth
    unmatched: int

    def voters(self) -> tuple[str, ...]:
        """Return the names of the voters, in order."""
        return voters_of(self.questions)

    def rows(self, part: str, name: str) -> list[int]:
        """Return the questions of a voter, template or view, by ``part`` and its name."""
        return [at for at, each in enumerate(self.questions) if getattr(each, part) == name]

    def said(self, voter: str) -> tuple[Bytes, Mask]:
        """Return (n,) one answer of a voter for each label, and for which of them it is fair.

        1 where most of its answers are yes, -1 for no, else 0; it is fair when all of them are.
        """
        rows = self.rows("voter", voter)
        own = self.answers[rows]
        lead = (own == SAID_YES).sum(axis=0) - (own == SAID_NO).sum(axis=0)
        said: Bytes = np.select([lead > 0, lead < 0], [YES, NO], UNSURE).astype(np.int8)
        fair: Mask = np.logical_and.reduce(self.fair[rows], axis=0)
        return said, fair


def ballots_at(ballots: Ballots, truth: Truth, full: DecimalShare, seed: int) -> JudgedBallots:
    """Return the votes on what auditors judged.

    ``full`` is the share of pictures that is asked in full, by the seed of the votes.
    """
    cells = _cells(ballots, truth.items)
    known = cells >= 0
    at = cells[known]
    gaps = np.array(
        [
            np.bincount(ballots.columns[row == NOT_ASKED], minlength=len(ballots.values)) > 0
            for row in ballots.answers
        ]
    ).reshape(len(ballots.questions), len(ballots.values))
    whole = full_sample(ballots, full, seed)
    return JudgedBallots(
        questions=ballots.questions,
        answers=ballots.answers[:, at],
        fair=whole[at] | ~gaps[:, ballots.columns[at]],
        truth=truth.take(known),
        unmatched=int((~known).sum()),
    )


def _cells(ballots: Ballots, items: Sequence[PlannedItem]) -> Longs:
    """Return the cell of each item, -1 where nobody voted on it."""
    subjects = {
        subject: number
        for number, subject in enumerate(
            zip(ballots.image_ids.to_pylist(), ballots.object_ids.to_pylist(), strict=True)
        )
    }
    columns = {(value.type, value.value): at for at, value in enumerate(ballots.values)}
    wide = len(columns)
    keys = np.array(
        [
            subjects.get((item.image_id, item.object_id), -1) * wide
            + columns.get((item.type, item.value), 0)
            if (item.type, item.value) in columns
            else -1
            for item in items
        ],
        np.int64,
    )
    cells = ballots.subjects.astype(np.int64) * wide + ballots.columns
    places = np.searchsorted(cells, keys)
    last = max(0, len(cells) - 1)
    found = (keys >= 0) & (places < len(cells)) & (cells[np.minimum(places, last)] == keys)
    return np.where(found, places, -1)
