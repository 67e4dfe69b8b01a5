"""Agreement of votes against accuracy, by hand."""

from types import SimpleNamespace

import numpy as np

from labeling.attributes.deciding.codes import ABSTAINED, SAID_NO, SAID_YES
from labeling.attributes.measuring.unanimity import unanimity

Y, N, A = SAID_YES, SAID_NO, ABSTAINED


def test_by_hand(tables: SimpleNamespace) -> None:
    table = [  # votes, label, truth
        ((Y, Y, Y), 1, 1),  # unanimous and right
        ((N, A, N), -1, -1),  # one abstains: unanimous all the same
        ((A, Y, A), 1, -1),  # a single answer, wrong
        ((Y, Y, N), 1, 1),  # split and right
        ((Y, Y, N), 1, -1),  # split and wrong
        ((Y, N, A), 0, 1),  # unsure: no label
        ((A, A, A), -1, -1),  # no of another value's yes: no vote answers
        ((Y, Y, Y), -1, -1),  # unanimous, but another value of its type won
    ]
    cells = tables.cells([(at, 0, truth, 1.0) for at, (_, _, truth) in enumerate(table)], 1)
    found = unanimity(
        cells,
        np.array([votes for votes, _, _ in table], np.uint8).T,
        np.array([label for _, label, _ in table], np.int8),
    )
    assert found.labels == 6
    assert found.unanimous.share == 4 / 6
    assert found.right.share == 3 / 4
    assert found.right_split.share == 1 / 2


def test_without_any_label(tables: SimpleNamespace) -> None:
    found = unanimity(tables.cells([], 1), np.zeros((3, 0), np.uint8), np.zeros(0, np.int8))
    assert found.labels == 0
    assert np.isnan(found.unanimous.share)
