"""Targets worked out from which pictures stand together."""

from types import SimpleNamespace

import numpy as np
import pytest

from benchwright.records import Episode
from exports.gating.membership import membership


def around(make: SimpleNamespace, points: np.ndarray, size: int = 8) -> list[Episode]:
    """Return the gallery of each point: itself and those nearest to it, in a drawn order."""
    found = []
    for number, point in enumerate(points):
        near = np.argsort(np.abs(points - point).sum(axis=1), kind="stable")[:size]
        shown = np.random.default_rng(number).permutation(near)
        place = 1 + int(np.nonzero(shown == number)[0][0])
        found.append(make.episode(number, shown.tolist(), place))
    return found


def test_galleries_round_each_picture_tell_their_targets(make: SimpleNamespace) -> None:
    check = membership("hidden-target-tau-0.6", around(make, make.noise(1, 200, 3)))
    assert (check.outcome, check.chance, check.limit, check.n) == ("fails", 0.125, 0.225, 200)
    assert (check.figure or 0) > 0.4
    assert "fewer --episodes" in check.advice


def test_no_answer_is_looked_at(make: SimpleNamespace) -> None:
    """With other targets in the same galleries the guess is what it was, and right by chance."""
    found = [
        make.episode(at, [int(name, 16) for name in one.image_ids], 1 + at % 8)
        for at, one in enumerate(around(make, make.noise(1, 200, 3)))
    ]
    assert membership("c", found).figure == pytest.approx(0.125, abs=0.08)


def test_galleries_that_share_no_picture_tell_nothing(make: SimpleNamespace) -> None:
    check = membership("c", make.episodes(400))
    assert check.outcome == "passes"
    assert check.figure == pytest.approx(0.125, abs=0.06)


@pytest.mark.parametrize(
    "shown",
    [
        [[0, 1, 2]],
        [[0, 1], [0, 1], [0, 1]],  # more galleries than pictures: none can be each one's own
        [[0, 1, 2], [0, 1, 2], [3, 4]],
    ],
)
def test_any_galleries_are_guessed(make: SimpleNamespace, shown: list[list[int]]) -> None:
    found = membership("c", [make.episode(at, some) for at, some in enumerate(shown)])
    assert 0 <= (found.figure or 0) <= 1
    assert found.outcome == "too few to tell"
