"""One answer of each voter for each cell, since a voter's questions are not independent."""

from collections.abc import Sequence

import numpy as np

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import (
    NOT_ASKED,
    SAID_NO,
    SAID_YES,
    Bytes,
    Mask,
    Numbers,
)
from labeling.attributes.deciding.weights import voters_of


def voter_answers(ballots: Ballots, cells: slice | Mask = slice(None)) -> Bytes:
    """Return (voters, cells): 1 where most of a voter's answers are yes, -1 for no, else 0.

    The voters are in the order of ``voters_of``; a tie and no answer at all are both 0.
    """
    lead, _ = voter_leads(ballots, cells)
    answers: Bytes = np.sign(lead).astype(np.int8)
    return answers


def voter_leads(ballots: Ballots, cells: slice | Mask = slice(None)) -> tuple[Numbers, Numbers]:
    """Return (voters, cells) twice: answers of yes less those of no, and questions not asked."""
    answers = ballots.answers[:, cells]
    voters = voters_of(ballots.questions)
    lead, missing = (np.zeros((len(voters), answers.shape[1]), np.int32) for _ in range(2))
    for at, question in enumerate(ballots.questions):
        row = voters.index(question.voter)
        lead[row] += answers[at] == SAID_YES
        lead[row] -= answers[at] == SAID_NO
        missing[row] += answers[at] == NOT_ASKED
    return lead, missing


def counts(ballots: Ballots, cells: slice) -> tuple[Numbers, Numbers]:
    """Return how many questions of each cell were answered by yes or no, and were not asked."""
    answers: Sequence[Numbers] = list(ballots.answers[:, cells])
    counted, missing = (np.zeros(len(ballots.subjects[cells]), np.int32) for _ in range(2))
    for row in answers:
        counted += (row == SAID_YES) | (row == SAID_NO)
        missing += row == NOT_ASKED
    return counted, missing
