"""What the early stop saved, and on pictures asked in full what it could have saved at best."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import NOT_ASKED, Ints, Longs, Mask
from labeling.attributes.deciding.hindsight import fewest_questions
from labeling.attributes.deciding.inquiry import Inquiry, is_asked_in_full, order_of
from labeling.attributes.deciding.rule import DecimalShare, Rule
from labeling.attributes.deciding.standing import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Savings:
    """Numbers of questions: of all cells, and of those of the sample that was asked in full.

    ``planned`` of all cells, and how many of them settled labels did without, untried. Of the
    sample: what was planned, what the order would have asked, and the fewest that any order could
    have, in hindsight. Questions that weigh nothing are never planned.
    """

    planned: int
    saved: int
    sample_planned: int
    sample_by_order: int
    sample_fewest: int


def savings(
    ballots: Ballots, outcome: Outcome, sample: Mask, weights: Longs, rule: Rule, seed: int
) -> Savings:
    """Return the savings of an outcome by majority; ``sample`` is of ``full_sample``."""
    full = ballots.take(sample)
    each = np.count_nonzero(weights, axis=1)
    return Savings(
        planned=int(each[ballots.columns].sum()),
        saved=int(questions_saved(ballots, outcome).sum()),
        sample_planned=int(each[full.columns].sum()),
        sample_by_order=int(questions_by_order(full, weights, rule, seed).sum()),
        sample_fewest=int(fewest_questions(full, weights, rule).sum()),
    )


def questions_saved(ballots: Ballots, outcome: Outcome) -> Ints:
    """Return how many questions of each cell a settled label did without and nobody put."""
    untried = outcome.missing
    if ballots.failed is not None:  # with other weights than now, what failed may weigh nothing
        untried = np.maximum(untried - ballots.failed, 0)
    return np.where(outcome.settled, untried, 0).astype(np.int32)


def full_sample(ballots: Ballots, share: DecimalShare, seed: int) -> Mask:
    """Return the cells of pictures that the seeded share asks in full, and that have all answers.

    Others that have all answers are no sample: they are the hard ones. A type with a question
    whose call failed is left away whole, where it is exclusive.
    """
    pictures = ballots.image_ids.to_pylist()
    chosen = np.array([is_asked_in_full(share, seed, image_id) for image_id in pictures], bool)
    cells: Mask = chosen[ballots.subjects] & (ballots.answers != NOT_ASKED).all(axis=0)
    places, starts = ballots.exclusive_groups(slice(0, len(ballots)))
    if len(places):
        whole = np.logical_and.reduceat(cells[places], starts)
        cells[places] = np.repeat(whole, np.diff(starts, append=len(places)))
    return cells


def questions_by_order(ballots: Ballots, weights: Longs, rule: Rule, seed: int) -> Ints:
    """Return how many questions of each cell the order asks until the votes are settled.

    Raises ValueError for a question that it would ask and that has no answer.
    """
    asked = np.zeros(len(ballots), np.int32)
    for cells in _groups(ballots):
        columns = ballots.columns[cells].tolist()
        subject = int(ballots.subjects[cells.start])
        image_id = ballots.image_ids[subject].as_py()
        object_id = ballots.object_ids[subject].as_py() or ""
        rows = weights[columns].tolist()
        orders = [
            order_of(
                ballots.questions,
                row,
                seed,
                *(image_id, object_id, ballots.values[at].type, ballots.values[at].value),
            )
            for row, at in zip(rows, columns, strict=True)
        ]
        exclusive = bool(ballots.exclusive[columns[0]])
        inquiry = Inquiry(orders=orders, weights=rows, rule=rule, exclusive=exclusive)
        while (place := inquiry.next_question()) is not None:
            value, question = place
            inquiry.record(value, question, int(ballots.answers[question, cells.start + value]))
            asked[cells.start + value] += 1
    return asked


def _groups(ballots: Ballots) -> list[slice]:
    """Return the cells of each subject's type."""
    kinds = ballots.types[ballots.columns]
    changes = (np.diff(ballots.subjects) != 0) | (np.diff(kinds) != 0)
    bounds = [0, *(np.flatnonzero(changes) + 1).tolist(), len(ballots)]
    return [slice(*pair) for pair in pairwise(bounds) if pair[0] < pair[1]]
