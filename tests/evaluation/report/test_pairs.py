"""Which runs can be told apart."""

from pathlib import Path

import pytest

from benchwright.workspace import Workspace
from evaluation.report.boards import Board, boards_of
from evaluation.report.entries import read_entries
from evaluation.report.pairs import p_value, pairs_of
from evaluation.scoring.comparing import compare
from evaluation.scoring.figures import Figure, Key, by_key

KEY = Key("verified")


@pytest.mark.parametrize(
    ("value", "low", "high", "pictures", "p"),
    [
        (0.2, 0.0, 0.4, 50, 0.05),  # the interval touches 0
        (-0.2, -0.4, 0.0, 50, 0.05),
        (0.2, 0.1, 0.9, 50, 0.0000885),  # the bound that faces 0 counts, not the other one
        (0.2, 0.1, 0.3, 4, 0.125),  # four pictures can say no more
        (0.3, None, None, 6, 0.03125),  # all differ alike: a test of signs
        (0.3, None, None, 1, 1.0),
        (0.0, None, None, 50, None),  # nothing differs
        (0.0, -0.1, 0.1, 50, 1.0),
        (0.2, 0.2, 0.4, 50, 0.05),  # no draw falls short: the other bound says how sure it is
    ],
)
def test_p(
    value: float, low: float | None, high: float | None, pictures: int, p: float | None
) -> None:
    figure = Figure(key=KEY, value=value, low=low, high=high, n=9)
    found = p_value(figure, pictures)
    assert found == (None if p is None else pytest.approx(p, rel=1e-2))


@pytest.fixture
def board(played: Path) -> Board:
    runs = ("random", "never-asking", "greedy")
    (found,) = boards_of(read_entries(runs, Workspace(played), release=None, seed=0))
    return found


def test_pairs_are_what_a_comparison_says(board: Board) -> None:
    pairs = pairs_of(board, KEY, seed=0)
    assert [(pair.first.name, pair.second.name) for pair in pairs] == [
        ("greedy", "random"),
        ("greedy", "never-asking"),
        ("random", "never-asking"),
    ]
    for pair in pairs:
        assert pair.first.scored is not None
        assert pair.second.scored is not None
        whole = compare(pair.first.scored, pair.second.scored, 0, is_partial=True)
        assert pair.difference == by_key(whole.differences)[KEY]
        assert pair.p is not None
        assert pair.adjusted is not None
        assert pair.p <= pair.adjusted
    assert pairs[1].is_told_apart  # who asks from who does not
    assert max(pair.adjusted or 0 for pair in pairs) == max(pair.p or 0 for pair in pairs)
