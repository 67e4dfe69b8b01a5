"""How good each voter is at each value, from labels that are known.

Only cells count whose answers no early stop has selected: where it stops, a voter has answered
just when those before it disagreed. A voter gives one answer for each cell, as in log-odds.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.statistics.intervals import effective_size, wilson
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.by_voter import voter_answers
from labeling.attributes.deciding.codes import (
    NO,
    NOT_ASKED,
    UNSURE,
    YES,
    Bytes,
    Ints,
    Mask,
    Reals,
)
from labeling.attributes.deciding.rule import DecimalShare
from labeling.attributes.deciding.savings import full_sample
from labeling.attributes.deciding.shrinkage import shrunk
from labeling.attributes.deciding.skills import Skills
from labeling.attributes.deciding.weights import voters_of

WIDEST = 0.2  # an interval that is wider says: not enough audited
_HEAVIEST = 100  # the weight of the best voter of a value


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of the cells of some ballots.

    ``truth`` (n,) is 1 yes, -1 no, 0 not known. ``counts`` marks the cells whose answers are no
    selection: see ``unselected``. ``weights`` are inverse inclusion probabilities, 1 or more.
    """

    truth: Bytes
    counts: Mask
    weights: Reals

    def __post_init__(self) -> None:
        weights = self.weights[self.usable]
        if not (np.isfinite(weights) & (weights >= 1)).all():
            raise ValueError("an inclusion probability is above 0 and at most 1")

    @property
    def usable(self) -> Mask:
        """The cells that count and whose label is known."""
        usable: Mask = self.counts & (self.truth != UNSURE)
        return usable

    @property
    def left_out(self) -> int:
        """How many cells have a label that is known and do not count."""
        return int((~self.counts & (self.truth != UNSURE)).sum())


def unselected(ballots: Ballots, full: DecimalShare, seed: int) -> Mask:
    """Return the cells that have their answers whatever these say.

    They are those of the pictures that the seeded share asks in full, and all cells of a value
    on which no question was left out at all. Others that have all answers are the hard ones.
    """
    gaps = (ballots.answers == NOT_ASKED).any(axis=0)
    has_gaps = np.bincount(ballots.columns, gaps, len(ballots.values)) > 0
    found: Mask = full_sample(ballots, full, seed) | ~has_gaps[ballots.columns]
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share for each (voter, value), with Wilson's interval at the effective size.

    ``share`` is NaN where the size is 0. ``shrunk`` is drawn toward the voter's mean.
    """

    share: Reals
    low: Reals
    high: Reals
    size: Reals
    shrunk: Reals

    def is_enough(self, widest: float) -> Mask:
        """Whether the interval is no wider than so much."""
        return self.high - self.low <= widest


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What known labels say of the voters, each array (voters, values).

    ``yes_bias`` is the share of yes among a voter's answers less the share of yes in the truth of
    the same cells, -1 to 1, NaN without any; ``enough`` is false where an interval is too wide to
    judge: not enough audited.
    """

    voters: tuple[str, ...]
    sensitivity: Rate
    specificity: Rate
    yes_bias: Reals
    enough: Mask

    @property
    def skills(self) -> Skills:
        """The shrunk rates, which log-odds go by."""
        return Skills(
            voters=self.voters,
            sensitivity=self.sensitivity.shrunk,
            specificity=self.specificity.shrunk,
        )

    def weights(self) -> list[Mapping[str, int]]:
        """Return for each value the voters' whole-number weights in a majority.

        A majority counts yes and no alike, so a voter weighs half the sum of what its yes says
        for yes and its no for no: the mean of the logits of its sensitivity and specificity. The
        best voter of a value weighs 100, one that is no better than chance 0; where none is
        better all weigh the same.
        """
        skills = self.skills
        worth = np.maximum(0.0, (skills.log_yes - skills.log_no) / 2)
        best = worth.max(axis=0, initial=0.0)
        whole = np.rint(_HEAVIEST * worth / np.where(best > 0, best, 1.0)).astype(int)
        whole[:, best <= 0] = 1
        return [dict(zip(self.voters, column, strict=True)) for column in whole.T.tolist()]


def calibrate(ballots: Ballots, known: Known, widest: float = WIDEST) -> Calibration:
    """Return how good the voters are; ``widest`` is the widest interval that is enough.

    Each answer is weighted by the inverse of the probability with which its cell was included.
    """
    cells = known.usable
    said = voter_answers(ballots, cells)
    truth, weights, columns = known.truth[cells], known.weights[cells], ballots.columns[cells]
    values = len(ballots.values)
    sensitivity = _rate(said, truth == YES, YES, weights, columns, values)
    specificity = _rate(said, truth == NO, NO, weights, columns, values)
    return Calibration(
        voters=voters_of(ballots.questions),
        sensitivity=sensitivity,
        specificity=specificity,
        yes_bias=_yes_bias(said, truth, weights, columns, values),
        enough=sensitivity.is_enough(widest) & specificity.is_enough(widest),
    )


def _rate(said: Bytes, cells: Mask, right: int, weights: Reals, columns: Ints, values: int) -> Rate:
    sums, squares, hits = (np.zeros((len(said), values)) for _ in range(3))
    for voter, answers in enumerate(said):
        own = weights * (cells & (answers != UNSURE))
        sums[voter] = np.bincount(columns, own, values)
        squares[voter] = np.bincount(columns, own * own, values)
        hits[voter] = np.bincount(columns, own * (answers == right), values)
    size = effective_size(sums, squares)
    share = np.divide(hits, sums, out=np.zeros_like(sums), where=sums > 0)
    low, high = wilson(share, size)
    drawn = [shrunk(own, count)[0] for own, count in zip(share, size, strict=True)]
    return Rate(
        share=np.where(size > 0, share, np.nan),
        low=low,
        high=high,
        size=size,
        shrunk=np.array(drawn).reshape(len(said), values),
    )


def _yes_bias(said: Bytes, truth: Bytes, weights: Reals, columns: Ints, values: int) -> Reals:
    bias = np.full((len(said), values), np.nan)
    for voter, answers in enumerate(said):
        own = weights * (answers != UNSURE)
        sums = np.bincount(columns, own, values)
        more = np.bincount(columns, own * (answers.astype(float) - truth) / 2, values)
        np.divide(more, sums, out=bias[voter], where=sums > 0)
    return bias
