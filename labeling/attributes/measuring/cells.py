"""Known labels as arrays, and how right answers are against them: right 1, unsure ½, wrong 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchwright.statistics.intervals import Estimate, effective_size, weighted_share
from labeling.attributes.calibrating.balanced_accuracy import LEAST, balanced
from labeling.attributes.deciding.codes import YES, Bytes, Longs, Mask, Reals


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The n cells whose label is known: one value of one subject each.

    ``truth`` (n,) is 1 yes or -1 no, ``columns`` (n,) the number of the value, below ``values``;
    ``pictures`` (n,) are numbers of pictures, the clusters; ``weights`` (n,) are inverse inclusion
    probabilities, 1 or more.
    """

    values: int
    truth: Bytes
    columns: Longs
    pictures: Longs
    weights: Reals

    def __len__(self) -> int:
        return len(self.truth)

    @cached_property
    def groups(self) -> Longs:
        """The column of each cell among those known as yes, or ``values`` further those of no."""
        groups: Longs = self.columns + self.values * (self.truth != YES)
        return groups

    def counts(self) -> tuple[Longs, Longs]:
        """Return the numbers of known yes and of known no of each value."""
        found = np.bincount(self.groups, minlength=2 * self.values)
        return found[: self.values], found[self.values :]

    def measurable(self) -> Mask:
        """Return which values have 8 known labels of either answer; sizes are effective ones."""
        total, squares = self.sums(self.weights), self.sums(self.weights**2)
        enough = effective_size(total, squares) >= LEAST
        return enough[: self.values] & enough[self.values :]

    def sums(self, figures: Reals) -> Reals:
        """Return the sums of figures of the cells by group, (2 · values,)."""
        sums: Reals = np.bincount(self.groups, figures, 2 * self.values).astype(float)
        return sums

    def credits(self, answers: Bytes) -> Reals:
        """Return 1 where the answers (1 yes, -1 no, 0 unsure) are right, ½ for unsure, else 0."""
        right: Reals = (1 + self.truth * answers.astype(float)) / 2
        return right

    def balanced(self, answers: Bytes) -> Reals:
        """Return the balanced accuracy of each value, NaN where no yes or no no is known."""
        rights = self.sums(self.weights * self.credits(answers))
        total = self.sums(self.weights)
        shares = np.full(2 * self.values, np.nan)
        np.divide(rights, total, out=shares, where=total > 0)
        means: Reals = (shares[: self.values] + shares[self.values :]) / 2
        return means

    def rates(self, answers: Bytes) -> list[tuple[Estimate, Estimate, Estimate]]:
        """Return sensitivity, specificity and balanced accuracy of each value, with intervals.

        A sensitivity is the weighted mean of the credits of a value's known yes, a specificity
        that of its known no. Wilson's interval of such a share stands at its effective size
        between pictures, which halves never make larger than the number of cells.
        """
        order = np.argsort(self.groups, kind="stable")
        ends = np.cumsum(np.bincount(self.groups, minlength=2 * self.values))
        runs: Sequence[Longs] = np.split(order, ends[:-1])
        credit = self.credits(answers)
        shares = [
            weighted_share(credit[run], self.weights[run], self.pictures[run]) for run in runs
        ]
        pairs = zip(shares[: self.values], shares[self.values :], strict=True)
        return [(yes, no, balanced(yes, no)) for yes, no in pairs]

    def take(self, chosen: Mask) -> "Cells":
        """Return some of the cells; pictures keep their numbers."""
        return Cells(
            values=self.values,
            truth=self.truth[chosen],
            columns=self.columns[chosen],
            pictures=self.pictures[chosen],
            weights=self.weights[chosen],
        )
