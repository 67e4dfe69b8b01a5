"""How sure of yes the votes on a value were: what decides between equal scores of a type."""

import numpy as np

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import Longs
from labeling.attributes.deciding.standing import Ratio, Sureness

_DIGITS = 10_000  # p_yes is stored with four digits


def sureness(ballots: Ballots, cells: slice, weights: Longs | None = None) -> Sureness:
    """Return what gives the mean p_yes of cells of a chunk by their places in it.

    It is a sum in ten-thousandths and the number of votes: plainly over the cell's votes that
    have a p_yes, by questions that weigh anything in ``weights`` (values, questions); 0 / 0
    without any. Not weighted, since so the products of two of them fit into 64 bits.
    """
    offset = cells.start

    def mean(places: Longs) -> Ratio:
        sums, counts = (np.zeros(len(places), np.int64) for _ in range(2))
        if ballots.p_yes is None:
            return Ratio(sums, counts)
        columns = ballots.columns[places + offset]
        for at, row in enumerate(ballots.p_yes):
            p_yes = row[places + offset]
            known = ~np.isnan(p_yes)
            if weights is not None:
                known &= weights[columns, at] > 0
            counts += known
            sums[known] += np.rint(p_yes[known].astype(float) * _DIGITS).astype(np.int64)
        return Ratio(sums, counts)

    return mean
