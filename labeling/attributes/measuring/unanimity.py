"""How often the votes behind a label agree, and how often such labels are right."""

from dataclasses import dataclass

import numpy as np

from benchwright.statistics.intervals import Estimate, weighted_share
from labeling.attributes.deciding.codes import SAID_NO, SAID_YES, UNSURE, AnswerCodes, Bytes, Mask
from labeling.attributes.measuring.cells import Cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanimity:
    """Of ``labels`` of yes or no with any answering vote: those whose votes all say the same.

    ``unanimous`` is their share; ``right`` is how often these are right, ``right_split`` the
    others. Intervals are Wilson's at the effective size between pictures.
    """

    labels: int
    unanimous: Estimate
    right: Estimate
    right_split: Estimate


def unanimity(cells: Cells, votes: AnswerCodes, labels: Bytes) -> Unanimity:
    """Return it for cells whose questions were all asked; ``votes`` is (questions, n).

    Votes that abstain do not count, nor do labels that are unsure.
    """
    yes, no = (votes == SAID_YES).any(axis=0), (votes == SAID_NO).any(axis=0)
    decided: Mask = (labels != UNSURE) & (yes | no)
    agree: Mask = yes ^ no
    right = labels == cells.truth

    def share(of: Mask, among: Mask) -> Estimate:
        return weighted_share(of[among], cells.weights[among], cells.pictures[among])

    return Unanimity(
        labels=int(np.count_nonzero(decided)),
        unanimous=share(agree, decided),
        right=share(right, decided & agree),
        right_split=share(right, decided & ~agree),
    )
