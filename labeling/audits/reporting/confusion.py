"""What voters and labels say against what auditors hold."""

from dataclasses import dataclass

import numpy as np

from benchwright.statistics.intervals import Estimate, weighted_share
from labeling.attributes.deciding.codes import NO, UNSURE, YES, Bytes, Mask
from labeling.audits.reporting.ballots_at import JudgedBallots
from labeling.audits.reporting.truth import Truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Labels of one truth by what was said of them; weights are the labels they stand for."""

    labels: int
    yes: float
    no: float
    abstained: float

    @property
    def total(self) -> float:
        """For how many labels they stand."""
        return self.yes + self.no + self.abstained


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """One voter, or the labels themselves, against ``labels`` that auditors judged.

    ``are_yes`` and ``are_no`` are by what auditors hold. ``sensitivity`` is the share of yes
    among the answers to what is yes, ``specificity`` of no among those to what is no: who abstains
    answers nothing. ``right_yes`` and ``right_no`` are the shares of its yes and of its no that
    are right. ``left_out`` judged labels are of no fair sample of its answers.
    """

    name: str
    labels: int
    left_out: int
    are_yes: Said
    are_no: Said
    sensitivity: Estimate
    specificity: Estimate
    right_yes: Estimate
    right_no: Estimate
    abstained: Estimate


def label_confusion(truth: Truth, confidence: float) -> Confusion:
    """Return how the labels themselves stand against what auditors hold."""
    return _confusion("the labels", truth.answer, truth, 0, confidence)


def voter_confusions(votes: JudgedBallots, confidence: float) -> tuple[Confusion, ...]:
    """Return how each voter stands against what auditors hold, one answer of it a label."""
    found = []
    for voter in votes.voters():
        said, fair = votes.said(voter)
        left_out = len(fair) - int(fair.sum())
        found.append(_confusion(voter, said[fair], votes.truth.take(fair), left_out, confidence))
    return tuple(found)


def _confusion(name: str, said: Bytes, truth: Truth, left_out: int, confidence: float) -> Confusion:
    right, answered = said == truth.truth, said != UNSURE

    def share(hits: Mask, among: Mask) -> Estimate:
        return weighted_share(hits[among], truth.weights[among], truth.pictures[among], confidence)

    return Confusion(
        name=name,
        labels=len(truth),
        left_out=left_out,
        are_yes=_by_answer(said, truth, truth.truth == YES),
        are_no=_by_answer(said, truth, truth.truth == NO),
        sensitivity=share(right, answered & (truth.truth == YES)),
        specificity=share(right, answered & (truth.truth == NO)),
        right_yes=share(right, said == YES),
        right_no=share(right, said == NO),
        abstained=share(~answered, np.ones(len(truth), bool)),
    )


def _by_answer(said: Bytes, truth: Truth, chosen: Mask) -> Said:
    def weight(code: int) -> float:
        return float(truth.weights[chosen & (said == code)].sum())

    return Said(labels=int(chosen.sum()), yes=weight(YES), no=weight(NO), abstained=weight(UNSURE))
